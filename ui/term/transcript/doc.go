// Package transcript is the conversation as it is read: messages under headings,
// a line for what the model searched for in the middle of an answer,
// a streamed answer that grows, the marks of answers that did not end well, and
// the lines under it that say what is going on.
//
// # Cost
//
// A message is rendered when it is first seen, and again only when its version
// or the width changed, or when it was dropped: of messages that are not shown at
// most 10,000 lines are kept. The position is kept as a message and a line in it, so
// that neither scrolling nor resizing looks at messages that are not shown. Of
// the answer that streams only the visible lines are put together; its Markdown
// comes from a [Stream] that renders its stable beginning once.
//
// # Position
//
// The view follows the end until the user scrolls away from it, and follows
// again when the user comes back to it. While it does not follow, text that
// arrives moves nothing; a line says how many messages are new below.
//
// [Model.Point] jumps to a message and marks it, with the words that a memory
// came from; [Model.Find] does so for the next place of a text. Words are pointed
// out in the text as it was written, since Markdown moves them.
//
// Under an answer stand its sources, by the numbers that it cites: what was looked
// up in the archive, or else the memories that went with the message.
//
// What is copied is the text of an [Entry] or its [Model.Codes], never the lines
// of the view.
package transcript
