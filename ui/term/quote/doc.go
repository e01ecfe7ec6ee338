// Package quote shows a found message on one line: cut around the words that were
// looked for, which are marked, in whatever form they stand there. Its functions
// are pure.
package quote
