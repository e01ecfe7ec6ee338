// Package text turns what people write, Chinese and English in one sentence, into words: for an index to
// store, for a query to look up, for a reader to see. It consists of pure functions, safe for concurrent
// use, and imports nothing of this program.
//
// # Four views of a text
//
//	Fold      the text with the differences gone that nobody searches by (width, case, accents, script)
//	Tokens    where the words are, in the original's bytes
//	Words     what an index scores by: folded, stemmed, without stop words, long words with their parts
//	Grams     what an index finds by: every Chinese, Japanese or Korean character, and every pair
//
// and two for a message that asks for something: Keywords are its meaningful words as they were written,
// to be shown; QueryTerms are the same words in the form that Words gives them, to be searched.
// QueryTerms(s) is a subset of Words(s) for every s, so what a person has written can be found by writing
// it again. Words find fewer places than Grams (a segmenter cuts one character sequence differently in
// different surroundings) but say more about what a text is about, so an index holds both.
//
// Translate finds the words and phrases of a text that a table of English and Chinese words has, with their
// translations (R13).
//
// Frequency says how common a Chinese word is, for weighing what two texts have in common.
//
// Dates reads the time that a question names, by rule ("last March", 上周三): a table of forms for each
// language (date_english.go, date_chinese.go) over the folded text.
//
// # How a text is cut
//
// A text is folded rune by rune with the place of each rune remembered (fold.go); runs of one script are
// cut out of that (scan.go); Han runs go through the most probable path over a dictionary (segment.go,
// dict.go), and Latin runs through the rules for compounds: C++, .NET, node.js, e-mail addresses, URLs,
// paths, version numbers (latin.go).
//
// # Data
//
// The dictionary and the character table are packed files searched in place: nothing is parsed or built
// when the program starts. internal/gendict writes them; DICT-LICENSE names where they come from. The
// lists of stop words and irregular English forms and the table of translations are plain text in data/, read
// at first use.
package text

//go:generate go run ./internal/gendict -dict $GSE/data/dict/zh/s_1.txt -ts $OPENCC/data/TSCharacters.txt -out data
