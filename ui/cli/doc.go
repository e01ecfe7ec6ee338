// Package cli is the command line: it parses, calls chat and memory, and prints.
//
//	memoria                     the terminal program
//	memoria ask TEXT            one message, one answer
//	memoria recall QUERY        what a message would recall, and why
//	memoria memory …            list, show, add, edit, delete, clear, history, undo
//	memoria profile …           show, edit, set, history, diff, undo, clear
//	memoria inbox …             list, accept, edit, reject
//	memoria group …             list, show, add, edit, delete: several agents at once
//	memoria archive …           search, show, why, bookmark, delete
//	memoria session …           list, show, rename, fork, export, consolidate, delete
//	memoria agent …             list, add, show, edit, delete
//	memoria context …           what a turn sent to the model
//	memoria learn               let the model read the turns and sessions that wait for it
//	memoria models              what the endpoint offers
//	memoria config …            where, what, and what is wrong with it; set, unset
//	memoria index …             status, rebuild, compact
//	memoria backup …            list, now
//	memoria doctor              what is wrong, and what to do about it
//	memoria completion, man, version
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
// front ends; tests build their own. Commands are plain functions of a Program, grouped
// by noun: noun.go has the tree of its commands, nounverb.go a long one. A command calls
// with, which opens the memory (package app), does one thing and closes it. With first
// finishes what an earlier process left, so that a command sees the current memory.
//
//	program.go root.go       the run, its exit codes, the tree of commands
//	with.go lost.go          opening the memory, mending a damaged one
//	input.go output.go times.go  streams, questions, JSON, times
//	interactive.go           the terminal program, drawn or line by line
//	ask.go groupask.go       one message, one answer
//	recall.go why.go context.go groupcontext.go working.go  what a turn used, and why
//	memory.go change.go delete.go review.go undo.go destroy.go  memories
//	inbox.go profile*.go journal.go archive*.go  nouns with commands of their own
//	session*.go agent.go group.go
//	models.go learn.go indexes.go backup.go adopt.go  the model, the analysis, the data
//	doctor.go examine.go     what is wrong, and how to fix it
//	configure.go config*.go  the configuration
//	completion.go man.go version.go  for the shell
//
// Commands that do not need the memory do not open it: models, config, doctor, backup
// list, and completion without ids. Completing ids opens it only when no other process
// has it and it needs no check.
//
// The configuration is described in ui/config, opening and live settings in ui/app.
//
// # Tests
//
// The tests here run programs in process. testdata/script at the module's root runs
// the binary, with a scripted model server.
package cli
