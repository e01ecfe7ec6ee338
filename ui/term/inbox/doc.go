// Package inbox is the panel's part about what waits for the user's yes:
// personal data, what pasted text or another program wants to have remembered,
// and what a machine concluded against the user's own words.
//
// Each entry shows its whole text, why it waits, what it would replace and the
// words that it came from. What is accepted or rejected is named with the version
// that was shown, so that nobody says yes to something else.
//
//	list ──e──> form                  letters are letters here; saving accepts
//	list ──A──> question ──ctrl+y──> list
//
// The part holds view state only. What it wants done it answers as an [Action];
// what became of it is told by the Set methods, Done and Failed.
package inbox
