// Package app is the running program without a front end: one [Session] value that
// every front end receives.
//
//	session.go        what a front end receives
//	conversations.go  the open conversation, switching to others, and agents
//	groups.go         groups of agents
package app
