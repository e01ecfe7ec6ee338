// Package agents is the pane of the agents: personas, each with a memory of its own, and the
// groups of them. It switches to one, and adds, edits and deletes them.
//
// Fields that a configuration file gives are shown with their place in the file and cannot be
// written here.
//
//	agents.go   the Model: what it asks for, and how it is told the answers
//	update.go   keys and their hints
//	menu.go     what can be done to a row
//	form.go     the form of an agent
//	group.go    the form of a group, and the question before its deletion
//	view.go     agents, groups and the page of one as rows
//	effects.go  the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package agents
