// Package actions declares what a user can do: one table of actions with their names in
// English and Chinese, and the functions that do them. The slash commands of the terminal,
// line mode and most commands are built from it.
//
//	line ── IsCommand ── no ──> Message ──> the text to send
//	            └─ yes ──> Screen.Parse or Plain.Parse ──> Call
//
// # Commands and messages
//
// A line is a command when its first word is a slash and a name of letters, digits and "-".
// So "/etc/hosts is gone" is a message, and so is "/". "//new" and " /new" are messages
// too: [Message] removes the character that makes them one.
//
// Chinese is written without spaces: after a Chinese name that takes an argument, no space
// is needed ("/记住我喜欢茶"). Names are compared without case, in full and half width,
// traditional and simplified.
package actions
