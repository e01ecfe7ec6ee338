// Package compose decides what goes to a model with a message: the package of a turn,
// layer by layer, within its budgets (C1–C7).
//
// A [Composer] belongs to one conversation. [Composer.Compose] takes a [Request], reads from
// the memory what each layer could hold, shortens the window and takes layers away until
// everything fits into the model's context, and returns a [Result]. It writes nothing: the
// caller stores the result and sends what it stored.
//
// # Layers
//
//	persona    the system prompt, and in a group who else takes part     compose.go, group.go
//	profile    the profile of the user, and the user's wishes            profile.go
//	summaries  what earlier sessions were about                          summaries.go
//	window     the last messages of the session                          window.go
//	working    the topic and variables of the session, and the outcome
//	           of an instruction to the memory                           instruction.go
//	recall     memories that go with the message, or an overview, and
//	           passages of the journal                                   journal.go
//	evidence   quotes from the archive (A2, A3)                          evidence.go
//
// [Config] lists the layers in the order in which they are sent. The time and the message
// come last. Everything the memory contributes is data, and goes into a fence whose marks
// carry a nonce (fence.go, C6).
//
// If the whole does not fit, layers are reduced in this order: evidence, summaries, journal,
// recall, window down to its floor, profile, and the rest of the window (C7). A message that
// is too long even alone is a [*TooLongError] (too_long.go).
//
// # Without a model
//
// The program quotes the memories and the archive itself then. What cannot be the answer, as
// memories about somebody else, is left out before (offline.go).
//
// # Stable beginnings
//
// A server caches the beginning of a request. So the window goes on from where the window
// of the previous turn began, cuts leave room for the next turns, and the nonce stays the
// same for the whole conversation (C1, C2).
//
// # The search tool
//
// [Composer.SearchResult] and [Composer.SearchFailed] make the results that go back to a
// model which called the search tool (search.go, I2).
package compose
