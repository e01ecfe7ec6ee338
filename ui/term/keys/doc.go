// Package keys declares the key bindings of the terminal program, with their help
// texts. The bottom line and the help screen are built from them, so the keys shown
// always match the keys that work.
//
// Single letters are bound only in panes without a text field. In the input they are
// text, so an input method never intercepts a binding.
//
//	keys.go       the types of the screen's and the memory lists' bindings; Default
//	panes.go      the types of the other panes' bindings
//	bindings.go   the keys and help texts of all bindings
//	confirmed.go  careful keys, which ask before they act
package keys
