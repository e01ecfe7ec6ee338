// Package export writes one session as a Markdown document that a person can read and
// keep (D1): front matter, then each message under a heading with its author and time.
//
// Messages are exported byte for byte. An answer is Markdown and is written unchanged,
// unless it could end or imitate a part of the document. The user's words and pasted texts
// are not Markdown: where Markdown would change them, they are put in a fence that is
// longer than any fence inside.
//
// The document is not cleaned for a terminal. Callers that print it clean it.
package export
