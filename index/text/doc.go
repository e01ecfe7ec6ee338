// Package text splits Chinese and English text into words, for indexing, queries and
// display. Its functions are pure and safe for concurrent use. It imports no other
// package of this program.
//
// # Four views of a text
//
//	Fold      the text without the differences that searches ignore (width, case, accents, script)
//	Tokens    the positions of the words, in the original's bytes
//	Words     the terms an index scores by: folded, stemmed, without stop words, long words with their parts
//	Grams     the terms an index finds by: every Chinese, Japanese or Korean character, and every pair
//
// There are two more for queries: Keywords returns a message's meaningful words as
// written, for display; QueryTerms returns the same words in the form of Words, for
// searching. QueryTerms(s) is a subset of Words(s) for every s, so repeating a text
// finds it. Words match fewer places than Grams, since a segmenter cuts one character
// sequence differently in different contexts. But they say more about the topic, so an
// index holds both.
//
// Translate finds the words and phrases of a text in an English–Chinese table, with
// their translations (R13).
//
// Frequency returns how common a Chinese word is, for weighing the overlap of two
// texts.
//
// Dates reads the time that a question names, by rule ("last March", 上周三): a table of forms for each
// language (date_english.go, date_chinese.go) over the folded text.
//
// # How a text is cut
//
// A text is folded rune by rune, with the position of each rune (fold.go). It is split
// into runs of one script (scan.go). Han runs follow the most probable path over a
// dictionary (segment.go, dict.go). Latin runs follow rules for compounds: C++, .NET,
// node.js, e-mail addresses, URLs, paths, version numbers (latin.go).
//
// # Data
//
// The dictionary and the character table are packed files searched in place: nothing is
// parsed or built at program start. internal/gendict writes them; DICT-LICENSE names
// their sources. The lists of stop words and irregular English forms and the table of
// translations are plain text in data/, read at first use.
package text

//go:generate go run ./internal/gendict -dict $GSE/data/dict/zh/s_1.txt -ts $OPENCC/data/TSCharacters.txt -out data
