package journal

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/sensitive"
)

const (
	maxSlug      = 32 // characters (J1)
	slugWords    = 5
	maxSlugInput = 4 << 10 // bytes of the source
	shortID      = 8       // characters of an abbreviated id
)

// Slug makes a file name from words: their keywords in kebab case, a-z, 0-9 and -, at
// most 32 characters. If no keyword can be written that way (Chinese, a sign, a
// secret), it is "mem-" and the end of the id (J1).
func Slug(words, id string) string {
	if len(words) > maxSlugInput {
		words = strings.ToValidUTF8(words[:maxSlugInput], "")
	}
	words = strings.ReplaceAll(sensitive.HideSecrets(words), sensitive.Secret, " ")
	out := ""
	n := 0
	for _, k := range text.Keywords(words) {
		k = ascii(k)
		if len(k) < 2 || !strings.ContainsFunc(k, unicode.IsLetter) {
			continue
		}
		switch joined := strings.TrimPrefix(out+"-"+k, "-"); {
		case len(joined) <= maxSlug:
			out = joined
			n++
		case out == "":
			out = strings.TrimRight(k[:maxSlug], "-")
			n++
		}
		if n == slugWords {
			break
		}
	}
	if out == "" {
		return "mem-" + strings.ToLower(id[max(len(id)-shortID, 0):])
	}
	return out
}

// ascii writes a word in a-z and 0-9: without accents, with a - between two parts. It
// returns "" for a word of another script.
func ascii(word string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(strings.ToLower(word)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r):
			return ""
		default:
			gap = true
		}
	}
	return b.String()
}

// The paths of the files (J1).
const (
	// LongTerm is the user's own file.
	LongTerm   = "memory.md"
	recentDir  = "memory"
	summaryDir = "memory/summary"
	extension  = ".md"
)

func verbatimPath(day, slug string) string {
	return path.Join(recentDir, day+"-"+slug+extension)
}

func summaryPath(date string) string { return path.Join(summaryDir, date+extension) }

// numbered returns a variant of a path with a number.
func numbered(p string, n int) string {
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(p, extension), n, extension)
}

// isNumbered reports whether a path is that of a base, or has a number behind it. Other words
// behind it are of the content: a slug has no word without a letter.
func isNumbered(p, base string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(p, extension), strings.TrimSuffix(base, extension))
	number, behind := strings.CutPrefix(rest, "-")
	_, err := strconv.Atoi(number)
	return ok && (rest == "" || behind && err == nil)
}

// ours reports whether the journal could have written a path, so that no path in the
// store can leave its folder.
func ours(p string) bool {
	return p == LongTerm || path.Clean(p) == p && strings.HasSuffix(p, extension) && !strings.ContainsAny(p, "\\\x00") &&
		(path.Dir(p) == recentDir || path.Dir(p) == summaryDir)
}

// kindOf returns the kind of a document; without a valid header it is the user's notes.
func kindOf(d Document) memory.JournalKind {
	switch {
	case d.Kind == memory.JournalVerbatim && validDay(d.Date), d.Kind == memory.JournalDay && validDay(d.Date),
		d.Kind == memory.JournalMonth && validMonth(d.Date):
		return d.Kind
	}
	return memory.JournalOwn
}
