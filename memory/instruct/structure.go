package instruct

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
)

// structure recognises instructions by their structure, from data/en.txt and data/zh.txt.
type structure struct {
	says []saying
	not  map[Kind][]pattern.Pattern // patterns that no sentence of a kind contains
	// noise has no meaning, remark gives a reason after an instruction. notObject is never an object, notNew
	// never the new value of a correction. stated is a separate sentence.
	noise, remark, notObject, notNew, stated, never, tail pattern.Pattern
	chinese                                               bool
}

// saying is one sentence of a kind.
type saying struct {
	means Instruction // without its words
	whole pattern.Pattern
}

// meant parses the text after "says": a kind, and what it means.
func meant(words string) (in Instruction) {
	fields := strings.Fields(words)
	in.Kind = Kind(fields[0])
	for i, w := range fields[1:] {
		switch w {
		case "all":
			in.All = true
		case "either":
			in.Either = true
		case "again":
			in.Again = true
		case "unsure":
			in.Unsure = true
		case "careful":
			in.Unsure, in.Careful = true, true
		case "type":
			in.Type = memory.Type(strings.Join(fields[i+2:], " "))
			return in
		default:
			panic("instruct: a block says " + words + ", which means nothing")
		}
	}
	return in
}

// english and chinese are made at first use.
var (
	english = sync.OnceValue(func() *structure { return newStructure("en") })
	chinese = sync.OnceValue(func() *structure { return newStructure("zh") })
)

func newStructure(code string) *structure {
	book, rest := blocks(code + ".txt")
	s := &structure{
		noise: book.Whole("{noise}"), remark: book.Whole("{remark}"), notObject: book.Pattern("{notObject}"),
		notNew: book.Pattern("{notNew}"), stated: book.Pattern("{stated}"), never: book.Pattern("{never}"),
		chinese: code == "zh", not: map[Kind][]pattern.Pattern{},
	}
	if s.tail = book.End("(_{tail})+"); s.chinese {
		s.tail = pattern.Pattern{} // its particles may be part of a word
	}
	for _, b := range rest {
		if b.Kind == "never" {
			for _, line := range b.Lines {
				s.not[Kind(b.Name)] = append(s.not[Kind(b.Name)], book.Pattern(line.Text))
			}
			continue
		}
		for _, line := range b.Lines {
			notation := "{lead}* (" + line.Text + ") {tail}*"
			if s.chinese {
				notation = "{lead}*(" + line.Text + "){tail}*"
			}
			s.says = append(s.says, saying{means: meant(b.Name), whole: book.Whole(notation)})
		}
	}
	return s
}

// flat is a plain text without its pauses.
type flat struct {
	text  string
	at    []int // the byte of the plain text for each byte
	parts [][2]int
	asked []bool // whether a part ends in a question mark
}

// newFlat removes the pauses, which end parts, and in Chinese the blanks next to Chinese characters.
func newFlat(p plain, said string, chinese bool) (f flat) {
	var b []byte
	lo := 0
	end := func(i int) {
		for len(b) > lo && b[len(b)-1] == ' ' {
			b, f.at = b[:len(b)-1], f.at[:len(f.at)-1]
		}
		if len(b) > lo {
			f.parts = append(f.parts, [2]int{lo, len(b)})
			f.asked = append(f.asked, i < len(p.from) && askMark(said[p.from[i]:]))
		}
	}
	for i := 0; i < len(p.text); {
		r, size := utf8.DecodeRuneInString(p.text[i:])
		switch {
		case r == ',' || r == '.':
			end(i)
			if len(b) > 0 && b[len(b)-1] != ' ' && !(chinese && text.CJK(lastRune(string(b)))) {
				b, f.at = append(b, ' '), append(f.at, i)
			}
			lo = len(b)
		case r == ' ' && (len(b) == lo || chinese && (beside(p.text, i) || text.CJK(lastRune(string(b))))):
		default:
			for k := range size {
				b, f.at = append(b, p.text[i+k]), append(f.at, i+k)
			}
		}
		i += size
	}
	end(len(p.text))
	f.text = string(b)
	return f
}

// askMark reports whether a text begins with a question mark.
func askMark(s string) bool { return strings.HasPrefix(s, "?") || strings.HasPrefix(s, "？") }

// crosses reports whether f.text[lo:hi] has words of two parts.
func (f flat) crosses(lo, hi int) bool {
	return slices.ContainsFunc(f.parts, func(p [2]int) bool { return lo < p[1] && p[1] < hi })
}

// ends reports whether a part ends at i, before hi.
func (f flat) ends(i, hi int) bool {
	return slices.ContainsFunc(f.parts, func(p [2]int) bool { return p[1] == i && i < hi })
}

// beside reports whether a Chinese character follows the blank at i.
func beside(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i+1:])
	return text.CJK(r)
}

// particles may end a Chinese sentence without meaning.
const particles = "啦喇吧呀啊哦喔嘛咯呢哈"

