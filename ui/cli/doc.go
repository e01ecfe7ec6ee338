// Package cli is the command line: it reads the configuration, joins chat,
// memory and the terminal, and prints.
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
// Nothing waits for ever: an interrupt also ends the wait for standard input and
// for a yes.
//
// Cobra parses, completes and helps. Nothing is styled on top of it: help is the
// same text in a terminal and in a pipe, and a styling layer would look at the
// process's own environment and streams, past the [Program].
//
// # Structure
//
// A [Program] holds everything that a command may use of the world: arguments,
// environment, the three streams and the clock. Tests build one; main builds
// one from the process. A command opens the memory ([Program.Run] → open or with),
// does one thing and closes it; with first finishes what an earlier process left
// to analyse, so that every command sees the memory as it should be.
//
//	root.go            the tree of commands      settings.go  where files lie, what counts
//	group*.go          the groups
//	ask.go … delete.go one command each          client.go    which model, and whose key
//	session*.go        the sessions              doctor.go examine.go  what may be wrong
//	configure.go config*.go  memoria config      man.go completion.go  for the shell
//	screen.go plain.go the terminal program, drawn and line by line
//	input.go output.go streams                   settings.go  where files are, what counts
//	embedding.go       who makes vectors, and whose key
//	agent.go           the agents
//	newagent.go        whom a name means, what the file says of agents, whether a name is a slip of the fingers
//	                   (on a terminal that is asked)
//	registry.go        the description of each setting
//	rewrite.go live.go server.go  a setting changed: in the file, and while it runs
//
// What does not need the memory does not open it: models, config, doctor, backup
// list, and whatever completes without ids. Completing ids opens it only when
// nobody else has it and it needs no check.
//
// # Configuration
//
// ui/config reads it. What counts, from weak to strong: default, file, environment
// (MEMORIA_<TABLE>_<KEY>), flag. [config.Origins] remembers where a setting came from, for two
// reasons: a mistake is reported with its file and line or its variable, and a key is only sent
// to an address that was set together with it.
//
// # Changing it
//
// Every setting is known by reflection, its help by the comments of the example
// ([Program].Example), its limits by the Settings of the package that owns it. So a setting
// that is added to a Config and to the example is listed and can be changed without more code.
// config.AtStart names those that take effect after a restart; every other one takes effect at
// once, and a test tries each.
//
// A change is written by ui/config/tomlfile: the file is read again, must then say exactly
// what was wanted, and keeps everything else. While the program runs, live holds
// what is in force. A change of the run counts in the run, whatever a variable or a
// flag said at the start, and says that the variable counts more at the next one. A
// command of the run alone (/theme, /model, /search-tool) writes nothing; the list
// of settings notes it.
//
// An address that is changed leaves the name of its key behind: api_key_env is taken
// out of the file with it, and in this run no key goes to the new address, before it
// is set again. In the demo nothing is written.
//
// # Tests
//
// Here the parts are tested in process. testdata/script at the module's root
// runs the program itself, with a scripted model server.
package cli
