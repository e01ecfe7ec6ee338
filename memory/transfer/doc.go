// Package transfer has the form of memoria's own export: one file with all of an agent's
// data (D1). Package manager/portable knows what goes into it.
//
// # The file
//
// An export is a ZIP archive that any program can open:
//
//	manifest.json                     format, version, time, the agent, and for each file its
//	                                  size and SHA-256
//	README.md                         a description for people
//	agents/ID/agent.jsonl             the description of the agent, and what its rows refer to
//	agents/ID/conversations.jsonl     sessions, each followed by its messages and packages
//	agents/ID/items.jsonl             memories, each followed by its versions and its ledger
//	agents/ID/profile.jsonl           versions of the profile
//	agents/ID/pending.jsonl           what is not finished
//	agents/ID/journal.jsonl           which messages are in which journal file
//	agents/ID/deletions.jsonl         ids of what was deleted, hashes of what was refused
//	agents/ID/journal/memory.md       the files of the journal, as they are
//	agents/ID/content/ID.txt          long contents
//
// A line of a .jsonl file is a row of the store (package store has its buckets and keys):
//
//	{"bucket":"items","key":["01KJ…"],"value":{"id":"01KJ…","content":"Drinks green tea."}}
//
// A part of a key is a text or a number; the agent in front of it is that of the folder.
// Rows are in the order in which they are imported.
//
// An encrypted export is the same archive inside the age format, with a passphrase or for
// recipients. [Encryption] and [Decrypt] serve other files too, such as backups.
//
// # Promises
//
// A [Writer] streams: it needs memory for a single line. Two exports of the same data are
// equal byte for byte, except for the time in the manifest.
//
// [Open] trusts nothing: every file must be named in the manifest with its size, names
// cannot leave the archive, and [Archive.Verify] compares the checksums of all before
// anything is imported. A version newer than [Version] is refused.
//
// Package foreign, below this one, reads the exports of other programs.
//
// # Files
//
//	manifest.go  the contents of manifest.json, its checks
//	writer.go    writing an archive
//	archive.go   opening, verifying and reading one
//	encrypt.go   passphrases and recipients
package transfer
