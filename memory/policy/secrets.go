package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"memoria/memory/pattern"
	"memoria/memory/policy/sensitive"
)

// Span marks a part of a text: Offset and Length in bytes, and its kind.
type Span struct {
	Offset int
	Length int
	Kind   string
}

// A detector finds one kind of span: group 1 of its expression, or all of it. ok, if set, verifies a match.
type detector struct {
	kind   string
	re     pattern.Pattern
	ok     func(found string) bool
	digits bool // requires a digit in the line
}

func detects(kind, re string, ok func(string) bool) detector {
	return detector{kind: kind, re: pattern.Regexp(re), ok: ok}
}

// numeric is detects for kinds that always contain a digit.
func numeric(kind, re string, ok func(string) bool) detector {
	return detector{kind: kind, re: pattern.Regexp(re), ok: ok, digits: true}
}

// maxScan bounds the bytes of a text that detectors read. Items are far below it, and the time for a
// message stays in tens of milliseconds.
const maxScan = 64 << 10

// Secrets finds content that must never become a memory (P5): private keys, keys and tokens of known
// services, anything named as a password, pin or key, and payment card numbers with a valid check digit.
// Spans are in order and do not overlap. It reads only the first 64 KiB.
func Secrets(s string) []Span { return detect(s, secretDetectors()) }

// SecretKinds returns the distinct kinds of secrets in a text, such as "password".
func SecretKinds(s string) (kinds []string) {
	for _, sp := range Secrets(s) {
		if !slices.Contains(kinds, sp.Kind) {
			kinds = append(kinds, sp.Kind)
		}
	}
	return kinds
}

// Leaks reports whether a text contains a secret, or repeats one from said: a password or number named
// there need not be named again.
func Leaks(said, repeated string) bool {
	return len(Secrets(repeated)) > 0 || repeats(secretWords(said), repeated)
}

// leastSecret is the minimum length in bytes of a recognisable secret.
const leastSecret = 4

// secretWords returns the secrets of a text that cannot be common words: those with more than
// letters.
func secretWords(s string) (out []string) {
	for _, at := range Secrets(s) {
		w := s[at.Offset : at.Offset+at.Length]
		if len(w) >= leastSecret && strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			out = append(out, w)
		}
	}
	return out
}

func repeats(secrets []string, s string) bool {
	return slices.ContainsFunc(secrets, func(w string) bool { return containsWords(s, w) })
}

var secretDetectors = sync.OnceValue(func() []detector {
	return []detector{
		detects("private key",
			`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----`+
				`(?:[^-]*-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?`, nil),
		detects("private key", `AGE-SECRET-KEY-1[0-9A-Z]{20,}`, nil),
		numeric("api key", `\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or|svcacct)?[-_]?[A-Za-z0-9_-]{16,}`, hasDigit),
		detects("token",
			`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|`+
				`npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{40,}|`+
				`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})`, nil),
		detects("cloud key",
			`\b(?:A(?:KIA|SIA)[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z_-]{20,}|`+
				`LTAI[0-9A-Za-z]{12,}|AKID[0-9A-Za-z]{20,})`, nil),
		detects("token", `\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+`, nil),
		numeric("token", `(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{16,})`, hasDigit),
		detects("password", `\b[a-z][a-z0-9+.-]*://[^\s/:@]+:([^\s/@]+)@`, nil),
		numeric("card number", `(?:^|[^\d.-])((?:\d[ -]?){12,18}\d)(?:$|[^\d])`, cardNumber),
		detects("password",
			`(?i)\b(?:pass(?:word|phrase|code|wd)?|pwd|passwd|pin(?: code| number)?|cvv|cvc|otp)\b`+
				`(?:[ \w'-]{0,40}?)?(?:\s+(?:is|was)(?: now)?:?\s+|\s*[:=]\s*)["'“]?([^\s"'”,]{3,})`, secretWord),
		detects("secret",
			`(?i)\b(?:api|secret|access|private|encryption|license|recovery|signing)[ _-]?(?:key|token|code|phrase)s?\b`+
				`(?:[ \w'-]{0,30}?)?(?:\s+(?:is|was)(?: now)?:?\s+|\s*[:=]\s*)["'“]?([^\s"'”,]{6,})`, secretWord),
		numeric("secret",
			`(?i)\b(?:(?:auth|access|refresh|bot|session|bearer)[ _-]?)?token\b`+
				`(?:\s+(?:is|was):?\s+|\s*[:=]\s*)["'“]?([^\s"'”,]{8,})`, hasDigit),
		detects("recovery phrase",
			`(?i)\b(?:seed|recovery|mnemonic|backup) (?:phrase|words)\b`+
				`[^.\n]{0,20}?(?:is|are|:)\s*((?:[a-z]{3,8}[ ,]+){5,}[a-z]{3,8})`, nil),
		detects("password",
			`(?:密码|密碼|口令|暗号|暗號|验证码|驗證碼|pin码)[^\n。，,:：=是为為]{0,8}?`+
				`(?:是|为|為|[:：=])\s*["'“「]?([A-Za-z0-9!-/:-@\[-`+"`"+`{-~]{3,}|[^\s，。,;；"'”」]{2,24})`, secretWordHan),
		detects("secret",
			`(?i)(?:密钥|密鑰|私钥|私鑰|助记词|助記詞|令牌|安全码|token|api ?key|secret)[^\n。，,:：=是为為]{0,8}?`+
				`(?:是|为|為|[:：=])\s*["'“「]?([A-Za-z0-9!-~]{6,}|[\p{Han}]{2}(?:[ ]\p{Han}{2}){4,})`, hasDigitOrHan),
	}
})

