// Package demo makes a memory to look around in: a throw-away data folder with
// the chats of one person over a few weeks, in English or in Chinese.
//
// # The way there
//
// The history is text (history/en/*.md or history/zh/*.md, see below). [Fill] plays it into an empty
// folder by the same way that a chat takes: every message is sent, its package
// is composed and stored, an answer comes, and the turn is learned from by the
// rules. Only the model is another, which answers from the text, and the clock,
// which walks through the weeks up to the present. So packages, evidence,
// working memory, changes and the index are what they would be.
//
// The one shortcut is that nothing waits for the disk: a folder that is thrown
// away need not outlive a power failure.
//
// # Folders
//
// [NewFolder] makes a folder for its owner alone, named after the process, in
// the system's folder for temporary files. Its maker removes it. A process
// that was killed could not; the next NewFolder removes the folders whose
// process is gone.
//
// # The text
//
// One file is one session; the files follow each other in the order of their
// names.
//
//	when: 12 days before, 19:40
//	model: demo-large
//
//	@you
//	What the person says, over as
//	many lines as it takes.
//
//	@memoria
//	What the model answers, in Markdown.
//
//	@you +7m
//	Said seven minutes after the answer; without a number it is one and a half.
//
//	@memoria cut
//	The connection breaks after these wo
//
//	@hand
//	add rule [style] Answer in the language of the question
//	accept words of a held memory
//	edit words of a memory => its new text
//	tag words of a memory => one, two
//	forget words of a memory
//
// The header is "when", in days and a time of day or in minutes before now, and
// "model". A line that begins with @ begins a block; blocks are you and memoria
// in turn, and hand, what the person does to the memory, after any memoria. The
// words of an act must fit one memory and no other. An unknown line is an
// error with file and line.
//
// # Tests
//
// The tests play both histories and look at what came of them: every kind of
// thing that the terminal can show must be there. The two tell the same story.
package demo
