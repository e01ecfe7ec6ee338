// Package foreign reads the data exports of other chat programs: ChatGPT, Claude, and
// plain JSON Lines. It is pure: it parses, and package importer writes what it returns.
//
// # Input
//
// [Open] opens a file that is either a ZIP archive or JSON itself, and [Export.Conversations]
// returns its conversations one by one, so that an export of any size needs memory for a
// single conversation:
//
//	chatgpt   conversations.json, or conversations-000.json and so on, a list; each
//	          conversation has a tree of messages ("mapping") and the end of the branch
//	          shown ("current_node")
//	claude    conversations.json, a list; each conversation has a list of messages, in
//	          newer exports with the id of the previous message, so a tree as well
//	jsonl     one message per line: {"session","time","role","speaker","text"}
//
// All of them become [Conversation] values: a forest of messages in which every parent
// comes before its children, and the end of the branch shown. Messages that the other
// program hides are left out, and their children take their place. Calls of tools and their
// results are messages of their own. Images and files are named, not read.
//
// The README in testdata/foreign of the parent folder has what exports look like, and cases
// that an independent reader wrote.
//
// # Broken input
//
// A conversation that cannot be understood is returned as a [Failure], and the next one
// follows. After broken JSON, the rest of that file is left out. Of a file that has no
// conversations at all, or is the export of another program, nothing is returned but an
// error.
//
// # Hostile input
//
// Nothing is ever written, and an archive's entries are opened by their names in the
// archive, so a path in it leads nowhere. [Limits] bound the size of a conversation, of
// an archive after decompression and the number of its entries. JSON deeper than 10,000
// levels is refused by encoding/json. A cycle in a tree ends its conversation only.
//
// # Files
//
//	conversation.go  the result: Conversation, Message, Failure, limits
//	open.go          the file: ZIP or not, the parts to read, their order
//	stream.go        the elements of a JSON list, each within the limit
//	tree.go          the forest of messages, checked and without hidden ones
//	moment.go        times as numbers or texts, and what replaces a missing one
//	text.go          byte order marks, file names
//	chatgpt.go claude.go jsonl.go   one file per format
package foreign
