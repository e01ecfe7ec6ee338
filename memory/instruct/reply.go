package instruct

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy"
	"memoria/memory/retrieve"
)

// Reply is an answer to the program's question which memories are meant.
type Reply struct {
	Picks []int // numbers from 1, without duplicates, in order
	All   bool
	No    bool
	// Named says that the choices were named by their words, not by their numbers.
	Named bool
	// Vague is a yes to a question with several choices: it says neither which nor all.
	Vague bool
}

// replies are the words of data/replies.txt.
type replies struct {
	yes, no, all, both, allBut, onlyThese pattern.Pattern
	filler                                *regexp.Regexp
	numbers                               map[string]int
	// Words for the last one, for the first of some, and between the ends of a range; a blank follows each English one.
	last, first, to []string
}

var answers = sync.OnceValue(func() *replies {
	book, _ := blocks("replies.txt")
	whole := func(name string) pattern.Pattern {
		return book.Whole("({before}_ | {beforeHan})*{" + name + "}(_{after} | {afterHan})*")
	}
	r := &replies{
		yes: whole("yes"), no: whole("no"), all: whole("all"), both: whole("both"), allBut: book.Pattern("{allBut}"),
		onlyThese: book.Pattern("{onlyThese}"),
		numbers:   map[string]int{},
	}
	r.filler = book.Start("({filler}_ | {fillerHan}[_] | , | \\. | _)+").Regexp()
	r.filler.Longest()
	list := func(name string) (out []string) {
		for _, w := range book.Words(name) {
			if !han(w) {
				w += " "
			}
			out = append(out, w)
		}
		return out
	}
	r.last, r.first, r.to = list("last"), list("firstOf"), list("rangeTo")
	for n := 1; n <= 10; n++ {
		for _, w := range book.Words(strconv.Itoa(n)) {
			r.numbers[w] = n
		}
	}
	return r
})

// Choices is how many answers other than no a question has: one if it is about a single memory, or about all.
func Choices(q memory.Question) int {
	if q.All {
		return 1
	}
	return max(len(q.Items), 1)
}

// between is a range of numbers written with a dash.
var between = regexp.MustCompile(`(\d)\s*[-–—~～]\s*(\d)`)

// ReadReply parses a message as an answer to a question with n choices; ok is false if it is none. A yes picks the only
// choice; of several it picks none.
func ReadReply(text string, spans []memory.Span, n int) (r Reply, ok bool) {
	said := strings.TrimSpace((memory.Record{Content: text, Spans: spans}).Typed())
	said = between.ReplaceAllString(said, "$1 to $2")
	p, ok := newPlain(strings.Trim(said, "#()（）"), respelled())
	if !ok || len(p.text) > 120 {
		return r, false
	}
	a := answers()
	switch body := strings.TrimSpace(newFlat(p, said, true).text); {
	case a.no.Match(body):
		return Reply{No: true}, true
	case a.all.Match(body), n == 1 && a.yes.Match(body), n == 2 && a.both.Match(body):
		return Reply{All: true}, true
	case a.yes.Match(body), a.both.Match(body):
		return Reply{Vague: true}, true
	default:
		if but := groupsOf(a.allBut, body)["o"]; but != "" {
			but, _ := newPlain(but, nil)
			if r.Picks = a.picks(but.text, n); len(r.Picks) > 0 {
				r.Picks = others(r.Picks, n)
			}
			return r, len(r.Picks) > 0
		}
	}
	r.Picks = a.picks(strings.ReplaceAll(p.text, "·", " "), n) // "1,2"
	return r, len(r.Picks) > 0
}

// MayReply reports whether a message that [ReadReply] does not understand may still be meant as an answer: it has few words, and
// neither asks nor tells nor orders anything.
func MayReply(message string, spans []memory.Span) bool {
	said, typed := typedAlone(message, spans)
	if !typed || said == "" || strings.ContainsAny(said, "?？") || OrdersElse(said) || retrieve.OnlyAsks(said) {
		return false
	}
	if han(said) && utf8.RuneCountInString(said) > 6 || len(strings.Fields(said)) > 4 {
		return false
	}
	kind, _ := ReadAside(message, spans)
	_, orders := Read(message, spans)
	return kind == "" && !orders && len(policy.New(policy.Default()).Extract(said)) == 0
}

