// Package codec encodes the values of the store. Its layouts are part of the stored format;
// they have no knowledge of buckets and keys.
//
//	head.go          heads of items as numbers; items, text and empty values
//	packed.go        compressed JSON with a dictionary
//	record.go        messages: packed fields, plain words
//	hash.go          hashes of contents, for detecting duplicates
//	ids.go vector.go lists of ids; vectors
//	dictionaries.go  the dictionaries, which are part of the layout
//
// All codecs may be used from any goroutine.
package codec
