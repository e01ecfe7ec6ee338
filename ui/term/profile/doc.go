// Package profile is the panel's part about the profile (W5): the page about the
// user as it goes to the model, by sections, with where each line comes from; and
// its versions, each with what it took out and what came into it.
//
//	list ──e──> form        the whole page; letters are letters here
//	list ──h──> versions ──u──> list
//	list, form ──ctrl+g──> the user's editor
//
// The part holds view state only. What it wants done it answers as an [Action];
// what became of it is told by the Show methods, Saved and Failed.
package profile
