// Package keys holds every key binding of the terminal program together with
// the words that explain it. The bottom line and the help screen are made from
// these values, so that what is shown is what works.
//
// In the input, letters are letters: bindings of single letters belong to panes
// that hold no text, so that an input method never swallows them.
package keys
