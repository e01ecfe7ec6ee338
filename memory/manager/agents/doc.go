// Package agents writes the descriptions of agents: name, persona, model and color.
//
// A description is in the store. What the configuration gives takes precedence field by
// field, and is not overwritten. Every id with data is an agent, with or without a
// description; package lookup lists them. Package manager deletes agents, because a deletion
// touches all of their data.
//
// # Files
//
//	agents.go  the writer: new agents, edits, unused ids for agents and groups
package agents
