// Package ledger plans how to take back what was done to recall items (P9). It is
// pure: it sees items with their past and answers with what each of them should
// be, why, and what it leaves alone and why. Whoever asked writes it.
//
// # Words
//
// Every change made a version. A change is in force while what it said still
// counts: an undo takes the changes it names out of force, and the undo of an
// undo brings them back. What is in force of an item, from its creation on, is
// its stack; a change was touched since when it does not lie on top of its stack.
//
// # Rules
//
//   - The version before comes back byte for byte, but for the version's number,
//     the time of the change and how often the item was used.
//   - What came into being goes out of use; it keeps its history.
//   - Where one item had replaced another, both are one thing: when the newer goes
//     out of use, the older comes back. When the newer was itself replaced since,
//     its neighbours are joined: of A ← B ← C without B remains A ← C.
//   - Any other change since, by whomever, is left alone, and so is the change
//     before it.
//   - Nothing comes back into a slot that another active item fills by now.
//   - An undo is taken back as a whole, as far as its parts hang together.
//   - After [Keep] a change is final.
//
// No plan makes two items active that fill the same slot.
//
// What a store adds is tested in memory/manager, with random histories.
package ledger
