// Package app is the way from one agent's conversation to another's, for the
// screen and for the conversation line by line.
//
// A [Desk] has one [chat.Chat] open at a time. Going to another agent leaves that
// one properly and makes a new one: nothing is shared between them, so nothing of
// one agent can come up at another. While an answer is arriving nobody leaves
// ([chat.ErrBusy]).
//
// It also makes, changes and deletes agents and groups (group.go): what concerns the
// conversation that is open leaves it first and opens it anew, or another, so that no
// conversation goes on with members that are not in its group any more.
//
// A Desk is safe for concurrent use; what it does comes one after the other.
package app
