// Package sensitive finds sensitive text in English and Chinese: health, belief, politics, numbers of
// identity documents and the other classes of the table in data (P5a). It is pure: the table is embedded and
// read at first use.
//
// # The table
//
// The table is three text files that can be extended without programming:
//
//	data/sensitive.en.txt   English words and phrases
//	data/sensitive.zh.txt   Chinese words and phrases, in simplified characters
//	data/numbers.txt        numbers, as regular expressions: the same in both languages
//
// A line in brackets begins a class. Every other line is a list of phrases, separated by commas:
//
//	diabetes, high blood pressure      these words in this order; case, accents and 's do not count
//	diagnos*                           a word that begins like that
//	have/has/had stroke                one of several words
//	@have ... stroke                   one of a list, then up to five other words (ten Chinese characters)
//	(a) stroke                         a word that may be missing
//	earn <n>                           a number, in digits or Chinese
//	^ gay                              at the beginning of a sentence
//	@have = have, has, suffer from     makes a list
//	- great depression                 an exception: these words are not looked at in this class
//	- film/book about >                likewise, with the rest of the clause
//	~ \bIBAN ([0-9]+)                  a regular expression; the match is its first group, if it has one
//	~ {month} [0-9]+                   … with a list
//
// Exceptions of the class [any] apply to all classes. No phrase crosses a comma or the end of a
// sentence.
//
// # Evaluation
//
// testdata holds sentences written before the table, with near misses. Print the figures with
//
//	go test ./memory/policy/sensitive -run Sentences -v
package sensitive
