// Package words is the wording that every front end uses: memories, messages, times,
// states, judgements and what actions say. It is pure.
//
//	catalogue.go, english.txt the catalogue: every message by its id, in English
//	count.go, time.go         numbers with their nouns, times, spans, durations
//	row.go                    fields of pages, rows of lists, quotes cut to size
//	memory.go                 a memory: its state, its fields, its history, its score
//	picture.go                what pictures show: scores, budgets, days
//	session.go                sessions, messages and sources
//	turn.go                   what a turn sent, what a model thought, working memory
//	agent.go, profile.go, journal.go, setting.go, health.go
//	judgement.go, look.go     why a session goes on, why the archive was searched
//	learned.go                what a turn taught
//
// A row has two forms: a sentence, which line mode reads aloud, and columns, which a
// command prints. A message names actions in braces; each front end puts in what its user
// types. An id that ends in ".shell" is what a command says instead of the id without it.
//
// Functions clean what others wrote, except for texts that may span lines: the front end
// cleans these.
package words
