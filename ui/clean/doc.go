// Package clean makes any text safe for a terminal, and measures and wraps it.
//
// It is the display boundary: store and model keep a text as it came, and every
// string from a model, a file, a server or the user passes through [Text] or
// [Line] right before it is shown. Our own colours are written after that, so
// the only escape sequences that reach a terminal are ours.
//
// A text that comes in pieces goes through a [Stream].
//
//	any text ── Text / Line ──> safe text ── styles of ours ──> WrapStyled ──> rows
//	                                    └──> Wrap ──────────────────────────> rows
//
// # What Text promises
//
// The output is valid UTF-8 with no control character but newline and tab, no
// bidirectional control, no tag, no variation selector and no invisible
// character except a joiner between letters (Persian and Indic scripts need
// it). What stood there and could deceive becomes visible: control pictures for
// C0 and DEL, names in ‹› for bidirectional controls. What has no picture is
// dropped and counted. At most [MaxMarks] combining marks follow a character.
// Cleaning twice changes nothing, and a newline resets all state, so that
// cleaning line by line equals cleaning the whole.
//
// # Emoji
//
// Terminals disagree about the width of emoji that are built from several code
// points: one draws 👩‍💻 in two cells, another advances by four, and then the
// border at the right of that row is off by two or gone. Text therefore shows
// the parts: joiners between emoji, skin tones and presentation selectors go,
// and what remains is as wide counted by code points as by grapheme clusters,
// which the tests hold true. Spacing vowel signs of Indic scripts remain where
// terminals differ; nothing can be dropped there without changing the word.
//
// # Wrapping
//
// [Wrap] breaks Latin and Korean between words and Chinese and Japanese between
// characters, with the usual prohibitions (kinsoku): no closing punctuation at
// the start of a line and no opening bracket at its end. It never splits a
// grapheme cluster and drops only spaces, at breaks. [WrapStyled] does the same
// for text that carries our SGR sequences and carries the style across rows.
//
// All functions are pure and safe for concurrent use.
package clean
