// Package rest serves the memory to other programs on this computer (I1): JSON over HTTP,
// described by OpenAPI 3.1.
//
// # Paths
//
//	GET    /memory/long-term              active items, newest first
//	DELETE /memory/long-term              deletes all items of ?agent=
//	GET    /memory/long-term/{id}         one item
//	DELETE /memory/long-term/{id}         deletes one item
//	GET    /memory/working/{session_id}   working memory of a running session
//	GET    /items                         items of all served states
//	POST   /items                         proposes an item
//	GET    /items/{id}                    one item with its versions and source words
//	PATCH  /items/{id}                    proposes a change of an item
//	GET    /search                        items for a message, with the parts of their scores
//	GET    /sessions                      sessions, the last used first
//	GET    /sessions/{id}                 one session
//	GET    /sessions/{id}/records         its messages, oldest first
//	GET    /sessions/{id}/packages        its packages, oldest first
//	GET    /records/{id}                  one message
//	GET    /packages/{turn}               what a turn sent to the model
//	GET    /profile                       the profile
//	GET    /journal                       the files of the journal
//	GET    /journal/{file}                the text of one
//	GET    /agents                        agents and groups
//	GET    /health                        the state of the memory
//	GET    /openapi.json                  this table, for programs
//
// Every path but the last two takes ?agent=, the id or name of an agent; without it the agent
// of the server is meant. Lists take limit and offset, and answer
// {"items":[…],"total":N,"limit":N,"offset":N}. An error is a problem of RFC 9457.
//
// # Security
//
// A [Server] accepts connections of this computer only. Before any path is looked at, every
// request passes [guard]: its Host and Origin must be those of the server, which keeps web
// pages out, and it must carry the token of the file api.token, which keeps other users out.
// Sizes, times and the number of requests at once are bounded. No answer permits another
// origin, and nothing of a request is logged.
//
// # What is served
//
// Held and muted items are not served, under no path. A write is a proposal, which the user
// accepts or rejects in the inbox (P10). Only the two DELETE calls are carried out; a
// deletion can be undone for a short time (D2), and the user is told.
//
// # Files
//
//	server.go    the server: its routes, its limits, listening
//	guard.go     what a request passes before it is routed
//	token.go     the file of the token
//	problem.go   errors as problems
//	list.go      pages and times
//	agents.go    ?agent=, agents
//	longterm.go working.go items.go search.go sessions.go records.go packages.go profile.go journal.go health.go
//	             one noun each: its JSON and its calls
//	proposals.go items that other programs propose
//	openapi.go   the description
package rest
