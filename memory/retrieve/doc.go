// Package retrieve scores recall items against a message and chooses those sent to the
// model. It is pure: it reads no disk and no clock, and depends on neither index nor
// store.
//
// # Stages (R1)
//
//	AnalyseAt  turns a message and its session's topic into keywords, index terms, the
//	           named time, and whether a preference is voiced
//	Searches   says what to look up in the index: the message's own words with their
//	           translations, words of the answer, the topic's, synonyms
//	(caller)   gathers the matches of the index and the nearest vectors, or scans the
//	           items with ScanItems
//	Select     measures the relevance of each match, refines it (closeness, meaning), and
//	           passes the candidates to Rank, which filters, scores and chooses, with a
//	           reason for each decision; then Diversify may reselect
//
// Select reads heads and words of items through two functions of [Gathered].
//
// # Two scores (R3a)
//
// Relevance is absolute: BM25 as a share of the Σ idf of the message's keywords. It
// decides whether an item fits at all, and which ⌈1.5·N⌉ items the weighted sum of R5
// may order. The keyword score is relative and part of the sum: the relevance divided
// by the best one, so that the best item has 1. With the absolute score in the sum, age
// would dominate: the best relevance is often below 0.1, while recency alone spans
// 0.15.
//
// Words that only name a time are searched but not counted in Σ idf. Items learned in
// that time have 2.5 times the relevance. If the message has no other keyword, the time
// alone selects (R12). Everyday English words weigh 0.3.
//
// # Messages that recall nothing
//
// Besides [Config.MinRelevance] for each item, the message needs a footing: everyday
// words, such as "write", "today", 时间 or 喜欢, prove nothing by occurring in the
// memory. So a message recalls something only if the memory has one of its distinctive
// words ([Query.Distinctive]; a number with a unit is one, too), or if its best match is
// above [footing], which means nearly every word of the message in a short item. A
// question about one's own preferences has a footing in each preference, and any other
// question about the user needs less ([footingOfUser]).
//
// The limits were determined with memory/eval. A limit on single items is not enough:
// in a long message the right item matches one keyword of twenty, in a short unrelated
// one a wrong item matches one of two.
//
// Two tables give short questions a footing. data/asks.txt has questions whose answer
// is stored under another word (我叫什么: 名字, name); those words are searched, too.
// data/kinds_zh.txt has single characters that name a kind of thing and match at the
// end of a longer word (茶 in 乌龙茶).
//
// # Of whom a question is
//
// A question about somebody ("where does my sister live?", 我妹妹住哪儿, "how old is Danny?"; data/relations.txt)
// also searches for the words of the relation, or the name. If any memory has them, the others keep 0.4 of their
// relevance: the home of the user matches "live" as well, in a shorter text. A question of the user that names
// nobody lowers what is about others. A scan without an index (R4) searches for no relations.
//
// Who has a name is found by it and by what he is to the user: [Query.Know] lets "Davie" and "partner" stand for each
// other where the memory says that the partner is called so.
//
// For an answer without a model that is not enough, since a person reads every quote as the answer: a
// [Question] says which memories may answer it, and what they lack. What is known of the mother says nothing of the
// father, and of an unknown name nothing is told ([Question.OfNobody]). Of several memories of one person those remain
// that have what is asked, the age or the home ([Question.HasAsked]; data/aspects.txt).
//
// # Spelling
//
// People write "whats" and 啥子. data/spelling.txt has the forms that the other tables know; every message is
// read in these. An unknown word that is one letter off a word of the tables (alergy) is read as that word. A word
// that the memory lacks also finds those that are spelt almost like it ([Query.Respell]).
//
// # Plans
//
// A question about plans ("what's on in December", 周末有空吗; data/plans.txt) asks for
// what has a date in that time, whatever its words: [Query.Due] says which goals, and
// their relevance is at least a half.
//
// # The other language (R13)
//
// Words and phrases of the message that text.Translate knows are also searched in the
// other language ([Query.Translated]), in the same search. A translation counts like
// the word: once in Σ idf, and distinctive if the word is, unless it is an everyday
// word itself (手表, watch). An index knows only the words of a phrase, so the best
// memories that may contain one are read ([SaysPhrase]).
//
// # Meaning (R3)
//
// With embeddings each candidate also has a cosine with the message. The scale of cosines differs by model,
// so each model is first measured with pairs of questions and memories ([Probes]) of known relation, in
// English and Chinese ([Scale]). [Gauge.Meaning] maps cosines to 0–1, and [Combine] joins that with the
// relevance of the words. A model that cannot separate the pairs is ignored in that language.
//
// Vectors always have a nearest neighbour. So meaning alone selects an item only if it
// is nearer than chance among so many ([Gauge.Near]); such an item is a footing only
// for itself. Below that, meaning only orders items found by words.
//
// # Switches (R10)
//
// [Expand] searches for usual synonyms of the message's words; it is on by default. Off
// by default are [Closeness], which prefers the message's words close together, and
// [Diversify], which penalises redundancy.
//
// # The topic (R6)
//
// The session's topic adds its words and a boost, with two limits. To a message without
// a subject, a greeting or everyday words, it adds nothing by itself, unless the
// message refers back ("and then?", 它多大; data/back.txt). And items found only by the
// topic rank after those with the message's own distinctive words: in a talk about
// pottery "what tea do I like" yields the tea first, then the bowl.
//
// # Searching the archive (R11)
//
// [RankArchive] ranks messages as parts of conversations: a message adds a share of its
// score to its neighbours, and the best one of a session to the whole session.
// [ArchiveRanking] holds the weights. [Passages] scores long messages by their best
// passage.
//
// # Archive lookups (A2)
//
// [Trigger] decides whether a turn searches the archive, from the message and from
// recall's result. The message may ask for proof (data/proof.txt), or about the user,
// the model's words or other people's past (data/past.txt, data/tense.txt). [Wants]
// says what to search for, [Excerpt] what to quote of a message. Of the unrelated
// messages of memory/eval none asks for proof, and few ask about the past.
//
// The score's weights are configuration; [DefaultConfig] has the formula of R5. All
// functions are safe for concurrent use; results share only items' strings with
// arguments.
package retrieve
