package instruct

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"memoria/memory"
	"memoria/memory/pattern"
)

// Reply is an answer to the program's question which memories are meant.
type Reply struct {
	Picks []int // numbers from 1, without duplicates, in order
	All   bool
	No    bool
}

// replies are the words of data/replies.txt.
type replies struct {
	yes, no, all pattern.Pattern
	filler       *regexp.Regexp
	numbers      map[string]int
	last         []string // words for the last one; a blank follows each English one
}

var answers = sync.OnceValue(func() *replies {
	book, _ := blocks("replies.txt")
	whole := func(name string) pattern.Pattern {
		return book.Whole("({before}_ | {beforeHan})*{" + name + "}(_{after} | {afterHan})*")
	}
	r := &replies{yes: whole("yes"), no: whole("no"), all: whole("all"), numbers: map[string]int{}}
	r.filler = book.Start("({filler}_ | {fillerHan}[_] | , | \\. | _)+").Regexp()
	r.filler.Longest()
	for _, w := range book.Words("last") {
		if !han(w) {
			w += " "
		}
		r.last = append(r.last, w)
	}
	for n := 1; n <= 10; n++ {
		for _, w := range book.Words(strconv.Itoa(n)) {
			r.numbers[w] = n
		}
	}
	return r
})

// ReadReply parses a message as an answer to a question with n choices; ok is false if it is none. A yes
// picks the only choice, or all.
func ReadReply(text string, spans []memory.Span, n int) (r Reply, ok bool) {
	said := strings.TrimSpace((memory.Record{Content: text, Spans: spans}).Typed())
	p, ok := newPlain(strings.Trim(said, "#()（）"), respelled())
	if !ok || len(p.text) > 120 {
		return r, false
	}
	a := answers()
	switch body := strings.TrimSpace(newFlat(p, said, true).text); {
	case a.no.Match(body):
		return Reply{No: true}, true
	case a.all.Match(body), a.yes.Match(body):
		return Reply{All: true}, true
	}
	r.Picks = a.picks(strings.ReplaceAll(p.text, "·", " "), n) // "1,2"
	return r, len(r.Picks) > 0
}

// picks returns the numbers in a plain text that has only numbers and filler words; none if one is too large.
func (a *replies) picks(plain string, n int) (out []int) {
	for rest := plain; rest != ""; {
		if w, ok := begunBy(rest+" ", a.last); ok {
			if rest = strings.TrimPrefix(rest[min(len(w), len(rest)):], " "); !slices.Contains(out, n) {
				out = append(out, n)
			}
			continue
		}
		word, after, _ := strings.Cut(rest, " ")
		if r := []rune(rest)[0]; han(string(r)) {
			word, after = string(r), strings.TrimPrefix(rest[len(string(r)):], " ")
		}
		number, err := strconv.Atoi(word)
		if err != nil {
			number = a.numbers[word]
		}
		switch m := a.filler.FindStringIndex(rest); {
		case number > n || number < 0:
			return nil
		case number > 0:
			if rest = after; !slices.Contains(out, number) {
				out = append(out, number)
			}
		case m != nil && m[1] > 0:
			rest = rest[m[1]:]
		default:
			return nil
		}
	}
	slices.Sort(out)
	return out
}
