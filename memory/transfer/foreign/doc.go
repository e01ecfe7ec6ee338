// Package foreign reads the data exports of other chat programs: ChatGPT, Claude, and
// plain JSON Lines. It is pure: it parses, and package transfer imports what it returns.
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
// program does not show (instructions, tool calls and their results) are left out, and
// their children take their place. Images and files are named, not read.
//
// # Broken input
//
// A conversation that cannot be understood is returned as a [ConversationError], and the
// next one follows. An error of the file itself, such as truncated JSON, ends the
// sequence; all conversations before it are complete.
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
//	conversation.go  the result: Conversation, Message, limits, errors
//	open.go          the file: ZIP or not, byte order marks, the entries to read
//	stream.go        the elements of a JSON list, each within the limit
//	tree.go          the forest of messages, checked and without hidden ones
//	moment.go        times as numbers or texts, and what replaces a missing one
//	chatgpt.go claude.go jsonl.go   one file per format
package foreign
