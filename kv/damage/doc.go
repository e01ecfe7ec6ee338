// Package damage corrupts copies of a data folder, for tests, in the ways of disks,
// copying programs and people. No program imports it.
//
// A kind of damage applies to any file or only to a store. For a store it knows the
// pages ([memoria/kv/pages]) and damages a sensitive place: a page's number, its
// elements, the free list. [Folder] copies a folder and damages one or two of its
// files. Half of the copies keep each file's time, and the kinds that overwrite bytes
// keep its size, so that only the content reveals the damage.
//
// The same generator gives the same damage, so a failed round can be repeated by its
// seed.
package damage
