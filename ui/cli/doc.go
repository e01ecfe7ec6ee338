// Package cli is the command line: it parses, runs an action, and prints.
//
// commands.txt declares every command: its name, arguments, flags, help and examples. The
// table commands in commands.go names the function of each. A function reads flags and
// arguments from its [input], asks what has to be asked, runs an action of package actions,
// and returns its result. A command without flags of its own needs no function: it runs the
// action of its name.
//
// manual.txt is the manual, a topic a section; what it says about keys and commands after a
// slash comes from the tables of packages keys and actions. "help TOPIC" shows one, "man" all.
//
// # Rules
//
// Answers go to stdout, everything else to stderr. What a model, a file, an
// argument or the memory says passes ui/clean on its way out; in JSON it stays
// what it is, with everything escaped that a terminal would obey or hide.
//
// Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. Whatever is
// refused before a command begins is wrong usage; so are a broken configuration
// and a memory that cannot be one. An output whose reader has gone ends the
// command quietly with 1. Nothing found is an answer, not a failure; something
// named that is not there is a failure.
//
// Nothing waits forever: an interrupt also ends the wait for standard input and for a
// confirmation.
//
// Cobra parses, completes and helps. Its output is not styled: help is the same text in
// a terminal and in a pipe, and a styling layer would use the environment and streams of
// the process instead of the [Program].
//
// # Structure
//
// A [Program] is what a run may use of the world: options (environment, clock, flags),
// arguments and the three streams. main builds one from the process and gives it the
// front ends; tests build their own. A command opens the memory (package app), does one
// thing and closes it. Opening first finishes what an earlier process left, so that a
// command sees the current memory.
//
//	commands.txt commands.go  the commands: names, arguments, flags, help
//	program.go root.go       the run, its exit codes, the tree of commands
//	run.go with.go lost.go   one command: its input, the open memory, its result; a damaged memory
//	input.go output.go       streams, questions, JSON
//	interactive.go           the terminal program, drawn or line by line
//	ask.go groupask.go       one message, one answer
//	memory.go profile.go session.go archive.go journal.go agent.go store.go  nouns
//	portable.go secret.go    exports of an agent; passphrases and identities
//	mcp.go                   the server for other programs
//	serve.go                 the REST server, alone and beside the terminal program
//	deletion.go forget.go    what deletes: the question, the undo; removing it from files, the proof
//	backup.go                a backup in a file, and restoring it
//	models.go config.go      the model, the configuration
//	doctor.go examine.go     problems, and how to fix them
//	completion.go            what a shell completes
//	manual.txt topics.go     the manual: the topics of help, for the terminal and the manual page
//	man.go                   the manual page: commands and topics
//	manual.go                the same as text for a terminal
//
// Commands that do not need the memory do not open it; the table marks them as bare.
// Completing ids opens it only when it needs no check.
//
// When another process has the memory open, it runs the command ([Program].Elsewhere, package
// owner): a command that opens the memory is relayed before it reads standard input, any other
// one that finds the memory locked is relayed then. A command that needs the memory for itself
// is marked as alone. One that runs until its user ends it is marked with lasts; when the
// process that runs it ends, it is begun again elsewhere, and [Program].Resume says where it
// was. In a relayed program every file that the user named is relative to the folder of the
// user's process: arguments and flags that commands.txt calls FILE are made so ([input.locate]).
//
// The configuration is described in ui/config, opening and live settings in ui/app.
//
// # Tests
//
// The tests here run programs in process. testdata/script at the module's root runs
// the binary, with a scripted model server.
package cli
