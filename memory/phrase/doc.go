// Package phrase searches a text for the phrases of a list. A list is a plain text file, which people who
// do not program can extend: one phrase per line, "#" begins a comment.
//
//	let's/lets play          a slash separates alternative words
//	stop [the] game          square brackets enclose optional words
//	(i'm/i am) done          round brackets enclose alternatives of several words
//	what do you think … mail a gap: any text within the sentence, up to gapLength characters
//	translat*                a star matches any ending: translate, translating
//	把 … 翻成/译成             blanks are optional next to Chinese characters
//
// A gap is written as the one character …, not as three dots. Matching ignores case and the forms of
// apostrophes, colons and commas. Latin words match as whole words. The package is pure.
package phrase
