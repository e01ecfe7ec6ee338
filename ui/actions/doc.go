// Package actions declares what a user can do: one table of actions with their names in
// English and Chinese, and the functions that do them. The slash commands of the terminal,
// line mode and most commands are built from it.
//
//	line ── IsCommand ── no ──> Message ──> the text to send
//	            └─ yes ──> Screen.Parse or Plain.Parse ──> Call
//
// An action takes a [Console] and an argument, and returns a [Result]: what it did, in
// words of package words. Line mode shows a result line by line, a command prints its
// answer to stdout and its remarks to stderr, or its data as JSON. A result may ask a
// question, go on when the user wants more, and open another conversation. Actions that
// only open a pane have no function: the terminal does them.
//
// # Files
//
//	table.go              the table of actions and the modes they work in; actions of commands
//	action.go             Console, Result, List, Question
//	parse.go, nearest.go  slash commands, completion, the nearest name
//	undo.go               what /undo undoes: the last deletion, turn, message or change
//	memory.go, profile.go, session.go, archive.go, journal.go, agent.go, group.go, setting.go
//	turn.go, context.go   recall, evidence, working memory; what a turn sent
//	transcript.go         the messages of a session
//	store.go              indexes and backups
//	importing.go          conversations of other programs
//	reading.go            a model that reads them, and the question before
//	portable.go           exports of an agent, and their import
//
// # A new action
//
// It is a row of the table, a function beside its noun, and its messages in the catalogue
// of package words. A command for it is an entry of ui/cli/commands.txt: the row names it and
// has [Shell] among its modes. Only a command with flags also has a function in ui/cli.
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
