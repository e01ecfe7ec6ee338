// Package recall reads the memory for a turn and for a person: it retrieves items, finds
// evidence, and searches the archive and the sessions. It changes nothing, and marks
// nothing as used; package manager writes.
//
// A [Reader] reads the memory of one data folder. Each method takes the agent whose
// memory it reads, and never reads that of another. The id of a group selects its
// transcript.
//
// # A retrieval
//
//	Retrieve   reads the session's topic; package retrieve derives searches from the message
//	gather     runs the searches on the index, or scans the items if it fails, and meanwhile
//	           requests the vector of the message
//	choose     in one transaction: retrieve.Select scores and selects, reading heads and
//	           words as needed; then the items of the result are read
//
// A head is the part of an item that scoring needs, without its text. Keywords, relevance,
// score, selection and quotes are computed by package retrieve, which is pure. This package
// reads the store, the index and the vectors for it.
//
// # Evidence
//
// A turn searches the archive only if something triggers it ([retrieve.Trigger]).
// [Reader.FindEvidence] waits about a second at most for an index that is opening, and
// otherwise reads the newest thousand messages. A package stores the results as citations,
// without the words; [Reader.Sources] reads the words again.
//
// # Searching the archive
//
// [Reader.SearchArchive] and [Reader.SearchSessions] take words, a session and a span of
// time. A span is answered from the ids of the messages, which contain their time, so that
// nothing else is read. The first search opens the archive's index and waits up to 10 s
// for it. While the index is being built, or is broken, the messages are scanned with
// [retrieve.Scan], a few seconds for 200,000. A scan misses messages with only a single
// Chinese character of the question, so the result is marked as possibly incomplete.
//
// # Derived data
//
// For each agent in use the reader keeps the heads of its items in memory (L3), loaded in
// the background; a follower for each of its two indexes, that of the archive opened on
// first use; and the vectors, if an embedding model is configured. All of it is derived
// from the store. A writer calls [Reader.Touched] while it holds the agent's write lock,
// so that the heads change in the order of the transactions. [Reader.Exclude] unloads an
// agent that is deleted or restored.
//
// # Meaning
//
// With [Options.Embedder] items get vectors in the background ([Reader.FollowVectors]).
// Retrieve requests the message's vector while the index is searched, and waits
// [VectorConfig.QueryTimeout] at most. After a failure only words are compared, and
// Result.Degraded says so. While a message is being typed, only a server on this computer
// gets requests ([Query.Typing]). [Reader.HoldRequests] keeps a server free for an answer.
//
// # Files
//
//	reader.go              opening, agents, the contents of long messages
//	config.go              settings
//	retrieve.go            a retrieval; similar items for writers
//	index.go               asking the index, the scan, reading items
//	meaning.go vectors.go  the vector of a message; those of the items
//	hot.go                 heads in memory
//	evidence*.go quote.go  evidence for a turn
//	sources.go             the sources of an answer, read again
//	archive*.go            search of the archive: ranked, listed, scanned
//	sessions.go            search of the sessions
//	memories.go            items and messages in one search, for the model's tool
//	derived.go             state, settling and rebuilding of derived data
//
// A Reader is safe for concurrent use. A method whose context is done returns the cause.
package recall
