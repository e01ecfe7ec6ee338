// Package words is the wording that every front end uses: memories, messages, times,
// states, judgements and what actions say. It is pure.
//
//	language.go               the languages, the two catalogues, sentences of other packages
//	catalogue.go              messages by their ids, and messages that are worded later
//	english.txt, chinese.txt  the catalogues: every message by its id
//	sentences.zh.txt          what packages below say in English, in Chinese
//	settings.zh.txt           what each setting is for, in Chinese
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
// The language belongs to a run of the program: [Words] is a value that the run carries
// (app.Options, app.Session), because a process also runs commands of other terminals, whose
// users may speak another language. What is said before the reader is known is a [Message], and
// what a package below says in English is a [Sentence]. JSON, ids, names of commands and the
// log are the same in every language. The panes of the screen take the wording from keys.Map.
//
// A row has two forms: a sentence, which line mode reads aloud, and columns, which a
// command prints. A message names actions in braces; each front end puts in what its user
// types. An id that ends in ".shell" is what a command says instead of the id without it.
//
// Functions clean what others wrote, except for texts that may span lines: the front end
// cleans these.
package words
