// Package imported lets the imported sessions of an agent teach (D1). What it finds waits in the
// inbox: nothing becomes active without the user's approval (P10).
//
//	ProposeImported  what the rules find in sessions that were not read before
//	Reading          the same by a model, after the caller asked the user: its plan counts what
//	                 would be sent
//
// Both read what package reread lets through, and store their proposals like those of a turn
// ([learning.Upsert]). Together at most [Max] of them wait.
//
// Package manager gives access with Manager.Imported.
//
// # Files
//
//	writer.go   the writer
//	propose.go  proposals by rules; statements of several sessions merged
//	reading.go  proposals by a model
package imported
