// Package clean makes any text safe for a terminal, and measures and wraps it.
//
// It is the display boundary: the store and the model keep a text as received, and every
// string from a model, a file, a server or the user passes through [Text] or [Line] right
// before it is shown. Our own colours are added afterwards, so the only escape sequences
// that reach a terminal are ours.
//
// A text that arrives in pieces goes through a [Stream], and a pressed key through [Typed].
//
//	any text ── Text / Line ──> safe text ── styles of ours ──> WrapStyled ──> rows
//	                                    └──> Wrap ──────────────────────────> rows
//
// # What Text promises
//
// The output is valid UTF-8. It has no control characters except newline and tab, no
// bidirectional controls or tags, and no invisible characters except a joiner between
// letters of the scripts that spell with it (Persian and Indic ones), and joiners and
// selectors inside an emoji ([MaxJoined]).
// Characters that could deceive are made visible: C0 and DEL as control pictures,
// bidirectional controls as names in ‹›, non-characters as U+FFFD. Others are dropped and
// counted. At most [MaxMarks] combining marks follow a character. Cleaning is idempotent.
// A newline resets all state, so cleaning line by line equals cleaning the whole.
//
// # Widths
//
// A border at the right of a row is straight only if this program, the library that draws
// the screen and the terminal agree on widths. Terminals count either code points or
// grapheme clusters: one draws 👩‍💻 in two cells, another advances by four. Whether a
// terminal counts clusters (mode 2027) is known only after a query. So Text emits only
// what both count alike; tests check this by asking tmux. Joined emoji are split into
// their parts, without joiners, skin tones and presentation selectors. Under [Join], for
// lines without a border and for a screen whose terminal has said that it counts clusters
// (until then it holds [Split]), a joined emoji of the Unicode standard stays as written, if
// all of it is one cluster of two cells: families, couples, people at work, and a few more.
// Other pictographs are split, since two cells would hide all but the first. A joiner in any
// other place goes. A single emoji has no selector, which changes its width. U+FFFD replaces
// signs that join the next character, Korean letters without a partner, and code points
// that Unicode had not assigned when this program was built, new emoji among them.
//
// Three differences remain. Spacing vowel signs of Indic scripts are counted by some
// terminals and not by others; dropping them would change the word. Trigrams and
// hexagrams (☰, ䷀) were one cell wide until Unicode 16 made them two. Characters of
// ambiguous width (—, …, “, │) are one cell wide here, as in every terminal with default
// settings.
//
// # Wrapping
//
// [Wrap] breaks Latin and Korean between words and Chinese and Japanese between
// characters, with the usual prohibitions (kinsoku): no closing punctuation at the start
// of a line and no opening bracket at its end. Straight quotes open and close by turns. A
// word longer than a row, such as an address, is cut, if possible without breaking these
// rules. Wrap never splits a grapheme cluster and drops only spaces at breaks.
// [WrapStyled] does the same for text with our SGR sequences and carries the style across
// rows. [CutStyled] cuts code at the width and drops nothing.
//
// # Testing
//
// Package oracle reads output as a terminal does and accepts only our own sequences;
// every sink is tested with it. Fuzz targets: FuzzText, FuzzWrap, FuzzStream, FuzzURL.
//
// All functions are safe for concurrent use, and pure but for [Join] and [Split].
package clean
