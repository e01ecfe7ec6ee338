// Package desk is the way from one agent's conversation to another's, for the
// screen and for the conversation line by line.
//
// A [Desk] has one [chat.Chat] open at a time. Going to another agent leaves that
// one properly and makes a new one: nothing is shared between them, so nothing of
// one agent can come up at another. While an answer is arriving nobody leaves
// ([chat.ErrBusy]).
//
// A Desk is safe for concurrent use; what it does comes one after the other.
package desk
