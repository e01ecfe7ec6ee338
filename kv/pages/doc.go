// Package pages reads a bbolt file page by page, without bbolt and without mapping it.
// Whatever the file's content, reading ends and does not panic or fault.
//
// bbolt trusts its file. Cyclic pages hang it or exhaust its stack. An invalid page
// panics on a goroutine where the caller cannot recover. The free list has no checksum:
// if it names a page in use, or a page twice, bbolt silently overwrites data. So a
// store is walked with this package before bbolt opens it.
//
// # Format
//
// A file consists of pages of one size, numbered from 0, in the machine's byte order.
// Each begins with a header:
//
//	bytes 0–7    its number
//	bytes 8–9    its kind: 1 branch, 2 leaf, 4 meta, 16 free list
//	bytes 10–11  number of elements
//	bytes 12–15  number of overflow pages after it
//
// Pages 0 and 1 are meta pages, written in turn. The valid one with the later
// transaction counts. It names the root of a tree whose leaves hold buckets. A bucket
// has a root of its own or, if small, an inline page in the element. Elements of 16
// bytes give the positions of key and value in the page. The free list holds the
// numbers of unused pages. In a healthy file each page from 2 on is either reachable
// from the root, or part of the free list's own pages, or in the list.
//
// # Use
//
// [Open] finds the meta page. [File.Walk] visits every reachable page, collects faults
// ([Walk.Faults], [Walk.FreeList]) and passes each record to the caller. [File.Strays]
// passes the records of unreachable leaf pages, to recover a tree with a lost branch.
// [DropFreeList] makes bbolt rebuild the free list at its next open.
package pages
