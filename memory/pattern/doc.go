// Package pattern reads rule files that people write who do not program, and compiles their patterns.
//
// # Files
//
// A file is made of blocks. A block begins with a line "KIND NAME"; its other lines are indented. A line that is
// indented further continues the one before it, joined with a blank. Lines that begin with # are comments. [Parse]
// reads the blocks; [Book.Add] takes the two kinds that every file may have:
//
//	words weekday                     a list of words, with commas between them
//	    Monday, Tuesday, …
//	form appointment                  a pattern with a name, an alternative a line
//	    [on] {weekday} (morning | evening)
//
// # Notation
//
//	plain words        themselves; a blank is one blank
//	(a | b)            one of them
//	[a | b]            one of them or neither
//	[a | b]*  (a)+     as often as one likes
//	{name}  {name}*    a list or form; {word} {digits} {han} {gap} and some others are built in
//	<o>                an object: any words, as few as possible; <o+> as many as possible; <o?> perhaps none
//	<o: a | b>         an object that must look like this
//	...                anything
//	_                  a blank that stays, where a blank next to a bracket would not
//	^  $  \b           beginning, end, edge of a word
//	\[                 the sign itself
//	/[0-9]{4}/         an expression of package regexp
//
// What may be left out takes a blank along: "moved [back] to" is said as "moved to" and "moved back to". The blank is
// the one before it, or the one after it where there is none before. Blanks inside of brackets next to them or to a
// bar mean nothing.
//
// A name may be captured twice in one pattern; the second is the group name_2.
package pattern
