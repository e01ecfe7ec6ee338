// Package dating decides which moment the words of a memory mean (P9a): a coming day, a day that is over, or one
// of every week, which is no date. It is pure: the moment said is given.
//
// The words are in lang/data/*/dates.txt.
package dating
