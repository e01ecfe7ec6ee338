// Package judge says whether a new message continues a session that has gone
// quiet, or begins another one (S3, S4). It is pure: no store, no clock, no
// network, no state; everything is safe for concurrent use. Package chat decides
// when to judge, asks the model, and does what follows.
//
// # Two judges, one measure
//
// Either judge gives [Scores]: topic, intent and reference, each 0–10. Their
// weighted total brings the session back from [Threshold] on.
//
//	a model   gets Prompt and Tool, and is read by Parse. Whatever is not exactly
//	          a judgement is a *ParseError with a reason for people; the rules
//	          never stand in for a model that failed.
//	Rules     without any model, in English and Chinese.
//
// # The rules
//
// A message is cut into clauses and words (read.go, clause.go, words.go), and
// compared with the messages before it (context.go). What speaks for and against
// a continuation is added up as log odds (rules.go), for each number apart:
//
//	topic      words in common, in full, in part, by their field of life ("cats"
//	           and "terrier"), each by how much it says; against it, new words
//	intent     what is said outright ("by the way", 继续), whether a question was
//	           answered, whether the message listens before it speaks, asks for a
//	           change or is half a sentence; against it, a question or a request
//	           that would do as the first words of a conversation, by how much of
//	           it is new; greetings; a little, the time that has gone by
//	reference  words that point at something the message has not said itself,
//	           names and other good words that come again
//
// Each number then takes half of the others' evidence, since a person who answers
// is most likely on the topic whatever his words. What is usual between people,
// not what is usual in one collection, sets the constants; each says its reason.
// A message without any sign has not quite 5: below the line, as everything doubtful
// is in S4.
//
// The words are in data/: cues.txt (phrases by class), fields.txt (fields of life
// and work), thin.txt (words that say little). All are read at first use.
//
// # How good they are
//
//	go run ./chat/judge/cmd -set FOLDER
//
// measures over labelled conversations. What was found:
//
//	                                          AUC    false split   false join, at 6.0
//	TIAGE, English, strangers chatting        0.74       0.28         0.37
//	KdConv put end to end, Chinese, knowledge 0.97       0.18         0.06
//	testdata, both, people and an assistant   0.97       0.27         0.00
//
// Word overlap alone has 0.59 and 0.73 on the first two. No constant was fitted to
// them, and words that were met there were taken out of the lists; their mistakes
// were looked at for what kind of sign is missing. In chit-chat a new topic is
// often a mere statement, which looks like any other. The third was written along
// with the rules, so it holds them where they are and proves little more.
//
// # What they cannot see
//
// Relations that no word list has ("Gion" is in Kyoto), the same thing in the
// other language unless it is a name or in fields.txt, irony, and a new matter
// that shares the old one's words.
package judge
