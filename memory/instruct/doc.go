// Package instruct recognises what a person says to the memory itself: what do you know about me, forget that I like
// tea, that's wrong, stop answering in German, undo what you just learned (spec U1–U5). It is pure: no clock, no disk,
// no model. Who calls it carries the instruction out.
//
// [Read] accepts a message only when it is nothing but the instruction: typed, not quoted, one or two lines, with
// nothing around it but politeness and emoji. What could mean something else is no instruction.
//
// # Data
//
// The sentences are data: one file for each language and kind in data/, which a person can read who does not program.
// A line is a sentence in this notation:
//
//	forget [that] (i | we)   [ ] may be missing, ( | ) is a choice
//	<know>                   a list of words, from en_words.txt or zh_words.txt
//	...                      any words
//	{my ...}                 what the instruction is about
//	{old: ...}               the value that is wrong, in a correction; new: the value that is right
//	/                        a pause: a full stop, a comma, or nothing
//	//                       a pause that must be there
//	=> unsure                only where the memory holds what is named
//	=> all                   what the sentence means beside its kind
//	! sentence               never an instruction of this kind
//
// What a bag file holds may stand in any order: a message is an instruction when it holds a word of each "need" line
// and no word that the bag does not list.
//
// A line "when: forget | delete" names words of which a message must hold one; other messages do not make the
// program compile the file. Lists of words are "know: know | remember". spelling files change words before anything
// is compared ("u = you"); polite files hold what may stand before and after an instruction.
//
// Sentences are compared with folded text: lower case, simplified characters, no accents, no apostrophes, no emoji.
//
// # Which items are meant
//
// [Match] finds among items those that an instruction is about. It leans to silence, too: an item counts only when
// the instruction names its slot and value, or all that the instruction says is in the item.
package instruct
