// Package policy makes the decisions about writing, with reasons (spec P). It is pure: no clock, no disk, no model.
// It returns a decision with its reason for a message or an item; the caller acts on it.
//
// # Five decisions
//
// [Decider] has the five decisions of P1: where a message goes, which items are embedded, when a session is
// consolidated, how a conclusion joins existing ones, and what is forgotten. [Policy] implements them by
// rules. A sixth step precedes the store: [Policy.Admit] blocks secrets, applies the settings for personal
// data, and holds content from other sources than the user in the inbox.
//
// The path of a statement:
//
//	text ─ Extract ─▶ candidates ─ PlanUpsert ─▶ plan ─ Admit ─▶ active, held or dropped
//
// # From words to candidates
//
// [Policy.Extract] works without a model, on Chinese, English and mixed sentences. It is a pipeline of
// small steps, each in its own file:
//
//	split.go     cut clauses; strip introductory words
//	guards.go    texts that are never stored: questions, hypotheses, reports, text to work on; orders to remember
//	language.go  the rules of a language, from its files; package pattern compiles their patterns
//	rule.go      tries the rules of a language on a clause, in order
//	condition.go when a rule applies
//	keep.go      the output of a rule: the slot and its texts
//	readers.go   the two rules that the files cannot express
//	engine.go    matches and parts of a clause; part.go, lists and names in them
//	party.go     clauses that go on about somebody just named, or whom the memory knows by name
//	third_person.go changes a text for the item: "my" to "their"
//	ending.go    the endings in a file; ended.go: the items that they end
//	dated.go     relative dates, resolved on writing by package dating; a coming day makes a plan
//	slot.go      the keys of a slot, in both languages
//	extract.go   the reader that joins these into candidates
//	topic.go     topics of statements that no rule reads: kept.txt
//	piece.go     pieces of a message on a topic, kept verbatim, and their endings
//	gist.go      the kind of the whole message, and pieces outside all rules and topics in one that is surely about its writer
//	models.go    the models for that, and their examples
//	emotion.go   separately: the user's stated feelings (W3)
//
// Below it are
//
//	lang       the vocabulary and the rules as data, for readers who do not program, and texts prepared for them
//	sensitive  secrets, and the table of sensitive classes (P5a)
//	subject    whom each clause is about (P5c)
//	dating     which day words mean: coming, past, or of every week (P9a)
//	object     the objects of statements in keys, and when two wordings mean the same, also in two languages (R13)
//	wording    whether the words of a conclusion are the user's
//
// Rules match folded text but store the user's own spelling and language. They prefer missing a statement to
// storing a wrong one: a rule names what it accepts, and lists exceptions. A missed statement can still be
// found in the archive; a wrong item has to be found and deleted by hand.
//
// # Whole messages
//
// "I live in Bonn" may be a statement, a line of a game, or a value in a test. [Policy.Teaches] is Extract
// for whole messages: a model (package classify) estimates the probability that the message tells something
// about its author. If it is doubtful, its candidates have a [Candidate.Doubt], and [Policy.Admit] holds
// them. If it is certain, pieces outside all rules and topics are kept. A request to remember removes the
// doubt; corrections and ends named by a rule are not held either.
//
// testdata/messages.*.jsonl and pieces.*.jsonl are the examples, with their authors; data/messages.txt and
// data/pieces.txt are the models, data/groups.txt their words. After a change of examples, rules or groups:
//
//	go run ./memory/policy/cmd -o memory/policy/data/messages.txt memory/policy/testdata/messages.*.jsonl
//	go run ./memory/policy/cmd -pieces -o memory/policy/data/pieces.txt memory/policy/testdata/pieces.*.jsonl
//
// Without -o the command prints the accuracy for messages of authors unknown to the model.
//
// # Keys
//
// A key names the slot of a conclusion. It determines which conclusions are the same, contradict, or can
// both be true (P4):
//
//	name  name/nickname  name/family       one value each: another one supersedes
//	home  origin  birthplace  birthday     "
//	age  birth-year  nationality           "
//	job  job/employer  job/field           "
//	study  school  diet  household         "
//	car  car/ridden                        "
//	relationship/status                    "
//	relationship/family                    the news of a child
//	favourite/<thing>                      one value for each thing
//	relation/<who>/<field>                 name, age, job, home, birthday, have, preference/<object>, …;
//	                                       <who> is son, or of several son-tom
//	fact/<slot>                            email, timezone, shoe-size, …
//	preference/<object>                    one for each object; like and dislike contradict
//	preference/<a>|<b>                     the choice between two, in fixed order
//	preference/kind-of-<noun>              light or dark mode, window or aisle seat
//	allergy/<object>  diet/<object>        like preference
//	use/<tool>  language/<name>  fear/<x>  "
//	pattern/<habit>  goal/<aim>            one for each
//	rule/language  rule/style  rule/<what> how the assistant should behave
//	correction/<wrong value>               replaces a value in any item
//	note/<hash>                            asked for, meaning unknown
//	said/<topic>/<words>                   kept as it was said, because no rule reads it
//
// The object of a key is in the user's words. An item in the other language fills the same slot if the table
// of translations equates the keys: see [SlotKeys].
//
// # Evaluation
//
// Whole dialogues are evaluated through the manager:
// memory/manager/testdata/dialogues.*.txt.
//
// testdata/statements.en.tsv and .zh.tsv hold hand-labelled sentences, about half of which must not be
// stored. The last part of each is held out: rules were not tuned on it. Print the figures with
//
//	go test ./memory/policy -run Labelled -v
//
// All exported functions and methods are safe for concurrent use.
package policy