const (
	maxParts = 8 // of a message read by its structure
	maxSpan  = 4 // maximum parts of one sentence
)

// read returns the instruction of a message, if it is nothing else.
func (s *structure) read(p plain, said string) (in Instruction, ok bool) {
	f := newFlat(p, said, s.chinese)
	if len(f.parts) == 0 || len(f.parts) > maxParts || s.never.Match(f.text) {
		return in, false
	}
	h, ok := s.cover(f, 0, heard{})
	if !ok {
		return in, false
	}
	in = h.Instruction
	in.Chinese = s.chinese
	words := func(name string) string {
		place, ok := h.places[name]
		if !ok {
			return ""
		}
		lo, hi := p.source(f.at[place[0]], f.at[place[1]-1]+1)
		if s.chinese {
			return strings.TrimRight(strings.TrimSpace(said[lo:hi]), particles)
		}
		return strings.TrimSpace(said[lo:hi])
	}
	in.Object, in.Old, in.New = words("o"), words("old"), slipBehind.ReplaceAllString(words("new"), "")
	return in, true
}

// heard is an instruction with the places of its words, by field name.
type heard struct {
	Instruction
	places map[string][2]int
}

// cover reads the parts of a message from the i-th; found is the result for earlier parts.
func (s *structure) cover(f flat, i int, found heard) (heard, bool) {
	if i == len(f.parts) {
		return found, found.Kind != ""
	}
	for n := min(maxSpan, len(f.parts)-i); n > 0; n-- {
		if h, ok := s.sentence(f, f.parts[i][0], f.parts[i+n-1][1]); ok {
			if out, ok := s.cover(f, i+n, stronger(found, h)); ok {
				return out, true
			}
		}
	}
	part := f.text[f.parts[i][0]:f.parts[i][1]]
	if s.noise.Match(part) || found.Kind != "" && !f.asked[i] && s.remark.Match(part) {
		return s.cover(f, i+1, found)
	}
	return heard{}, false
}

// stronger returns the instruction that counts: a sure one, then undo, then forget. Of two lists it is the
// narrower, of others of one kind the one about everything, otherwise the first.
func stronger(a, b heard) heard {
	rank := []Kind{"", Unrecorded, List, Correct, Withdraw, Forget, Undo}
	x, y := slices.Index(rank, a.Kind), slices.Index(rank, b.Kind)
	switch {
	case x == 0, a.Unsure && !b.Unsure:
		return b
	case b.Unsure && !a.Unsure:
		return a
	case a.Kind == Withdraw && b.Careful:
		a.OrForget = true
		return a
	case b.Kind == Withdraw && a.Careful:
		b.OrForget = true
		return b
	case a.Careful != b.Careful && b.Kind != "":
		if a.Careful {
			return b
		}
		return a
	case y > x, y == x && a.Kind != List && b.All && !a.All, y == x && a.Kind == List && a.All && !b.All:
		return b
	}
	return a
}

// sentence matches f.text[lo:hi] with the sentences of all kinds.
func (s *structure) sentence(f flat, lo, hi int) (out heard, ok bool) {
	for i := range s.says {
		if m := s.says[i].whole.Groups(f.text[lo:hi]); m != nil {
			if h, right := s.hear(&s.says[i], m, f, lo); right {
				out, ok = stronger(out, h), true
			}
		}
	}
	return out, ok
}

// hear returns the meaning of a sentence matched at lo; ok is false if its object is never in a memory.
func (s *structure) hear(say *saying, m []int, f flat, lo int) (h heard, ok bool) {
	words := f.text[lo:]
	if slices.ContainsFunc(s.not[say.means.Kind], func(p pattern.Pattern) bool { return p.Match(words[:m[1]]) }) {
		return h, false
	}
	h = heard{Instruction: say.means, places: map[string][2]int{}}
	for g, name := range say.whole.Regexp().SubexpNames() {
		switch {
		case name == "" || m[2*g] < 0:
			continue
		case name == "o":
			if s.notObject.Match(words[m[2*g]:m[2*g+1]]) || f.crosses(lo+m[2*g], lo+m[2*g+1]) {
				return h, false
			}
		case s.notNew.Match(words[m[2*g]:m[2*g+1]]):
			return h, false
		}
		hi := m[2*g+1]
		if cut := s.tail.Find(words[m[2*g]:hi]); cut != nil && cut[0] > 0 {
			hi = m[2*g] + cut[0]
		}
		h.places[name] = [2]int{lo + m[2*g], lo + hi}
		if name == "o" && h.Kind == List && subjectKeys(words[m[2*g]:hi]) == nil {
			h.Unsure = true
		}
		if before := m[2*g] == 0 && hi < m[1] && !s.chinese; name == "o" && h.Kind == Forget &&
			(before || f.ends(lo+hi, lo+m[1])) && s.stated.Match(words[m[2*g]:m[2*g+1]]) {
			h.Unsure = true // "I like tea, don't remember that" may state it for the first time
		}
	}
	return h, true
}
