// Package learn asks a language model what a turn or a session teaches (L2, P7), and accepts
// from its answer only the user's own statements. Apart from the request it is pure: no store,
// no clock. memory/manager connects it to both.
//
// # Data flow
//
//	Input ─ Ask ─▶ Completer ─ Parse ─▶ Analysis ─ Judge ─▶ Verdict
//
//	request.go    the request: a prompt file, and a tool with the answer's schema
//	parse.go      strict parsing of the answer, with bounded repair
//	judge.go      checks each item against the user's own words, by policy
//	operation.go  who is meant, and which memories are added, replaced and ended
//
// and of one consolidation of a session (P7, S12):
//
//	Dialogue ─ NewCondensing ─▶ Completer ─ ParseCondensed ─ JudgeCondensed ─▶ Ruling
//	Dialogue ─ Summarise ─▶ Gist, by rules alone
//
//	condense.go         the request, and strict parsing of the answer
//	condense_judge.go   checks each item's quotations against the user's words
//	gist.go             the user's most informative sentences, without a model
//
// # Limits of a model
//
// A model can only propose. Only the fields of an analysis are read: none deletes, raises trust or changes a
// setting. Ended memories become inactive and can be restored. Unusable parts are counted by reason and
// dropped ([Refusal]); reasons never contain words of the conversation.
//
// # No echo
//
// Memory content in a package must not return as new, however often the model repeats
// it. So an item needs a quotation of the user's typed words in this message, from a
// statement of the user about himself ([policy.Policy.Source]), and its content words
// must be those words ([wording.Unsaid]). Words that the rules have understood are not
// used again: the rules are more reliable.
//
// # Subjects and operations
//
// An item names its subject. It must match that of the quoted clauses
// ([subject.Find]); a clause without a subject inherits that of the previous one. A
// statement about another party names that party and fills no slot of the user's.
//
// An item adds to the memory, replaces a memory that the request showed with a short
// id, or ends one (P5c). The latter two may also rest on words that teach nothing by
// themselves, such as "answer in English again". If a [Proposal] is doubtful, Hold is
// the reason to wait for the user. Topic and variables rest on words of this turn too
// ([Analysis.Grounded]).
//
// # Repair
//
// A model without tools answers in prose. The parser accepts a thinking block and prose
// before the JSON, a code fence around it, and a comma before a closing bracket.
// Anything else, such as half an object or text after it, is unusable.
//
// Everything here is safe for concurrent use.
package learn
