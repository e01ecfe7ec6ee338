// Package keys holds every key binding of the terminal program together with
// the words that explain it. The bottom line and the help screen are made from
// these values, so that the keys shown are the keys that work.
//
// In the input, letters are letters: bindings of single letters belong to panes
// that hold no text, so that an input method never swallows them.
//
//	keys.go       bindings of the screen and of memories; Default
//	panes.go      bindings of the other panes
//	bindings.go   every binding, declared once with its texts
//	confirmed.go  keys that ask before they act
package keys
