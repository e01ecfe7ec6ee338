// Package eval measures retrieval: how many of the memories or messages that a
// question needs are among those it brings, and how often a message brings
// something although it is unrelated to everything. What becomes memory is measured by
// chat/measure, with further sets in this package's testdata.
//
// # Sets
//
// A set is a folder with two files of JSON lines:
//
//	corpus.jsonl   {"conv", "id", "text", "session", "time", "speaker"}
//	queries.jsonl  {"conv", "qid", "question", "evidence", "now"}
//
// Evidence is a list of ids. Session, time, speaker and now may be missing; further
// fields are ignored. Each conversation becomes the memory of one agent: a real
// store and a real index in a temporary folder, filled and asked through the
// manager's public methods.
//
// # Layers
//
//	recall    each record becomes an item; the question goes to Retrieve
//	archive   each record becomes a message of its speaker, in its session, at its
//	          time; the question goes to SearchArchive
//	evidence  the same messages; the question goes the way of a turn: does it look
//	          into the archive at all, and which messages are then quoted (A2)
//
// A conversation between named people becomes a group of which they are members.
//
// # Ages and uses
//
// Items of equal age hide what age does to a ranking, so R3b asks for realistic
// ones. [Ages] spreads items log-uniformly from one day to a number of days, or takes the
// set's own times; Options.Uses gives half of the items up to thirty uses, and
// each a confidence from 0.5 to 1. Both are random with a fixed seed.
//
// # Figures
//
//	R@k    the share of a question's evidence among its first k, mean over questions
//	hit@k  the share of questions with any evidence among the first k
//
// of what the default configuration chooses, with rag_top_n = Options.Top: R@5 is
// measured with 5 and R@10 with 10, because the number also decides how many
// candidates the weighted sum may reorder (R5). Unrelated messages are those of
// testdata/unrelated_*.txt in the language of the memory and, as a harder test, the
// questions of the set's other conversations; the latter often are related, since
// conversations of one set resemble each other.
//
// # Running it
//
//	go run ./memory/eval/cmd [-layer recall] [-top 5] [-ages 400] [-uses] [-out RANKED.jsonl] FOLDER...
//
// prints a table a set and writes {"conv", "qid", "ranked": [ids]} a line to
// RANKED.jsonl.
package eval
