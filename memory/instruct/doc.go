// Package instruct recognises what a person says to the memory itself: what do you know about me, forget that I like
// tea, that's wrong, stop answering in German, undo what you just learned (spec U1–U5). It is pure: no clock, no disk,
// no model. The caller carries the instruction out.
//
// [Read] accepts a message only if it is nothing but the instruction: typed, not quoted, one or two lines, with nothing
// around it but politeness, remarks and emoji.
//
// # How an instruction is built
//
// A message is cut into parts at its pauses. Each part, or several together, must be a sentence of some kind, noise, or a
// remark behind a sentence. A sentence joins a verb of memory (forget, delete, undo, remember not) with something that
// points at the memory (your notes, what you know, the last thing you saved) or at something of the user (my job, that I
// like tea). What could mean something else is unsure: it is an instruction only if the memory holds what it names.
//
// # What no sentence says
//
// People ask for the same thing in more ways than anybody lists. Where Read finds nothing, [Guess] tells the kind by all
// words of the message: [Ground] puts a mark for what the memory holds ("you can drop the @ thing"), and a model (package
// classify) that was trained on examples does the rest. A guess is carried out more carefully: to forget something it always
// asks, a rule is withdrawn only when exactly one is named, and an undo must be nearly certain.
//
// testdata/wordings.*.jsonl are the examples, each with its writer and what was said before; data/model.txt is the model and
// data/groups.txt its words. Each example is read twice, with what its memory holds and with 40 other items besides: a model
// that knew small memories alone took ordinary talk for corrections, because it named so much. After a change of them:
//
//	go run ./memory/instruct/cmd -o memory/instruct/data/model.txt memory/instruct/testdata/wordings.*.jsonl
//
// # Data
//
// The sentences are data in the notation of package pattern, in en.txt and zh.txt. Beside "words" and "form", these files
// have two kinds of blocks:
//
//	says forget unsure        the sentences of a kind, one a line; <o> is what they are about, <old> and <new>
//	                          the values of a correction. Behind the kind: all, unsure, again, either, type TYPE.
//	never list                what no sentence of a kind has in it
//
// These forms have a meaning: lead and tail may stand around any sentence, noise beside it, remark behind it; notObject is
// what no instruction is about, notNew what no correction puts right, stated a sentence that may be said for the first
// time, and never what no instruction has in it.
//
// Text is folded: lower case, simplified characters, no accents, no apostrophes, no emoji, no pauses, and no blanks next to
// Chinese characters. spelling.txt changes words before anything is compared ("u = you"); replies.txt has the answers to a
// question of the program, manners.txt the manners of answering, and subjects.txt the parts of a life.
//
// # Which items are meant
//
// [Match] finds among items those that an instruction is about. It leans to silence, too: an item counts only when
// the instruction names its slot and value, or all that the instruction says is in the item.
package instruct
