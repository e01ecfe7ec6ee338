// Package clean makes any text safe for a terminal, and measures and wraps it.
//
// It is the display boundary: store and model keep a text as it came, and every
// string from a model, a file, a server or the user passes through [Text] or
// [Line] right before it is shown. Our own colours are written after that, so
// the only escape sequences that reach a terminal are ours.
//
// A text that comes in pieces goes through a [Stream], and what a key sends
// through [Typed].
//
//	any text ── Text / Line ──> safe text ── styles of ours ──> WrapStyled ──> rows
//	                                    └──> Wrap ──────────────────────────> rows
//
// # What Text promises
//
// The output is valid UTF-8 with no control character but newline and tab, no
// bidirectional control, no tag, no variation selector and no invisible
// character except a joiner between letters of the scripts that spell with it
// (Persian and Indic ones). What stood there and could deceive becomes visible:
// control pictures for C0 and DEL, names in ‹› for bidirectional controls, U+FFFD
// for what is no character. What has no picture is dropped and counted. At most
// [MaxMarks] combining marks follow a character. Cleaning twice changes nothing,
// and a newline resets all state, so that cleaning line by line equals cleaning
// the whole.
//
// # Widths
//
// A border at the right of a row stands straight only where this program, the
// library that draws the screen and the terminal count alike. Terminals count
// code points or grapheme clusters: one draws 👩‍💻 in two cells, another advances
// by four. Whether a terminal counts clusters (mode 2027) is known only after it
// was asked, so Text shows what both count alike, which tests hold true, for
// terminals by asking tmux: the parts of joined emoji, without joiners, skin
// tones and presentation selectors; U+FFFD for signs that join the one after
// them, for Korean letters that join none, and for what Unicode had not assigned
// when this program was built, new emoji among them.
//
// Three things remain. Spacing vowel signs of Indic scripts are counted by some
// terminals and not by others; nothing can be dropped there without changing the
// word. Trigrams and hexagrams (☰, ䷀) were one cell wide until Unicode 16 made
// them two. Characters of ambiguous width (—, …, “, │) are one cell wide here, as
// in every terminal that was not told otherwise.
//
// # Wrapping
//
// [Wrap] breaks Latin and Korean between words and Chinese and Japanese between
// characters, with the usual prohibitions (kinsoku): no closing punctuation at
// the start of a line and no opening bracket at its end. Straight quotes open and
// close by turns. A word that is longer than a row, such as an address, is cut,
// where it can be without breaking these rules. It never splits a grapheme
// cluster and drops only spaces, at breaks. [WrapStyled] does the same for text
// that carries our SGR sequences and carries the style across rows; [CutStyled]
// cuts code where a row is full and drops nothing.
//
// # Testing
//
// Package oracle reads what a terminal would and knows only our own sequences;
// every sink is tested with it. Fuzz targets: FuzzText, FuzzWrap, FuzzStream,
// FuzzURL.
//
// All functions are pure and safe for concurrent use.
package clean
