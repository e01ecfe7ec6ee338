// Package pages reads a bbolt file page by page, without bbolt and without mapping it:
// whatever the file holds, reading ends, and nothing panics or faults.
//
// bbolt trusts its file. Pages that point in a circle hold it for ever or use its stack
// up, a page it cannot make sense of is a panic on a goroutine that nobody can catch,
// and a free list that names a page in use, or a page twice, is written over without a
// word: it has no checksum. So a store is walked with this package before bbolt gets it.
//
// # Format
//
// A file is pages of one size, numbered from 0, in the byte order of the machine. Each
// begins with a header:
//
//	bytes 0–7    its number
//	bytes 8–9    what it is: 1 branch, 2 leaf, 4 meta, 16 free list
//	bytes 10–11  how many elements it has
//	bytes 12–15  how many pages behind it belong to it
//
// Pages 0 and 1 are meta pages, written in turn; of those whose checksum is right the one
// of the later transaction counts. It names the root of a tree whose leaves hold buckets,
// each with a root of its own or, when small, with its page inside the element. Elements
// of 16 bytes tell where in the page key and value lie. The free list is the numbers of
// pages that are not in use; in a healthy file each page from 2 on is either reached from
// the root, or part of the free list's own pages, or in it.
//
// # Use
//
// [Open] finds the meta page, [File.Walk] passes over every page that can be reached and
// gathers what is wrong ([Walk.Faults], [Walk.FreeList]) while it shows each record to
// the caller. [File.Strays] shows the records of leaf pages that were not reached, which
// is how a tree with a lost branch is saved. [DropFreeList] makes bbolt build a new
// free list at its next open.
package pages