// PickNamed parses a message as an answer that names some of several memories: "just the asthma, keep the rest". ok is false
// if it is none, or names none of them, or all.
func PickNamed(message string, spans []memory.Span, items []memory.Item) (r Reply, ok bool) {
	said, typed := typedAlone(message, spans)
	if !typed || len(said) > maxBytes {
		return r, false
	}
	groups := groupsOf(answers().onlyThese, bare(strings.NewReplacer(",", " ", "，", " ", ".", " ", "。", " ", "  ", " ").Replace(said)))
	for _, object := range listed(groups["o"]) {
		found := Match(Instruction{Kind: Forget, Object: object}, items)
		if len(found) == 0 {
			return Reply{}, false
		}
		for _, it := range found {
			n := slices.IndexFunc(items, func(o memory.Item) bool { return o.ID == it.ID }) + 1
			if !slices.Contains(r.Picks, n) {
				r.Picks = append(r.Picks, n)
			}
		}
	}
	slices.Sort(r.Picks)
	r.Named = true
	return r, len(r.Picks) > 0 && len(r.Picks) < len(items)
}

// others returns the numbers up to n that are not among some.
func others(picks []int, n int) (out []int) {
	for i := 1; i <= n; i++ {
		if !slices.Contains(picks, i) {
			out = append(out, i)
		}
	}
	return out
}

// picks returns the numbers in a plain text that has only numbers, ranges and filler words; none if one is too large.
func (a *replies) picks(plain string, n int) (out []int) {
	add := func(lo, hi int) {
		for i := lo; i <= hi; i++ {
			if !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
	}
	for rest := plain; rest != ""; {
		if w, ok := begunBy(rest+" ", a.last); ok {
			rest = strings.TrimPrefix(rest[min(len(w), len(rest)):], " ")
			k, after := a.number(rest)
			if k > n {
				return nil
			}
			if k > 0 {
				rest = after
			}
			add(n+1-max(k, 1), n)
			continue
		}
		if w, ok := begunBy(rest+" ", a.first); ok {
			if k, after := a.number(strings.TrimPrefix(rest[min(len(w), len(rest)):], " ")); k > 0 {
				if k > n {
					return nil
				}
				rest = after
				add(1, k)
				continue
			}
		}
		number, after := a.number(rest)
		switch m := a.filler.FindStringIndex(rest); {
		case number > n || number < 0:
			return nil
		case number > 0:
			left, hi := a.upTo(after, number)
			if hi < number || hi > n {
				return nil
			}
			rest = left
			add(number, hi)
		case m != nil && m[1] > 0:
			rest = rest[m[1]:]
		default:
			return nil
		}
	}
	slices.Sort(out)
	return out
}

// upTo reads the end of a range that begins with a number: hi is the number itself if there is none.
func (a *replies) upTo(rest string, number int) (after string, hi int) {
	to := rest
	if m := a.filler.FindStringIndex(to); m != nil {
		to = to[m[1]:]
	}
	w, ok := begunBy(to+" ", a.to)
	if !ok {
		return rest, number
	}
	to = to[min(len(w), len(to)):]
	if m := a.filler.FindStringIndex(to); m != nil {
		to = to[m[1]:]
	}
	if end, after := a.number(to); end > 0 {
		return after, end
	}
	return rest, number
}

// number reads a number at the beginning of a text: 0 if there is none, less than 0 if it is not a number of a choice.
func (a *replies) number(s string) (n int, after string) {
	if s == "" {
		return 0, s
	}
	word, after, _ := strings.Cut(s, " ")
	if r := []rune(s)[0]; han(string(r)) {
		word, after = string(r), strings.TrimPrefix(s[len(string(r)):], " ")
	}
	n, err := strconv.Atoi(word)
	if err == nil && n == 0 {
		return -1, after
	}
	if err != nil {
		n = a.numbers[word]
	}
	return n, after
}
