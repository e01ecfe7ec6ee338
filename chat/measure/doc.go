// Package measure plays labelled messages through whole conversations and measures what
// becomes memory: items learned and wrongly learned, instructions to the memory,
// and the memory after weeks of use. Retrieval alone is measured by memory/eval.
//
// Independent writers who had only the specification wrote the sets, so their sentences
// must not be read while rules are written: the figures would be worth nothing afterwards.
//
// # Why here
//
// Each message takes the way that a user's message takes: [chat.Chat] decides its
// session, composes its package, answers it and learns from it, in a real store with a
// real index in a temporary folder. Instructions to the memory are carried out on that
// way too. So this package imports chat, and cannot be below memory.
//
// # Sets
//
// The sets are JSON lines in memory/eval/testdata, except stories, updates and turns; *.en.jsonl and *.zh.jsonl are the
// languages. An unknown field, a repeated id or a reference to nothing is an error.
//
//	statements/teach.LANG.jsonl    {"id", "messages", "teaches": [expected]}
//	statements/silent.LANG.jsonl   {"id", "category", "messages", "allowed": [expected]}
//	instructions/say.LANG.jsonl    {"id", "kind", "text", "setup", "object", "all"}
//	instructions/near.LANG.jsonl   {"id", "resembles", "before", "text"}
//	lives/NAME/messages.jsonl      {"day", "at", "new", "text", "reply", "says", "ends", "analyst"}
//	lives/NAME/facts.jsonl         {"fact", "about", "type", "words", "not", "from", "to", "minor"}
//	lives/NAME/questions.jsonl     {"question", "fact"}
//	stories/LANG.txt               a line a step; its head explains the marks; updates and turns likewise
//
// An expected item is {"type", "about", "words", "not", "held"}. It matches an item whose
// content, folded, has one of the alternatives (a|b) of each of words and of none of not.
// The type does not decide a match; other types are counted apart.
//
// # Figures
//
// Every set is reported as one table. [Statements], [Instructions], [Lives] and [Stories] say what
// their numbers mean. The clock is set by the set, so that figures are the same in every
// run.
//
//	go run ./chat/measure/cmd -layer statements|instructions|lives|stories [-v] [-analyst] PATH
package measure
