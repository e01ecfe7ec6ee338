// Package app is the program without a front end. It opens everything that a command or
// a front end needs, and closes it.
//
//	Options ── Setup ──> configuration, folders, agent
//	        └─ Open ───> App: log, prompts, memory, agent
//	                      └─ Session: client, conversation, live settings
//
// A command calls [Open], does one thing and calls [App.Close]. A front end receives one
// [Session] instead of options of its own: the conversations, the memory, the models, the
// settings, the clock and the log. Tests build a Session from the same parts.
//
//	setup.go         options of a run, its folders, its configuration
//	app.go           opening and closing, backups that are due
//	shared.go        runs of one process with the same memory
//	log.go           the log file, silent in a temporary chat
//	agents.go        the agent or group to talk to; refusing unknown names
//	client.go        clients for the model and for vectors, and which API key they may use
//	session.go       the session of a front end
//	conversations.go the open conversation, switching to others, and agents
//	groups.go        groups of agents
//	models.go        the models of a session
//	settings.go      settings that change while the program runs
//	demo.go          the temporary memory of --demo, made by package demo
//
// # Several runs in one process
//
// The process that opens a data folder also runs the commands of others (package owner). Each
// run has its own [Options], App, configuration, keys and conversations; with
// [Options].Shared they use one manager. The run that opened the memory ends last. The
// settings of the memory itself, its journals, backups and vectors are the owner's. While any
// run has a temporary conversation, no logger of the process writes.
//
// # Keys
//
// An API key is sent only to the address that it was given for (D4). config.Origins
// remembers where the address and the name of the key were set. A key named in a weaker
// place than the address stays unused, and the user is told. An address that is changed
// while the program runs drops its key, in the file and in the run.
//
// # Settings
//
// A change is written to the file and takes effect at once, unless the table of ui/config
// says that it needs a restart. A change of the run is stronger than a variable or a flag
// until the program ends. Commands for this run alone (/theme, /model, /search-tool) write
// nothing; the list of settings notes them. The demo writes nothing at all.
//
// # Errors
//
// A [UsageError] is a wrong call; errors of *config.Error are faults of the configuration.
// Both end a command with the exit code of wrong usage. Notices besides the result go to
// Options.Notify. Nothing here is cleaned for a terminal.
package app
