// Package first guides through the first minute: say something, see it remembered, ask, see
// why, delete it (U6, I5). It is pure. The screen tells it what happened; it says which step
// comes next. A later step may be done first: then the guide goes on from there.
//
//	first.go  the steps
package first
