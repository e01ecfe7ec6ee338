// Package agents is the part of the panel that lists the agents: personas, each with
// a memory of its own, and the groups of them (group.go). It goes to one, makes, edits
// and deletes them.
//
// It holds view state alone and does nothing itself: a key is answered with an
// [Action] for the root. Fields that a configuration file gives are shown with where
// they are given and cannot be written here.
//
// Goldens of the view at four sizes are in testdata; -update writes them.
package agents
