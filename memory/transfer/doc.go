// Package transfer writes and reads memoria's own export: one file with all of an agent's
// data (D1). It knows the form of the file; package manager knows what goes in.
//
// # The file
//
// An export is a ZIP archive that any program can open:
//
//	manifest.json                  format, version, time, and for each file its size and
//	                               SHA-256
//	README.md                      this description, for people
//	config.toml                    the settings, without keys
//	agents/ID/items.jsonl          one value per line, as in the output of --json
//	agents/ID/records.jsonl        …
//	agents/ID/journal/memory.md    the files of the journal, as they are
//
// An encrypted export is the same archive inside the age format, with a passphrase or for
// recipients.
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
