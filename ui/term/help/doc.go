// Package help is the help screen. It is made from the key bindings, so that it
// always agrees with them. It opens at the keys of the current place, and can be searched.
//
//	help.go  the screen
package help
