// Package settings is the panel's part about the settings: every one of them with
// its value, where that comes from, what it may be and what it is for.
//
//	list ──enter──> field, or choices    a switch is switched at once
//	list ──o──> everything about one
//	list ──/──> filter                   letters are letters here
//
// The setting under the cursor shows its help in the list. Nothing typed is lost by
// a refusal: the field stays open and says what is wrong.
//
// The part holds view state only. What it wants done it answers as an [Action];
// what became of it is told by Show, Done and Failed.
package settings
