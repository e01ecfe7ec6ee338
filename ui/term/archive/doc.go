// Package archive is the panel's part about the archive: every message that was
// said, the newest first, or what a question finds among them, the best first. A
// question is words and a time ("pottery last week", 上周三的陶艺); how the time was
// understood is shown. A message can be read in its session, bookmarked, deleted,
// and asked for what was learned from it (A4, A5, D3).
//
// # Modes
//
//	list ──/──> the field ──enter──> what was found     esc leads back
//	list ──l──> what was learned from a message         esc leads back
//	list ──d──> m, a or n ──> the line that takes it back
//
// While a search runs the field stays free: every change is a new question, and
// an answer to an older one is dropped.
//
// The part holds view state only. What it wants done it answers as an [Action];
// what became of it is told by the other methods.
package archive
