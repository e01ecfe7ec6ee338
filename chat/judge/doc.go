// Package judge decides whether a new message continues an idle session or begins
// another one (S3, S4). It is pure: no store, no clock, no network, no state; all
// functions are safe for concurrent use. Package chat decides when to judge, asks the
// model, and acts on the result.
//
// # Two judges, one measure
//
// Both judges return [Scores]: topic, intent and reference, each 0–10. If their
// weighted total reaches [Threshold], the session is revived.
//
//	a model   gets Prompt and Tool; Parse reads its answer. Anything other than a
//	          judgement is a *ParseError with a reason for display; the rules
//	          never replace a failed model.
//	Rules     works without a model, in English and Chinese.
//
// # The rules
//
// A message is split into clauses and words (read.go, clause.go, words.go), and
// compared with the previous messages (context.go). Evidence for and against a
// continuation is added up as log odds (rules.go), separately for each score:
//
//	topic      words in common, in full, in part, by their field of life ("cats"
//	           and "terrier"), each by how much it says; against it, new words
//	intent     explicit statements ("by the way", 继续), whether a question was
//	           answered, whether the message listens before it speaks, asks for a
//	           change or is half a sentence; against it, a question or a request
//	           that would do as the first words of a conversation, by how much of
//	           it is new; greetings; a little, the time that has gone by
//	reference  words that point at something the message has not said itself,
//	           names and other good words that come again
//
// Each score then takes half of the others' evidence, since a person who answers is
// most likely on the topic in any words. The constants reflect usual conversations, not
// one collection; each has its reason. A message without evidence has slightly less
// than 5: below the threshold, as S4 requires for doubtful messages.
//
// The words are in data/: cues.txt (phrases by class), fields.txt (fields of life and
// work), thin.txt (words with little meaning). All are read at first use.
//
// # Accuracy
//
//	go run ./chat/judge/cmd -set FOLDER
//
// measures over labelled conversations. Results:
//
//	                                          AUC    false split   false join, at 6.0
//	TIAGE, English, strangers chatting        0.74       0.28         0.37
//	KdConv put end to end, Chinese, knowledge 0.97       0.18         0.06
//	testdata, both, people and an assistant   0.97       0.27         0.00
//
// Word overlap alone has 0.59 and 0.73 on the first two. No constant was fitted to
// them, and words found there were removed from the lists; their errors were examined
// only for missing kinds of evidence. In chit-chat a new topic is often a mere
// statement, which looks like any other. The third was written together with the rules,
// so it guards against regressions and proves little more.
//
// # Limits
//
// The rules cannot see relations outside the word lists ("Gion" is in Kyoto), the same
// thing in the other language unless it is a name or in fields.txt, irony, and a new
// matter that shares the old one's words.
package judge
