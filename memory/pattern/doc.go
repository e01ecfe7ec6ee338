// Package pattern parses rule files, whose authors need not be programmers, and compiles their patterns.
//
// # Files
//
// A file is a sequence of blocks. A block is a line "KIND NAME" followed by indented lines. A line with deeper
// indentation continues the previous one, joined with a blank. Lines that begin with # are comments. [Parse]
// returns the blocks. [Book.Add] handles the two kinds that are allowed in every file:
//
//	words weekday                     a list of words, separated by commas
//	    Monday, Tuesday, …
//	form appointment                  a named pattern, one alternative per line
//	    [on] {weekday} (morning | evening)
//
// # Notation
//
//	plain words        the words themselves; a run of blanks is one blank
//	(a | b)            one of them
//	[a | b]            one of them, or nothing
//	[a | b]*  (a)+     repeated: any number of times, at least once
//	{name}  {name}*    a list or form; {word}, {digits}, {han}, {gap} and others are predefined
//	<o>                a capture named o: any text, as short as possible; <o+> as long as possible; <o?> may be empty
//	<o: a | b>         a capture of text that matches a or b
//	...                any text, or none (three dots)
//	_                  a blank that is kept even just inside a bracket
//	^  $  \b           beginning, end, word boundary
//	\[                 the character itself
//	/[0-9]{4}/         an expression of package regexp
//
// An optional element includes one adjacent blank: "moved [back] to" matches "moved to" and "moved back to". It is
// the blank before the element, or if there is none the blank after it. Blanks next to a |, and just inside a
// bracket, are ignored.
//
// If a pattern captures the same name twice, the second group is called name_2.
package pattern
