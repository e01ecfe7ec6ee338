// Package theme holds the looks of the terminal program in one place: every
// style that a part may use, for dark and light backgrounds and for none.
//
// No style carries meaning alone. Focus, selection, errors and unsaved text are
// also said by a character, because colour is missing under NO_COLOR, on dumb
// terminals and to some eyes.
//
//	theme.go    the styles of every kind
//	shade.go    the colours of agents
//	few.go      the same on terminals with few colours
//	picture.go  the looks of bars and of the calendar, and their painting
package theme
