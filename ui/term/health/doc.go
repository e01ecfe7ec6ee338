// Package health is the pane of the state of the memory: counts, charts of the last days, the
// indexes and their lag, the store, its backups, the model, and the folders. From here an
// index can be rebuilt or compacted, and a backup made.
//
// # Charts
//
// A series over days is one line of block characters, eight steps high; a day with anything
// at all is at least one step. Where blocks may not be shown (no colours, a screen reader)
// digits take their place: 9 for the most, or the numbers themselves where none is above 9.
// The words above each chart give the total, the most and its day, so that nothing is told by
// the drawing alone.
//
//	health.go   the Model: its report and what it asks for
//	update.go   keys and their hints
//	view.go     the report as lines, for the screen and as text
//	chart.go    charts
//	effects.go  the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; Done and Failed take
// the results.
package health
