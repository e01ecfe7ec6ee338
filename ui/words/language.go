package words

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"

	"memoria/ui/config"
)

// Language is a language of the interface. The zero value is English.
type Language config.Language

// The languages.
const (
	English = Language(config.LanguageEnglish)
	Chinese = Language(config.LanguageChinese)
)

// Words is the wording of nouns in a language. The language belongs to a run of the program
// and not to the process, because a process also serves runs of other users' terminals. The
// zero value speaks English.
type Words struct{ Language }

// In returns the wording in a language.
func In(l config.Language) Words { return Words{Language(l)} }

// The catalogues: every message of the nouns and the actions, by its id.
var (
	//go:embed english.txt
	englishText string
	//go:embed chinese.txt
	chineseText string
	//go:embed sentences.zh.txt
	sentencesText string
	//go:embed settings.zh.txt
	settingsText string

	english     = read(englishText, " ")
	chinese     = read(chineseText, "") // Chinese is written without spaces between words
	settingHelp = read(settingsText, "")
	sentences   = readSentences(sentencesText)
)

// message returns a message in the language; ok is false when no catalogue has it.
func (l Language) message(id string) (text string, ok bool) {
	if l == Chinese {
		if text, ok = chinese[id]; ok {
			return text, true
		}
	}
	text, ok = english[id]
	return text, ok
}

// Translate returns a sentence that a package below this one wrote in English, or stored
// with a memory. A sentence without a translation is returned as it is. The translation is
// for the eye alone: nothing is decided by it.
func (l Language) Translate(sentence string) string {
	if l != Chinese || sentence == "" {
		return sentence
	}
	if said, ok := sentences.exact[sentence]; ok {
		return said
	}
	if all, ok := choices()[sentence]; ok {
		return strings.Join(all, l.Say("sep.list"))
	}
	if m := between.FindStringSubmatch(sentence); m != nil {
		return l.Say("setting.between", m[1], m[2])
	}
	if strings.Contains(sentence, "; ") { // before a pattern takes the rest for its own
		if said := l.joined(sentence); said != sentence {
			return said
		}
	}
	for _, p := range sentences.patterns {
		if parts, ok := p.match(sentence); ok {
			for i, part := range parts {
				parts[i] = l.Translate(part)
			}
			return fill(p.said, parts)
		}
	}
	if stem, ok := strings.CutSuffix(sentence, "."); ok {
		if said := l.Translate(stem); said != stem {
			return said + l.Say("sep.stop")
		}
	}
	return l.joined(sentence)
}

// between matches the bounds of a number or a duration.
var between = regexp.MustCompile(`^([0-9.]+[a-z]*) to ([0-9.]+[a-z]*)$`)

// joined translates reasons that were joined, if it knows all of them.
func (l Language) joined(sentence string) string {
	for _, mark := range []struct{ english, chinese string }{{" · ", " · "}, {"; ", "；"}, {", ", "，"}} {
		parts := strings.Split(sentence, mark.english)
		known := len(parts) > 1
		for i := 0; known && i < len(parts); i++ {
			said := l.Translate(parts[i])
			known = said != parts[i]
			parts[i] = said
		}
		if known {
			return strings.Join(parts, mark.chinese)
		}
	}
	return sentence
}

// read reads a catalogue. A line is "id: text", where a text in quotes is a Go string; a
// line that begins with a tab continues the one before, behind joint; others are comments.
func read(catalogue, joint string) map[string]string {
	messages := map[string]string{}
	for l := range strings.Lines(strings.ReplaceAll(catalogue, "\n\t", joint)) {
		id, text, ok := strings.Cut(strings.TrimSuffix(l, "\n"), ": ")
		if !ok || l[0] == '#' {
			continue
		}
		if quoted, err := strconv.Unquote(text); err == nil {
			text = quoted
		}
		messages[id] = text
	}
	return messages
}

// phrasebook are the translations of sentences, those with gaps as patterns.
type phrasebook struct {
	exact    map[string]string
	patterns []pattern
}

// pattern is a sentence with gaps, and its translation, where $1 is the first gap.
type pattern struct {
	fixed []string // the words around the gaps
	said  string
}

// arrow is between a sentence and its translation.
const arrow = " ⇒ "

// readSentences reads translations, one a line: "proposed by * ⇒ 由 $1 提议".
func readSentences(text string) (b phrasebook) {
	b.exact = map[string]string{}
	escapes := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	for l := range strings.Lines(text) {
		l = escapes.Replace(l)
		english, said, ok := strings.Cut(strings.TrimSuffix(l, "\n"), arrow)
		switch {
		case !ok || l[0] == '#':
		case strings.Contains(english, "*"):
			b.patterns = append(b.patterns, pattern{strings.Split(english, "*"), said})
		default:
			b.exact[english] = said
		}
	}
	return b
}

// match returns what is in the gaps of a sentence.
func (p pattern) match(sentence string) (gaps []string, ok bool) {
	rest, ok := strings.CutPrefix(sentence, p.fixed[0])
	for _, fixed := range p.fixed[1:] {
		at := strings.Index(rest, fixed)
		if fixed == "" {
			at = len(rest)
		}
		if !ok || at < 0 {
			return nil, false
		}
		gaps, rest = append(gaps, rest[:at]), rest[at+len(fixed):]
	}
	return gaps, ok && rest == ""
}

// gap is the place of a text in a translation.
var gap = regexp.MustCompile(`\$[1-9]`)

// fill puts texts into the gaps of a translation.
func fill(said string, gaps []string) string {
	return gap.ReplaceAllStringFunc(said, func(g string) string {
		if i := int(g[1] - '1'); i < len(gaps) {
			return gaps[i]
		}
		return ""
	})
}
