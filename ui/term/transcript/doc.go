// Package transcript shows the conversation: messages under headings, a line for each
// search of the model inside an answer, the streaming answer, notes on incomplete answers,
// and a tail with the current activity.
//
// # Files
//
//	transcript.go   the model: messages, size, selection
//	entry.go        a message, rendered and cached
//	scroll.go       the position
//	find.go         searching the conversation
//	thought.go      the model's reasoning above an answer
//	lessons.go      memories learned from a message, below it
//	sources.go      sources of an answer, below it
//
// # Cost
//
// A message is rendered when it is first shown. It is rendered again only when its version
// or the width changed, or after it was evicted: at most 10,000 lines of messages outside
// the view are cached. The position is a message and a line in it, so that scrolling and
// resizing do not touch messages outside the view. Of a streaming answer only the visible
// lines are assembled; its Markdown comes from a [Stream], which renders its stable
// beginning once.
//
// # Position
//
// The view follows the end until the user scrolls away, and again once the user scrolls
// back to the end. While it does not follow, arriving text moves nothing; a line shows the
// number of new messages below.
//
// [Model.Point] jumps to a message and marks it with the quoted words of a memory;
// [Model.Find] does so for the next match of a text. Marked words are shown in the text as
// written, since Markdown moves them.
//
// Below an answer are its sources, by the numbers that it cites: results from the archive,
// or the memories that were sent with the message.
//
// Copying takes the text of an [Entry] or its [Model.Codes], never the lines of the view.
package transcript
