// Package wording compares a conclusion of a model with the user's words that it was drawn from: which of its words
// are not in them, whether one contradicts the other, and whether both name the same party. It is pure. It compares
// Chinese and English texts, also with each other.
//
// The vocabulary is in lang/data: the file statements.txt, and the lists wording_… and ending_….
//
// Framing words are those a conclusion may use although the user did not: "Has two cats" for "I got two cats".
package wording
