// Package retrieve scores recall items against a message and chooses the ones
// that reach the model. It is pure: it reads no disk and no clock, and knows
// neither the index nor the store.
//
// # The way of a query (R1)
//
//	AnalyseAt  a message and its session's topic become keywords, the terms to ask
//	           for, the time that is named, and whether a preference is voiced
//	(caller)   asks the index, or scans the store, for candidates and how well the
//	           words of each match: Relevance, or Share
//	Rank       decides what fits, scores and chooses, with a reason either way
//
// # Two scores (R3a)
//
// Relevance is absolute: BM25 as a share of the Σ idf of the message's keywords. It
// decides whether an item fits at all, and which ⌈1.5·N⌉ items the weighted sum of R5
// may order. The keyword score is relative: the relevance divided by the best one, so
// that the best item has 1. It enters the sum. With the absolute score in the sum, age
// decided instead: the best item's relevance is often below 0.1, and recency alone
// spans 0.15.
//
// Words that only name a time are looked for but not counted in Σ idf. What was
// learned in that time has 2.5 times the relevance, and the time alone selects when the
// message has no other keyword (R12). Everyday English words weigh 0.3.
//
// # When nothing is recalled
//
// [Config.MinRelevance] is asked of each item, a footing of the message: everyday
// words, such as "write", "today", 时间 or 喜欢, say nothing by occurring in the memory.
// So a message recalls something only when the memory holds a distinctive word of it
// ([Query.Distinctive]; a number with a unit is one, too), or when its best match is
// above [footing], which is nearly every word of the message in a short item. A
// question about one's own preferences has a footing in each of them.
//
// The limits were found with memory/eval. A limit on the items alone cannot do it: in a
// long message the right item matches one keyword of twenty, in a short unrelated one a
// wrong item matches one of two.
//
// Two tables help short questions to their footing. data/asks.txt has questions
// whose answer is stored under another word (我叫什么: 名字, name); those words
// are looked for, too. data/kinds_zh.txt has the single characters that name a
// kind of thing and are found at the end of a longer word (茶 in 乌龙茶).
//
// # The other language (R13)
//
// Words and phrases of the message that text.Translate knows are also looked for in
// the other language ([Query.Translated]), in the same search. A translation counts
// like the word: Σ idf has each of them once, and it is distinctive when the word is,
// unless it is an everyday word itself (手表, watch). Of a phrase an index knows only
// the words, so the best memories that may hold one are read ([SaysPhrase]).
//
// # Meaning (R3)
//
// With embeddings each candidate also has a cosine with the message. What a cosine
// means differs from model to model, so every model is measured first, with pairs of
// questions and memories ([Probes]) whose relation is known, in English and Chinese
// ([Scale]): [Gauge.Meaning] brings cosines to 0–1, and [Combine] joins that with the
// relevance of the words to one relevance. A model that does not tell the pairs apart is not listened to in that language.
//
// Vectors always find something nearest. So meaning alone is a reason only where an
// item is nearer than chance among so many would bring it ([Gauge.Near]); such an item
// is a footing for itself and for no other. Below that, meaning only orders what words
// have found.
//
// # Switches (R10)
//
// [Expand] looks for words that usually mean the same as the message's; it is on by
// default. Off by default are [Closeness], which looks for the message's words close
// together, and [Diversify], which chooses by how little an item repeats others.
//
// # The topic (R6)
//
// The session's topic adds its words and a boost, with two bounds. To a message
// without a subject, a greeting or everyday words, it brings nothing alone, unless
// the message points back ("and then?", 它多大; data/back.txt). And what only the
// topic found is ordered behind what holds the message's own distinctive words:
// in a talk about pottery "what tea do I like" is answered by the tea, and the
// bowl comes after it.
//
// # Searching the archive (R11)
//
// [RankArchive] ranks messages as parts of conversations: a message adds a share of its
// score to its neighbours, and the best one of a session to all of it. [ArchiveRanking]
// holds the weights, [Passages] scores long messages by their best passage.
//
// # Looking into the archive (A2)
//
// [Trigger] says whether a turn looks into the archive, from the message
// (data/proof.txt: it asks for proof; data/past.txt and data/tense.txt: it asks about
// the user, about what the model said, or about what happened to others) and from
// what recall found. [Wants] says what is then looked for,
// [Excerpt] what of a message is quoted. Of the unrelated messages of memory/eval
// none asks for proof, and few ask about before.
//
// The weights of the score are configuration; [DefaultConfig] has the formula
// of R5. All functions are safe for concurrent use; results share nothing with
// arguments but items' strings.
package retrieve
