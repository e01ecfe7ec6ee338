// Package help is the help screen. It is made from the key bindings, so that it
// always agrees with them.
//
//	help.go  the screen
package help
