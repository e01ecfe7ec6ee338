// Package learn asks a language model what a turn or a session teaches (L2, P7), and lets of its
// answer only what the user himself said. It is pure but for the one question:
// no store, no clock. memory/manager joins it to both.
//
// # The way of one analysis
//
//	Input ─ Ask ─▶ Completer ─ Parse ─▶ Analysis ─ Judge ─▶ Verdict
//
//	request.go    the question: a prompt file, and a tool whose schema is the answer's
//	parse.go      strict reading of the answer, with bounded repair
//	judge.go      each item against the user's own words, by policy
//	operation.go  whose words they are, and what they may add, replace and end
//
// and of one consolidation of a session (P7, S12):
//
//	Dialogue ─ NewCondensing ─▶ Completer ─ ParseCondensed ─ JudgeCondensed ─▶ Ruling
//	Dialogue ─ Summarise ─▶ Gist, by rules alone
//
//	condense.go         the question, and strict reading of the answer
//	condense_judge.go   each item with all its quotations against the user's words
//	gist.go             his own most telling sentences, without a model
//
// # A model is a guest
//
// It has no other power than to propose. An answer is read for the fields that
// an analysis has and for nothing else: there is no field that deletes, raises a
// trust or changes a setting. What is ended becomes inactive and can be undone. What does not fit is counted by its reason and
// left out ([Refusal]); reasons are words of this program and never of the
// conversation.
//
// # No echo
//
// What came out of memory into a package must not come back as something new,
// however often the model repeats it. So an item counts only with a quotation of
// the words that the user typed in this very message, at a place where he states
// something of himself ([policy.Policy.Source]), and only when its content words are
// those words ([policy.Unsaid]). Words that the rules understood already
// are not taken a second time: the rules know better what they mean.
//
// # Whose words, and what they change
//
// An item names its subject. It must be the one that the quoted clauses are about
// ([policy.Subjects]): a clause without a subject has that of the clause before. What
// is said of somebody else names that party and fills no slot of the user's.
//
// An item adds to the memory, replaces one of the memories that the question showed
// with a short id, or ends one (P5c). The latter two may also rest on words that teach
// nothing by themselves, such as "answer in English again". A [Proposal] whose words
// leave a doubt has a reason to wait for the user in Hold. Topic and variables rest on
// words of this turn too ([Analysis.Grounded]).
//
// # Repair
//
// A model without tools answers in prose. What is put up with: a thinking block
// and prose before the JSON, a code fence around it, a comma before a closing
// bracket. Anything else, half an object or text behind it, is not usable.
//
// Everything here is safe for concurrent use.
package learn
