// Package agents is the pane of the agents: personas, each with a memory of its own, and the
// groups of them. It switches to one, and adds, edits and deletes them.
//
// Fields that a configuration file gives are shown with their place in the file and cannot be
// written here.
//
//	agents.go  the Model: what it asks for, and how it is told the answers
//	keys.go    keys and their hints
//	form.go    the form of an agent
//	group.go   the form of a group, and the question before its deletion
//	rows.go    agents, groups and the page of one as rows
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package agents
