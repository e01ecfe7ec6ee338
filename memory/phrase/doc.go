// Package phrase finds phrases of a word list in a text. A list is a plain text file that needs no
// programmer to read or extend it: one phrase a line, "#" begins a comment.
//
//	let's/lets play          a slash separates words that may stand in one place
//	stop [the] game          square brackets hold words that may be missing
//	(i'm/i am) done          round ones join alternatives of several words
//	what do you think … mail three dots stand for anything within the sentence, up to gapLength characters
//	translat*                a star ends a word that may go on: translate, translating
//	把 … 翻成/译成             in Chinese a blank may be left out
//
// Case does not count, nor does the form of an apostrophe. Latin words match as whole words. The package is
// pure: it reads only what it is given.
package phrase
