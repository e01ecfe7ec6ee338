// Package learning writes items: those that the user writes, accepts and corrects, those
// that turns and sessions teach, and those that are undone or forgotten. What is deleted
// goes by package manager.
//
// A [Writer] embeds the shared core of package write. Each operation is one transaction;
// a question to a model is asked outside of it, and its answer is written only if what
// was read is still the same.
//
// # How a turn teaches
//
//	LearnTurn  rules make proposals of the message, before it is answered
//	Learn      rules end the turn; the job is left to a model, or ends
//	Analyse    a model makes proposals of each turn that waits for one, then of sessions
//
// Every proposal takes the same way (applyProposal): an end of an item is applied or held;
// package policy admits the rest, refuses it, or holds it for the inbox; upsert confirms,
// supersedes or inserts. Each result is a change in the history, also a refusal. A message
// teaches once: its job is deleted in the same write.
//
// # How a session teaches
//
// A session that ended, and a running one after many turns, is condensed by one generation
// (P7, S12): by rules in Learn, by a model in Analyse, or by hand with Consolidate. All that
// it writes has the id of the generation. A dialogue is what is read for it, without turns
// that are not for memory, secrets, and quotes of deleted items.
//
// Imported sessions teach by package imported, which stores its proposals here ([Upsert]).
//
// # Files
//
//	writer.go                           the writer
//	items.go  inbox.go  stilltrue.go    items written, accepted and edited by the user
//	undo.go                             undo by the ledger
//	learn.go  analyse*.go               turns: by rules, by a model
//	consolidate.go  condense.go         sessions: by rules, by a model
//	dialogue.go  summary.go             what is read of a session, its summary
//	propose.go  ending.go  correct.go   from a proposal to an item, an end, a correction
//	recognise.go  slot.go               the item that a proposal means
//	foreign.go  framed.go  visible.go   text that is quoted, role-play, or not visible
//	instruction.go  overview.go         instructions of the user to the memory
//	correct_*.go  withdraw_said.go      corrections and withdrawals in a message
//	denied.go  second_thought.go        what a message takes back, or corrects in itself
//	sound.go                            corrections that would leave no sentence
//	words.go  data                      the words that decide about corrections, by language
//	people.go                           the people and animals that a message names
//	other_one.go                        "no, the other sister": what was said of one of them is meant of another
//	related.go                          statements about something known that no rule reads
//	contrast.go                         values that a message only contrasts with wrong ones
//	forget.go  trim.go  review.go       retention, old versions, items that rules would not make now
package learning