// PII finds personal data (P5) and content of sensitive classes (P5a): see package sensitive. Kind is the
// class. If words make the rest of a clause sensitive, the span includes the rest.
func PII(s string) []Span {
	var out []Span
	for _, m := range sensitive.Find(s) {
		lo, hi := m.Offset, m.Offset+m.Length+m.Rest
		if n := len(out); n > 0 && lo < out[n-1].Offset+out[n-1].Length {
			out[n-1].Length = max(out[n-1].Length, hi-out[n-1].Offset)
			continue
		}
		out = append(out, Span{lo, hi - lo, m.Class})
	}
	return out
}

func detect(s string, detectors []detector) []Span {
	s = s[:min(len(s), maxScan)]
	var found []Span
	for lo := 0; lo < len(s); {
		n := chunkEnd(s[lo:])
		found = detectLine(found, s[lo:lo+n], lo, detectors)
		lo += n
	}
	slices.SortStableFunc(found, func(a, b Span) int { return cmp.Compare(a.Offset, b.Offset) })
	return merge(found)
}

// chunkEnd returns the length of the first line of s, or of all of s if it contains a key block.
func chunkEnd(s string) int {
	end := strings.IndexByte(s, '\n') + 1
	if end == 0 {
		return len(s)
	}
	if strings.Contains(s[:end], "-----BEGIN ") {
		if i := strings.Index(s[end:], "-----END "); i >= 0 {
			end += i
			return end + max(0, strings.IndexByte(s[end:]+"\n", '\n'))
		}
	}
	return end
}

// detectLine scans one line, which begins at byte base of the text.
func detectLine(found []Span, s string, base int, detectors []detector) []Span {
	lower := strings.ToLower(s)
	digit := hasDigit(s)
	for _, d := range detectors {
		if d.digits && !digit || !d.re.PossibleLower(lower) {
			continue
		}
		for _, m := range d.re.Regexp().FindAllStringSubmatchIndex(s, -1) {
			lo, hi := m[0], m[1]
			if len(m) > 2 && m[2] >= 0 {
				lo, hi = m[2], m[3]
			}
			hi = lo + len(strings.TrimRight(s[lo:hi], ".!?。！？ \n"))
			if hi > lo && (d.ok == nil || d.ok(s[lo:hi])) {
				found = append(found, Span{base + lo, hi - lo, d.kind})
			}
		}
	}
	return found
}

// merge joins overlapping spans and keeps the first one's kind.
func merge(spans []Span) []Span {
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.Offset < out[n-1].Offset+out[n-1].Length {
			out[n-1].Length = max(out[n-1].Length, s.Offset+s.Length-out[n-1].Offset)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Redacted replaces personal data, Secret replaces a secret.
const (
	Redacted = "•••"
	Secret   = "[secret]"
)

// Redact replaces each span from [Secrets] or [PII] of s by [Redacted].
func Redact(s string, spans []Span) string {
	return replaceSpans(s, spans, func(Span) string { return Redacted })
}

// HideSecrets replaces each secret in s, and each repetition of a secret in said, by [Secret].
func HideSecrets(s string, said ...string) string {
	var words []string
	for _, text := range said {
		words = append(words, secretWords(text)...)
	}
	return hideWords(s, words)
}

func hideWords(s string, words []string) string {
	s = replaceSpans(s, Secrets(s), func(Span) string { return Secret })
	for _, w := range words {
		for range maxRepeats {
			lo, hi, ok := foldedIndex(s, w)
			if !ok {
				break
			}
			s = s[:lo] + Secret + s[hi:]
		}
	}
	return s
}

// maxRepeats bounds the hidden repetitions of one secret.
const maxRepeats = 20

// Blank replaces secret and sensitive content by blanks.
func Blank(s string) string {
	blanks := func(sp Span) string { return strings.Repeat(" ", sp.Length) }
	s = replaceSpans(s, Secrets(s), blanks)
	return replaceSpans(s, PII(s), blanks)
}

func replaceSpans(s string, spans []Span, with func(Span) string) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	end := 0
	for _, sp := range spans {
		b.WriteString(s[end:sp.Offset])
		b.WriteString(with(sp))
		end = sp.Offset + sp.Length
	}
	b.WriteString(s[end:])
	return b.String()
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func hasDigitOrHan(s string) bool { return hasDigit(s) || strings.Contains(s, " ") }

// notSecret are words that may follow "my password is" without being one.
var notSecret = wordSet(`
	a again always an and asking at being blank broken changed compromised correct displayed due empty encrypted
	expired forgotten getting good gone hard hashed i ignored in incorrect invalid it just kept leaked long lost
	missing my never no not null on out our rejected required reset right rotated safe saved secure short shown so
	still stolen stored strong that the there this to too undefined unknown used valid very weak working wrong
	your`)

// secretWord accepts possible passwords: any word except those that describe one.
func secretWord(s string) bool {
	return s != Secret && !notSecret[strings.ToLower(strings.Trim(s, ".!?'\"()"))]
}

var notSecretHan = pattern.Regexp(`^(?:什么|什麼|多少|啥|哪|谁|誰|错|錯|对的|對的|不|忘|正确|正確|弱|强|強|必须|必須` +
	`|一个|一個|用来|用來|怎|空|很|太|最|在|由|为了|為了|我|他|她|你)`)

func secretWordHan(s string) bool {
	return !notSecretHan.Match(s) && secretWord(s)
}

// cardNumber accepts 13–19 digits that begin like a payment card's and pass the Luhn check (ISO/IEC 7812-1).
func cardNumber(s string) bool {
	sum, n := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		c := s[i]
		if c < '0' || c > '9' {
			continue
		}
		d := int(c - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		n++
	}
	return n >= 13 && n <= 19 && sum%10 == 0 && strings.ContainsRune("23456", rune(s[0]))
}
