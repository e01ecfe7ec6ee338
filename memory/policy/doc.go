// Package policy decides what is written where, and why (spec P). It is pure: no clock, no disk, no model.
// It sees a message or an item and answers with a decision and its reason; whoever asked carries it out.
//
// # Five decisions
//
// [Decider] holds the five decisions of P1: where a message goes, what is embedded, when a session is
// consolidated, how a new conclusion joins the old ones, and what is forgotten. [Policy] makes them by rules.
// A sixth step stands between a proposal and the store: [Policy.Admit] keeps secrets out, treats personal
// data as the user has configured, and sends what comes from other hands than the user's to the inbox.
//
// The way of one statement:
//
//	text ─ Extract ─▶ candidates ─ PlanUpsert ─▶ plan ─ Admit ─▶ active, held or dropped
//
// # From words to candidates
//
// [Policy.Extract] works without a model, in Chinese and English and on sentences that mix them. It is a
// pipeline of small steps, each in a file of its own:
//
//	view.go      fold the text (width, case, accents, script) and remember which bytes each byte came from
//	split.go     mask code and quotations; cut sentences, then clauses; strip what only introduces them
//	guards.go    what is never stored: questions, hypotheses, reports, text to work on; orders to remember
//	data/        what the rules know, for readers who do not program: see data/README.md
//	language.go  reads the files of a language; package pattern compiles their patterns
//	rule.go      tries the rules of a language on a clause, one after the other
//	condition.go when a rule applies
//	keep.go      what a rule keeps: the slot and its texts
//	readers.go   the three rules that the files cannot express
//	engine.go    matches and parts of a clause; part.go, lists and names in them
//	change.go    how a text is changed for the item: third_person.go, "my" to "their"
//	object.go    from an object to a key: what makes two wordings the same thing
//	concept.go   what makes two wordings in two languages the same thing (R13)
//	ending.go    what a file says is over; ended.go: which items that ends
//	dated.go     relative dates, resolved when they are written
//	slot.go      under which keys a slot is filled, in both languages
//	extract.go   the reader that joins these into candidates
//	subject.go   beside them: whom each clause is about, also one without a subject (P5c)
//	wording.go   which words of a conclusion nobody said
//	wordlist.go  the lists of words in data, for a reader who does not program
//	topic.go     what one speaks of in words that no rule names: the topics of kept.txt
//	piece.go     pieces of a message that speak of a topic, kept as they were said, and what they say is over
//	gist.go      what the message is as a whole, and what no rule and no topic reads in one that is surely about its writer
//	models.go    the models that tell it, and their examples
//	emotion.go   beside them: how the user says that he feels (W3)
//
// What is sensitive is told by a table of its own: see package sensitive (P5a).
//
// Rules are written against folded text but write down the user's own spelling, in the user's language. They
// lean to silence: a rule names what it accepts, and lists what merely looks like it. What is missed is still
// in the archive, where it can be searched; what is wrongly stored has to be found and deleted by hand.
//
// # What a message is as a whole
//
// "I live in Bonn" is a statement, a line of a part in a game, or a value in a test. [Policy.Teaches] is Extract for whole
// messages: a model (package classify) tells how probable it is that the message tells something of its writer. Where that
// is doubtful its candidates have a [Candidate.Doubt], and [Policy.Admit] lets them wait for the user. Where it is sure,
// pieces are kept that no rule and no topic reads. A request to remember leaves no doubt; corrections and ends that a rule
// names do not wait either.
//
// testdata/messages.*.jsonl and pieces.*.jsonl are the examples, each with its writer; data/messages.txt and data/pieces.txt
// are the models, data/groups.txt their words. After a change of examples, rules or groups:
//
//	go run ./memory/policy/cmd -o memory/policy/data/messages.txt memory/policy/testdata/messages.*.jsonl
//	go run ./memory/policy/cmd -pieces -o memory/policy/data/pieces.txt memory/policy/testdata/pieces.*.jsonl
//
// Without -o the command prints how well messages of writers are told whom the model does not know.
//
// # Keys
//
// A key names the slot that a conclusion fills, and so decides what is the same thing, what contradicts, and
// what can both be true (P4):
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
//	relation/<who>/<field>                 name, age, job, home, birthday, have, preference/<object>, …
//	fact/<slot>                            email, timezone, shoe-size, …
//	preference/<object>                    one for each object; like and dislike contradict
//	preference/<a>|<b>                     the choice between two, in fixed order
//	preference/kind-of-<noun>              light or dark mode, window or aisle seat
//	allergy/<object>  diet/<object>        like preference
//	use/<tool>  language/<name>  fear/<x>  "
//	pattern/<habit>  goal/<aim>            one for each
//	rule/language  rule/style  rule/<what> how the assistant should behave
//	correction/<wrong value>               replaces a value wherever it stands
//	note/<hash>                            asked for, meaning unknown
//	said/<topic>/<words>                   kept as it was said, because no rule reads it
//
// The object of a key is in the user's words. An item of the other language fills the same slot when the table of
// translations says that both keys name one thing: see [SlotKeys].
//
// # Measured
//
// Whole dialogues are measured through the manager: memory/manager/testdata/dialogues.*.txt.
//
// testdata/statements.en.tsv and .zh.tsv hold sentences labelled by hand, about half of them things that must
// not be stored, the last part of each held out: rules were not changed to please it. Print the figures with
//
//	go test ./memory/policy -run Labelled -v
//
// Everything exported is safe for concurrent use.
package policy
