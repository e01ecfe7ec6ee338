// Package eval measures retrieval: how many of the memories that a message needs
// are among those it recalls, and how often a message recalls something although
// it has nothing to do with any memory.
//
// # A set
//
// A set is a folder with two files of JSON lines:
//
//	corpus.jsonl   {"conv", "id", "text"}                 what there is to remember
//	queries.jsonl  {"conv", "qid", "question", "evidence"} a message, and the ids that it needs
//
// Fields beyond these are ignored. Each conversation becomes the memory of one
// agent: a real store and a real index in a temporary folder, filled and asked
// through the manager's public methods. All items are equally old, unused and
// sure, so that their order shows what the words say.
//
// # What is measured
//
//	R@k    the share of a message's evidence among its first k, mean over messages
//	hit@k  the share of messages with any evidence among the first k
//
// of what is chosen, with the limits of the configuration, and without them: as
// if everything that matches at all were chosen. Messages without relation are
// those of testdata/unrelated_*.txt in the language of the memory
// and, as a harder test, the messages of the set's other conversations; the
// latter often do have a relation, since conversations of one set resemble each
// other.
//
// # How to run it
//
//	go run ./memory/eval/cmd [-out RANKED.jsonl] FOLDER...
//
// writes {"conv", "qid", "ranked": [ids]} a line to RANKED.jsonl, and prints a
// table: a line for each value of min_relevance.
//
// # What was found
//
// R@5 in percent, and the share of unrelated messages that recall anything:
//
//	                                  no limits    item limit 0.02   footing and 0.002
//	zh, one-line statements, 9 each   84.7  72 %      77     42 %       81.6   1 %
//	en, a child's life, 80 each       55.3  38 %      54.9   38 %       55.3  12 %
//	en, preferences among 200 chats   43.7  70 %      43.7   70 %       43.2  33 %
//	testdata/bilingual, 22 each        100  47 %                        100    4 %
//
// No limit on an item's keyword score alone keeps the hits and stops unrelated
// messages; see package retrieve for the footing that does. What it costs on the
// first set is luck: of the messages that it silences, 37 of 1,016, drawing five
// of the nine statements blindly would answer as many. In the third set two
// hundred of the "memories" are requests to an assistant, to which unrelated
// messages ("write a Python function …") do have a relation; of the preferences
// alone, 3 % recall something. In the second, what remains shares a rare word by
// chance ("solar panels"), which words alone cannot tell.
package eval
