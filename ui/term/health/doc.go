// Package health is the panel's part that tells how the memory is doing: how
// much there is, what came and went over the last days, what is derived from the
// store and how far behind it is, the store itself, its backups, the model and
// where everything lies. An index can be rebuilt or compacted from here, and a
// backup made.
//
// # Charts
//
// A series over days is one line of block characters, eight steps high; a day
// with anything at all is at least one step. Where blocks may not be shown (no
// colours, a screen reader) digits take their place: 9 for the most, or the
// numbers themselves where none is above 9. The words above each chart say the
// total, the most and its day, so that nothing is told by the drawing alone.
//
// The part holds a [Report] and a place to scroll from. What the user wants done
// it answers as an [Action]; what became of it is told by Done or Failed.
package health
