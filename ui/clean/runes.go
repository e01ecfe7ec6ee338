package clean

import "unicode"

// bidiName returns the visible name of a bidirectional control, or "" for other runes.
func bidiName(r rune) string {
	switch r {
	case '\u202a':
		return "‹LRE›"
	case '\u202b':
		return "‹RLE›"
	case '\u202c':
		return "‹PDF›"
	case '\u202d':
		return "‹LRO›"
	case '\u202e':
		return "‹RLO›"
	case '\u2066':
		return "‹LRI›"
	case '\u2067':
		return "‹RLI›"
	case '\u2068':
		return "‹FSI›"
	case '\u2069':
		return "‹PDI›"
	case '\u200e':
		return "‹LRM›"
	case '\u200f':
		return "‹RLM›"
	case '\u061c':
		return "‹ALM›"
	}
	return ""
}

// invisible reports whether r shows nothing: zero-width characters, soft hyphens,
// filler letters (used to fake names), tags with the selectors and unassigned
// characters near them, annotation and notation controls.
func invisible(r rune) bool {
	switch {
	case r == '\u00ad', r == '\u034f', r == '\u180e', r == '\u200b', r == '\ufeff':
		return true
	case r == '\u115f', r == '\u1160', r == '\u17b4', r == '\u17b5', r == '\u3164', r == '\uffa0':
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0x2060 && r <= 0x206f, r >= 0xfff0 && r <= 0xfffb:
		return true
	case r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// loneJamo reports whether r is a Korean vowel or final, which joins the preceding
// letter. Without a partner, or if older than today's syllables, terminals disagree on
// its width.
func loneJamo(r rune) bool {
	return (r >= 0x1160 && r <= 0x11ff) || (r >= 0xd7b0 && r <= 0xd7ff)
}

// disputed reports whether terminals disagree on the width of r: characters that join
// the next one (number signs and a few letters of old scripts), and code points that
// this program's Unicode version has not assigned. Private use and the Chinese planes
// are not disputed.
func disputed(r rune) bool {
	if r >= 0x20000 && r <= 0x3fffd {
		return false
	}
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r) || unicode.Is(prepended, r) ||
		!unicode.IsGraphic(r) && !unicode.Is(unicode.Co, r)
}

// prepended are the letters that join the next letter. The Unicode property of this
// name has only the signs.
var prepended = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1}, {Lo: 0x1193f, Hi: 0x1193f, Stride: 1},
		{Lo: 0x11941, Hi: 0x11941, Stride: 1}, {Lo: 0x11a3a, Hi: 0x11a3a, Stride: 1},
		{Lo: 0x11a84, Hi: 0x11a89, Stride: 1}, {Lo: 0x11d46, Hi: 0x11d46, Stride: 1},
		{Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}

// joinable reports whether a joiner may follow r: in scripts that need it to spell,
// from Arabic to Sinhala and from Myanmar to Mongolian. Elsewhere a joiner hides data,
// and a terminal may draw the next character into the previous cell.
func joinable(r rune) bool {
	switch {
	case r >= 0x600 && r <= 0xdff, r >= 0x1000 && r <= 0x109f, r >= 0x1780 && r <= 0x18aa, r >= 0xfb50 && r <= 0xfefc:
		return unicode.IsLetter(r)
	}
	return false
}

// symbol reports whether a joiner, a skin tone or a selector may follow r.
func symbol(r rune) bool { return r > 0x7f && (unicode.IsSymbol(r) || r == '\u2139') }
