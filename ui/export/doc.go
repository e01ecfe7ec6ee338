// Package export writes one session as a Markdown document that a person can read
// and keep (D1): a short front matter, and each message under a heading with who
// said it and when.
//
// What was said is in it byte for byte. An answer is Markdown and stands as it is,
// unless it could end or imitate a part of the document; what the user typed is no
// Markdown, and what was pasted is none either: where Markdown would make something
// else of it, it stands in a fence that is longer than any inside.
//
// Nothing here is cleaned for a terminal: whoever prints it does that.
package export
