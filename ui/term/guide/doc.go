// Package guide leads through the first minute of a new memory: say something, see it
// remembered, ask, see why, delete it (U6, I5). It is pure. The screen tells it what happened;
// it says which step comes next. A later step may be done first: then it goes on from there.
//
//	guide.go  the steps
package guide
