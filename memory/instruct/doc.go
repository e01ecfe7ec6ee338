// Package instruct recognises instructions to the memory: what do you know about me, forget that I like tea,
// that's wrong, stop answering in German, undo what you just learned (spec U1–U5). It is pure: no clock, no
// disk, no model. The caller carries the instruction out.
//
// [Read] accepts a message only if it is nothing but the instruction: typed, not quoted, one or two lines,
// with only politeness, remarks and emoji around it.
//
// # Structure of an instruction
//
// A message is split into parts at its pauses. Each part, or several together, must be a sentence of some
// kind, noise, or a remark after a sentence. A sentence combines a verb of memory (forget, delete, undo,
// remember not) with a reference to the memory (your notes, what you know, the last thing you saved) or to
// the user (my job, that I like tea). An ambiguous sentence is unsure: it is an instruction only if the
// memory has what it names.
//
// # Other wordings
//
// No list covers all wordings. If Read finds nothing, [Guess] determines the kind from all words of the
// message. [Ground] replaces the words for memory content by a mark ("you can drop the @ thing"), and a model
// (package classify) trained on examples does the rest. A guess is carried out more carefully: forgetting
// always asks, a rule is withdrawn only if exactly one is named, and an undo must be nearly certain.
//
// Whatever the model says, an order to forget needs a verb of forgetting or keeping that is said to the program
// (ordersToForget in values.txt): "my keys are lost" and "Mum doesn't recognise him any more" order nothing.
// Questions, reminders and what somebody has forgotten destroy nothing either.
//
// testdata/wordings.*.jsonl are the examples, with their authors and previous messages; data/model.txt is the
// model and data/groups.txt its words. Each example is read twice, with its own memory and with 40 other
// items added: a model trained only on small memories took ordinary talk for corrections, because it named so
// much. After changing the data:
//
//	go run ./memory/instruct/cmd -o memory/instruct/data/model.txt memory/instruct/testdata/wordings.*.jsonl
//
// A short order to delete, "delete the dentist", needs no model: it counts if a memory has what it names (short.go).
//
// # Asides
//
// [ReadAside] recognises what is said to the program about the memory, but orders no change: what was deleted,
// what waits for approval, that nothing is to be remembered from now on. data/asides.txt has the forms.
//
// # Answers
//
// [ReadReply] reads the answer to the program's question which memories are meant. A yes picks a memory only
// if there is one. Of several it is vague, so that no everyday word deletes them.
//
// # Decisions, and orders that delete nothing
//
// [ReadDecision] reads what is accepted and rejected of the memories that wait for approval: "accept 1", "reject the lunch
// one", 好的记下吧. The caller knows what was shown. data/decides.txt has the forms.
//
// [Spares] recognises that something is not to be deleted, whatever its words: "no dont forget that", 刚才那条别删.
// [SaysOnly] recognises a remark about a memory that orders nothing. data/spared.txt has their forms, and data/debts.txt
// what people call money that is owed, for [MatchDebt].
//
// # Contrasts
//
// [FindContrast] reads corrections that no list of sentences covers: "Not a paralegal, a legal secretary",
// 说错了，15号线, "the dentist moved to Friday". It looks for the words behind "not" in the items of the last messages,
// and for the right value in the clauses beside them. All other words there must be the item's, too, so that
// "the train goes to Berlin, not Bonn" says nothing of where the user lives. data/contrasts.txt has the forms.
//
// # Data
//
// The sentences are data in the notation of package pattern, in en.txt and zh.txt. In addition to "words" and
// "form", these files have two kinds of blocks:
//
//	says forget unsure        the sentences of a kind, one a line; <o> is their object, <old> and <new>
//	                          the values of a correction. After the kind: all, unsure, careful, again, either, type TYPE.
//	never list                words that no sentence of a kind contains
//
// These forms have a meaning: lead and tail may surround any sentence, noise may accompany it, and remark may follow it.
// notObject is never the object of an instruction, and notNew never the new value of a correction. stated is a sentence
// that may be a first statement, and never is what no instruction contains.
//
// Text is folded: lower case, simplified characters, no accents, no apostrophes, no emoji, no pauses, and no
// blanks next to Chinese characters. spelling.txt changes words before comparisons ("u = you"); replies.txt
// has the answers to the program's questions, manners.txt the manners of answering, subjects.txt the areas of a
// life, and values.txt the words around a corrected value.
//
// # Matching items
//
// [Match] finds the items that an instruction is about. It is cautious, too: an item counts only if the
// instruction names its slot and value, or if all of the instruction's words are in the item.
package instruct
