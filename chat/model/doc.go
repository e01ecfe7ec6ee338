// Package model talks to language models.
//
// It has one small interface, [Client], and two implementations: [OpenAI] for any server that speaks the
// OpenAI chat protocol (the hosted one, a gateway, Ollama, llama.cpp, LM Studio, vLLM), and the offline
// client of [NewOffline], which is no model at all and answers by quoting what memory offers. Nothing above
// this package knows which library is used or how a request looks on the wire.
//
// # Nouns
//
// A [Request] is everything one answer is made from. While it is answered, [Event] values arrive in order
// from one goroutine: [Throttled] and [Retrying] while nothing has come yet, [Connected], [FirstToken], then
// [Delta], [Reasoning] and [ToolCallDelta]. The [Reply] is returned at the end. A reply is complete when the
// server named a finish reason, and only then; everything else comes back as the partial reply together with
// an [*Error].
//
// # The way of one request
//
//	OpenAI.Stream            limiter → attempt → (wait → attempt)*            openai.go, retry.go, limiter.go
//	  attempt                watchdog: connect → first token → idle           exchange.go, watchdog.go
//	    openai-go            JSON out, server-sent events in                  params.go, assemble.go
//	      guard              key for one origin only, no foreign redirect     transport.go
//	        body             limits per event and per answer, sniffing        body.go
//
// [Embedder] makes vectors of texts with the same key rules, limits and repetitions, but with one limit on the
// time of a request, since its answer comes in one piece. An answer counts only when it has a vector of finite
// numbers for each text, in its place, all of one size.
//
// # Invariants
//
//   - The key is given to [NewOpenAI] and lives in a closure. It is written into the Authorization header by the
//     guard, for the configured scheme, host and port alone; the library above never holds it. No error, log
//     line or printed value contains it: every text that a server sends back is redacted first. Nothing is
//     read from the environment here, so what [Client.Info] shows is what is used.
//   - Memory is bounded whatever the server sends: an event and an answer have limits, an error page is read
//     up to 64 KiB, a model list up to 4 MiB, vectors up to 512 KiB for each text.
//   - There is no limit on the whole length of an answer. Three timers watch it: until the connection stands,
//     until the first event of the answer, and between bytes. Each cancels the request with a cause.
//   - An attempt is repeated only while nothing of the answer has arrived, never after.
//   - Cancelling the caller's context ends everything at once, also a wait; the error has [KindCancelled] and
//     unwraps to the context's cause. Who cancelled on purpose treats it as an ordinary end with a partial reply.
//
// # Concurrency
//
// A Client may be used by several goroutines. One call of Stream uses one goroutine for its events: the caller's.
//
// # Tests
//
// The package modeltest holds a scripted server, usable over loopback, in process under testing/synctest, and by
// hand. Timers are tested under synctest with [WithTransport].
package model
