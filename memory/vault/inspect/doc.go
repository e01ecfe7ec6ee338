// Package inspect looks for words in every file of a data folder. It proves that deleted
// content is gone (D2): forget --verify prints its report, which never holds the words.
//
// [Search] reads each file in every form in which it may hold a word:
//
//	all files     their names and their bytes
//	stores        every record, decoded, also of backups and of stores that were set aside;
//	              words in bytes that belong to no record are told apart
//	segments      dictionaries and stored fields of the indexes
//	gzip, zip     the members, which are read in the same ways
//	age           cannot be read, so each such file is in the report
//
// Words are compared without regard to the case of Latin letters. In an index they are
// compared as the index holds them, folded and stemmed. An index has no positions, so a
// phrase counts as found in a document that has all of its parts, unless the store shows
// that the document does not hold the phrase.
//
// A [Place] names the file and, where known, the agent and the message or item, so that
// the user can delete it.
//
// # Files
//
//	inspect.go   Search: the files of a folder, and their kinds
//	content.go   one file: bytes, members of archives
//	stores.go    stores: records, and bytes outside of records
//	records.go   the strings of a record
//	segments.go  segments of the indexes
//	match.go     the words and their forms
package inspect
