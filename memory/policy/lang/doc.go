// Package lang reads the vocabulary of the rules, and prepares texts for it. It is pure: the files are embedded
// and read at first use.
//
//	language.go   the files of a language in data/en and data/zh: lists, forms, changes and tables
//	list.go       the plain lists in data/lists
//	match.go      keywords and keys with * found in texts
//	view.go       a text folded for matching, with a map from its bytes to those of the original
//	mask.go       quotations and code masked
//	cuts.go       where the clauses of a text may end
//	sentences.go  splitting a folded text into sentences
//	verb.go       English verbs: "work" is "works", "using" is "use"
//
// data/README.md describes the files for readers who do not program. Other packages name what they use: [Form]
// and [FormEach] for patterns, [Words] for lists, [Table] for tables, and [Listed] for plain lists. Blocks of
// other kinds, such as rules, are left to package policy.
//
// All exported functions and methods are safe for concurrent use.
package lang
