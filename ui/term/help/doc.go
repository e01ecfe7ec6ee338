// Package help is the help screen. It is made from the key bindings, so that it
// cannot say anything else than what the program does.
package help
