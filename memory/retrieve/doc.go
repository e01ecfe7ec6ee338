// Package retrieve scores recall items against a message and chooses the ones
// that reach the model. It is pure: it reads no disk and no clock, and knows
// neither the index nor the store.
//
// The way of a query (R1):
//
//	Analyse   message and topic become keywords, query terms and the question
//	          whether a preference is voiced
//	(caller)  asks the index, or scans the store, for candidates and how well
//	          the words of each match
//	Rank      each candidate gets its score, part by part (R5, R6), and is
//	          chosen or not, with a reason either way (R8)
//
// The weights of the score are configuration; [DefaultConfig] has the formula
// of R5. All functions are safe for concurrent use.
package retrieve
