// Package reread finds what the user typed in a session, as far as it may be read again by rules
// or a model: without what is not for memory, what the user had forgotten, and what others wrote.
//
//	reread.go    the words of one message, and the items that were made of them
//	imported.go  the messages of an imported session (D1)
//	parts.go     the same, divided into the requests to a model
//
// The functions only read. They are safe for concurrent use.
package reread
