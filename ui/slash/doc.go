// Package slash is what a person may type after "/" or "／": one table of
// commands with their Chinese names, for the screen and for the plain
// conversation, and the one place that tells a command from a message.
//
//	line ── IsCommand ── no ──> Message ──> what is sent
//	            └─ yes ──> Screen.Parse or Plain.Parse ──> Call
//
// # What is a command
//
// A line whose first word is a slash and a name of letters, digits and "-". So
// "/etc/hosts is gone" is a message, and so is "/". "//new" and " /new" are
// messages too: [Message] takes away what was put there to say so.
//
// Chinese is written without spaces: after a Chinese name that takes something,
// what follows needs none ("/记住我喜欢茶").
//
// Names are compared without case, in full and half width, traditional and
// simplified. Nothing here knows what a command does. All functions are pure.
package slash
