// Package doors holds what other programs propose to remember, until the user decides (P10).
//
// A proposal is an item in the inbox with the trust of another program, and the program's
// name in its metadata. It is checked like an item of the user, and policy decides about
// secrets and sensitive content. A known item is not proposed again, and what the user
// deleted or rejected is refused (D2).
//
// A change of an item is proposed as a new item that would replace it. The old one stays in
// use until the user accepts the change, and then is superseded, which can be undone.
// Package learning accepts and edits proposals, package manager rejects them, as all of the
// inbox.
//
// What programs may read is decided in package lookup ([lookup.Served]).
//
// # Files
//
//	writer.go   proposals
//	deletion.go proposals that repeat a deleted item
package doors
