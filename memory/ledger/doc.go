// Package ledger plans the undo of changes to recall items (P9). It is pure: from items
// and their history it computes the new state of each, with a reason, and what it
// leaves alone and why. The caller writes the result.
//
// # Terms
//
// Every change made a version. A change is in force unless undone: an undo takes its
// changes out of force, and the undo of an undo puts them back in force. The changes of
// an item in force, from its creation on, are its stack. A change has been followed by
// others if it is not on top of its stack.
//
// # Rules
//
//   - The previous version is restored byte for byte, except for the version number,
//     the time of the change and the usage counts.
//   - A created item is deactivated; it keeps its history.
//   - If one item replaced another, undo treats them as one: when the newer is
//     deactivated, the older is restored. If the newer was itself replaced since, its
//     neighbours are joined: A ← B ← C without B becomes A ← C.
//   - A change followed by any other change, from any origin, is left alone.
//   - No item is restored into a slot that another active item fills now.
//   - An undo is undone as a whole, as far as its parts are connected.
//   - After [Keep] a change is final.
//
// No plan makes two items in one slot active.
//
// memory/manager tests the combination with a store, with random histories.
package ledger
