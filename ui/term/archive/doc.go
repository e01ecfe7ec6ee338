// Package archive is the pane of the archive: every message, the newest first, or the results
// of a question, the best first. A question is words and a time ("pottery last week",
// 上周三的陶艺); how the time was understood is shown. A message can be read in its session,
// bookmarked and deleted, and the memories learned from it can be listed (A4, A5, D3).
//
// # Modes
//
//	list ──/──> field ──enter──> results       esc returns
//	list ──l──> memories learned from it       esc returns
//	list ──d──> del or ctrl+x ──> undo notice
//
// The field stays free during a search: every change is a new question, and late answers
// are dropped.
//
//	archive.go  the Model: what it asks for, and how it is told the answers
//	keys.go     keys and their hints
//	rows.go     messages and memories as rows
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package archive
