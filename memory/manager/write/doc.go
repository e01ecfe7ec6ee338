// Package write has what all writers of the memory share: a data folder with its readers,
// the settings in force, the agents in use, and the transaction.
//
// A group of writers, such as package learning, receives a [Core] and embeds it. Each of
// its operations is one call of [Core.Update], which runs a function with a [Tx]:
//
//	lock      the write locks of the agent, or of a group and all who hear it
//	write     the function changes items by Tx.Put, and everything else by the store
//	follow    the profile follows the touched items, in the same transaction
//	inform    after the commit, the hot set and the watchers learn what has changed
//
// A transaction of a group has one Tx for each hearer, so that every member has heard every
// message and no reference dangles. Locks are taken in one order: the group's, then those
// of the agents by id. A group cannot be a member, so there is no deadlock.
//
// Only package manager and the packages below it call what changes something. Package
// manager sets the functions of a Core that lead to its own packages (Follow, PlanPurge,
// EraseUnkept) before the first write.
//
// # Files
//
//	core.go       the core: opening, agents, locks, settings in force, watchers
//	tx.go         the transaction of an agent, or of a group and its hearers
//	content.go    the files of long messages
//	config.go     the [memory] table of the configuration
//	deletion.go   a deletion and its undo time; the working memory of a session
//	sensitive.go  secrets and sensitive data in what is written or spoken
//	title.go      the title that a message gives
package write
