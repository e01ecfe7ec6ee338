// Package wording compares the words of a conclusion with the user's words: which of them were not said, whether one
// denies what the other states, and whether they name the same party. It is pure, and reads Chinese and English,
// also one against the other.
//
// The words are in lang/data: the file statements.txt, and the lists wording_… and ending_….
package wording
