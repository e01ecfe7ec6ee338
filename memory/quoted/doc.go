// Package quoted finds the parts of a typed message that are not the user's own statement (K9): a quotation,
// a code block, a tagged or pasted document, a mail, a chat log, a signature. Such words have the trust of
// pasted text, so nothing in them becomes a memory without the user's consent (P10).
//
//	blocks.go   fences, """, <tag>…</tag>, lines that begin with ">"
//	mail.go     mail headers, forwarded mails, letters, signatures
//	chat.go     chat logs
//	points.go   documents after a sentence that points at them: "What do you think of this mail?"
//	speech.go   quotation marks that hold a whole statement
//
// In doubt words are the user's own: those around a document are, and so is a message whose parts have no such
// mark. A document without an end reaches to the end of the message.
//
// The vocabulary is in data; data/README.md describes it. Everything is safe for concurrent use.
package quoted
