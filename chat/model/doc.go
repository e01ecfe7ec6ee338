// Package model talks to language models.
//
// It has one small interface, [Client], and two implementations: [OpenAI] for any server that speaks the
// OpenAI chat protocol (the hosted one, a gateway, Ollama, llama.cpp, LM Studio, vLLM), and the offline
// client of [NewOffline], which uses no model and answers by quoting memory. No package above this one
// knows the library or the wire format.
//
// # Nouns
//
// A [Request] holds everything needed for one answer. While it is answered, [Event] values arrive in order
// from one goroutine: [Throttled] and [Retrying] before the answer, then [Connected], [FirstToken], and
// finally [Delta], [Reasoning] and [ToolCallDelta]. Stream returns the [Reply] at the end. A reply is
// complete only when the server named a finish reason; otherwise it is partial and comes with an [*Error].
//
// # One request
//
//	OpenAI.Stream            limiter → attempt → (wait → attempt)*            openai.go, retry.go, limiter.go
//	  attempt                watchdog: connect → first token → idle           exchange.go, watchdog.go
//	    openai-go            JSON out, server-sent events in                  params.go, assemble.go
//	      guard              key for one origin only, no foreign redirect     transport.go
//	        body             limits per event and per answer, sniffing        body.go
//
// [Embedder] makes vectors of texts with the same rules for keys, limits and retries. Its answer comes in one
// piece, so one timeout bounds the request. An answer is valid only when it has a vector of finite numbers
// for each text, in order, all of one size.
//
// # Invariants
//
//   - The key is given to [NewOpenAI] and lives in a closure. The guard writes it into the Authorization header,
//     for the configured scheme, host and port alone; the library above never holds it. No error, log
//     line or printed value contains it: every text from a server is redacted first. The package reads
//     nothing from the environment, so [Client.Info] shows what it really uses.
//   - Memory is bounded whatever the server sends: an event and an answer have limits, an error page is read
//     up to 64 KiB, a model list up to 4 MiB, vectors up to 512 KiB for each text.
//   - No timeout bounds a whole answer. Three timers watch it: until the connection is made,
//     until the first event of the answer, and between bytes. Each cancels the request with a cause.
//   - An attempt is retried only before any part of the answer has arrived, never after.
//   - Cancelling the caller's context ends everything at once, also a wait; the error has [KindCancelled] and
//     unwraps to the context's cause. A caller that cancels on purpose treats it as a normal end with a partial reply.
//
// # Concurrency
//
// A Client is safe for concurrent use. Each call of Stream delivers its events on the caller's goroutine.
//
// # Tests
//
// The package modeltest holds a scripted server, usable over loopback, in process under testing/synctest, and by
// hand. Timers are tested under synctest with [WithTransport].
package model
