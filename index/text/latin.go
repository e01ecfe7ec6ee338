package text

import "strings"

// latin returns the end of the word or number that begins at i, or i if there is none.
// The rules, in this order; "between" means with a letter or digit on both sides:
//
//	scheme://…, www.…      a URL, up to white space, quotes, brackets or Chinese
//	/x ~/x ./x ../x @x/y   a path; also a/b/c and a/b.c, but not a/b, which are two words
//	.net .env              a dot before a letter belongs to it when nothing stands before the dot
//	. - ' _ & @            between: join (node.js, gpt-4.1, e-mail, don't, R&D, a@b.c)
//	, : ⁄                  between digits: join (1,000, 10:30, ½)
//	++ + #                 after it: C++, notepad++, A+, C#
func (f *folded) latin(i int) (end int, kind Kind) {
	// Most words are simple: no character of a compound follows.
	if j := f.while(i, inWord); j > i && classOf(f.at(j))&(inPath|inURL) == 0 && f.at(j) != '⁄' {
		return j, f.kind(i, j)
	}
	if j := f.url(i); j > i {
		return j, Word
	}
	if j := f.path(i); j > i {
		return j, f.kind(i, j) // 2026/01/28 is a number
	}
	start := i
	if f.at(i) == '.' && !letter(f.at(i-1)) && f.at(i-1) != '.' && letter(f.at(i+1)) && !digit(f.at(i+1)) {
		i++
	}
	if !letter(f.at(i)) && f.at(i) != '_' {
		return start, Word
	}
	j := f.compound(i)
	if j == i || !f.anyLetter(i, j) {
		return start, Word
	}
	if f.kind(start, j) == Number {
		return j, Number
	}
	return f.suffix(i, j), Word
}

// kind returns Number for a word with digits only, apart from its marks.
func (f *folded) kind(i, j int) Kind {
	for ; i < j; i++ {
		if classOf(f.runes[i])&(inWord|inDigit) == inWord {
			return Word
		}
	}
	return Number
}

// compound consumes letters and the marks that join them.
func (f *folded) compound(i int) int {
	for {
		for letter(f.at(i)) || f.at(i) == '_' {
			i++
		}
		before, after := f.at(i-1), f.at(i+1)
		if !letter(after) || !letter(before) {
			return i
		}
		switch f.at(i) {
		case '.', '-', '\'', '@', '&':
		case ',':
			if !f.thousands(i) {
				return i
			}
		case ':', '⁄':
			if !digit(before) || !digit(after) {
				return i
			}
		default:
			return i
		}
		i++
	}
}

// thousands reports whether the comma at i precedes exactly three digits, and follows
// one.
func (f *folded) thousands(i int) bool {
	return digit(f.at(i-1)) && digit(f.at(i+1)) && digit(f.at(i+2)) && digit(f.at(i+3)) && !letter(f.at(i+4))
}

// suffix includes the signs that belong to a name: C++, C#, A+.
func (f *folded) suffix(i, j int) int {
	single := j == i+1
	switch {
	case f.at(j) == '+' && f.at(j+1) == '+' && (!letter(f.at(j+2)) || single && f.at(i) == 'c') && f.at(j+2) != '+':
		return j + 2
	case single && (f.at(j) == '+' || f.at(j) == '#') && !letter(f.at(j+1)) && f.at(j+1) != f.at(j):
		return j + 1
	}
	return j
}

// url returns the end of the URL that begins at i, or i.
func (f *folded) url(i int) int {
	if letter(f.at(i-1)) || !letter(f.at(i)) {
		return i
	}
	j := i
	for j < i+12 && letter(f.at(j)) && !digit(f.at(j)) {
		j++
	}
	switch {
	case f.at(j) == ':' && f.at(j+1) == '/' && f.at(j+2) == '/':
		j += 3
	case j == i+3 && string(f.runes[i:j]) == "www" && f.at(j) == '.' && letter(f.at(j+1)):
	default:
		return i
	}
	end := f.while(j, inURL)
	if end = f.trim(j, end, ".,;:!?'*~-"); end == j || !f.anyLetter(j, end) {
		return i
	}
	return end
}

// path returns the end of the path that begins at i, or i. A path begins only where the
// preceding character cannot be part of it, so no character is scanned twice.
func (f *folded) path(i int) int {
	if before := f.at(i - 1); before != 0 && (classOf(before)&inPath != 0 || before == '<') {
		return i
	}
	rooted := f.rooted(i)
	if !rooted && !letter(f.at(i)) && f.at(i) != '_' {
		return i
	}
	end := f.trim(i, f.while(i, inPath), "./-~@+")
	slashes, dot := 0, false
	for k := i; k < end; k++ {
		switch f.at(k) {
		case '/':
			slashes, dot = slashes+1, false
		case '.':
			dot = dot || slashes > 0 && letter(f.at(k-1)) && letter(f.at(k+1))
		}
	}
	if f.anyLetter(i, end) && (rooted || slashes > 1 || slashes == 1 && dot) {
		return end
	}
	return i
}

// rooted reports whether a path begins at i: /x ~/x ./x ../x @x/.
func (f *folded) rooted(i int) bool {
	switch f.at(i) {
	case '/':
		return letter(f.at(i + 1))
	case '~':
		return f.at(i+1) == '/'
	case '.':
		return f.at(i+1) == '/' || f.at(i+1) == '.' && f.at(i+2) == '/'
	case '@':
		j := f.run(i+1, func(r rune) bool { return letter(r) || r == '-' || r == '_' })
		return j > i+1 && f.at(j) == '/' && letter(f.at(j+1))
	}
	return false
}

// trim removes trailing sentence punctuation from [i, end).
func (f *folded) trim(i, end int, marks string) int {
	for end > i && strings.ContainsRune(marks, f.at(end-1)) {
		end--
	}
	return end
}

// while returns the end of the run of characters of a class that begins at i.
func (f *folded) while(i int, c class) int {
	for i < len(f.runes) && classOf(f.runes[i])&c != 0 {
		i++
	}
	return i
}

func (f *folded) anyLetter(i, j int) bool {
	for ; i < j; i++ {
		if letter(f.at(i)) {
			return true
		}
	}
	return false
}
