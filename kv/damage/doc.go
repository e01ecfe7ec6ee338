// Package damage spoils copies of a data folder in the ways in which disks, copying
// programs and people do, for tests: no program imports it.
//
// A kind of damage is for any file or for a store alone, of which it knows the pages
// ([memoria/kv/pages]) and hits one of them where it hurts: its number, its elements, the
// free list. [Folder] copies a folder and damages one or two of its files. Half of the
// copies keep the time of each file, and the kinds that write over bytes keep its size,
// so that nothing but the content tells.
//
// The same generator gives the same damage, so a failed round is repeated by its seed.
package damage
