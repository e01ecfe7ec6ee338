// Package mcp serves the memory of one agent to other programs by the Model Context
// Protocol on a pair of streams (I2). The official SDK speaks the protocol; the streams
// carry one JSON-RPC message a line.
//
// A client can search, read items, list sessions, and propose items, which wait for the
// user's approval (P10, package doors). It sees what [lookup.Served] allows, and can delete
// nothing. The agent is fixed for the session. The texts for its model are prompts (package
// chat/tools), which also has the search that the chat offers to its own model.
//
// Whatever a client sends, the memory in use is bounded: a line has at most [MaxLine]
// bytes, at most maxPending calls are answered at once, and results are cut. An unreadable
// line is answered with an error. A line that is too long ends the session.
//
// # Files
//
//	server.go     the server and its end
//	lines.go      messages as bounded lines
//	resume.go     a session that goes on in another process
//	tools.go      the tools
//	results.go    what they return
//	resources.go  profile and memory.md
package mcp
