// Package learn asks a language model what a turn or a session teaches (L2, P7), and lets of its
// answer only what the user himself said. It is pure but for the one question:
// no store, no clock. memory/manager joins it to both.
//
// # The way of one analysis
//
//	Input ─ Ask ─▶ Completer ─ Parse ─▶ Analysis ─ Judge ─▶ Verdict
//
//	request.go   the question: a prompt file, and a tool whose schema is the answer's
//	parse.go     strict reading of the answer, with bounded repair
//	judge.go     each item against the user's own words, by policy
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
// trust or changes a setting. What does not fit is counted by its reason and
// left out ([Refusal]); reasons are words of this program and never of the
// conversation.
//
// # No echo
//
// What came out of memory into a package must not come back as something new,
// however often the model repeats it. So an item counts only with a quotation of
// the words that the user typed in this very message, at a place where he states
// something of himself ([policy.Policy.Source]), and only when its own words are
// mostly those words ([policy.Shares]). Words that the rules understood already
// are not taken a second time: the rules know better what they mean.
//
// # Repair
//
// A model without tools answers in prose. What is put up with: a thinking block
// and prose before the JSON, a code fence around it, a comma before a closing
// bracket. Anything else, half an object or text behind it, is not usable.
//
// Everything here is safe for concurrent use.
package learn
