// Package eval measures retrieval: how many of the memories or messages that a question
// needs are found, and how often an unrelated message finds something. chat/measure
// measures what becomes memory, with further sets in this package's testdata.
//
// # Sets
//
// A set is a folder with two files of JSON lines:
//
//	corpus.jsonl   {"conv", "id", "text", "session", "time", "speaker"}
//	queries.jsonl  {"conv", "qid", "question", "evidence", "now"}
//
// Evidence is a list of ids. Session, time, speaker and now are optional; further
// fields are ignored. Each conversation becomes the memory of one agent: a real store
// and a real index in a temporary folder, filled and queried through the manager's
// public methods.
//
// # Layers
//
//	recall    each record becomes an item; the question goes to Retrieve
//	archive   each record becomes a message of its speaker, in its session, at its
//	          time; the question goes to SearchArchive
//	evidence  the same messages; the question is processed like a turn: whether it
//	          searches the archive, and which messages it quotes (A2)
//
// A conversation between named people becomes a group with them as members.
//
// # Ages and uses
//
// Items of equal age hide the effect of age on a ranking, so R3b asks for realistic ages.
// [Ages] spreads items log-uniformly from one day to a number of days, or uses the set's
// own times. Options.Uses gives half of the items up to thirty uses, and each a
// confidence from 0.5 to 1. Both are random with a fixed seed.
//
// # Figures
//
//	R@k    the share of a question's evidence among its first k, mean over questions
//	hit@k  the share of questions with any evidence among the first k
//
// They measure the choice of the default configuration, with rag_top_n = Options.Top.
// R@5 is measured with 5 and R@10 with 10, because the number also decides how many
// candidates the weighted sum may reorder (R5). Unrelated messages are those of
// testdata/unrelated_*.txt in the language of the memory and, as a harder test, the
// questions of the set's other conversations. The latter often are related, since
// conversations of one set resemble each other.
//
// # Running it
//
//	go run ./memory/eval/cmd [-layer recall] [-top 5] [-ages 400] [-uses] [-out RANKED.jsonl] FOLDER...
//
// prints one table for each set and writes lines {"conv", "qid", "ranked": [ids]} to
// RANKED.jsonl.
package eval
