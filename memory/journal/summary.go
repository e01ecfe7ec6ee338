package journal

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/policy"
)

// Material is the source of a summary: the archived messages of a day or a month.
type Material struct {
	Kind  memory.JournalKind
	Date  string
	Talks []Talk
	// Imported says that some messages come from another program. No model reads them (D1).
	Imported bool
	// Accepted are the user's memories with sensitive content, which a summary may mention
	// (P5a).
	Accepted []string
}

// Talk is a session's part of a Material.
type Talk struct {
	Session, Title string
	Said           []Said
}

// Said is one message.
type Said struct {
	ID   string
	Role memory.Role
	Who  string // display name
	At   time.Time
	// Text is the whole message. Typed is the user's own statement, with other parts blank.
	// Both are without secrets and forgotten words.
	Text, Typed string
}

// Summary is the result of a [Summariser].
type Summary struct {
	Lines []Line
	By    string // a model's name, or [memory.JournalByRules]
}

// Line is one point of a summary.
type Line struct {
	About  string // its heading; empty for none
	Text   string
	Record string // source message; empty for several
}

// Summariser summarises messages. It must be safe for concurrent use.
type Summariser interface {
	// Summarise makes a summary. An error that is the context's cause is not a failure
	// (J5).
	Summarise(ctx context.Context, m Material) (Summary, error)
}

// Sizes of a summary by rules, in bytes: a part of the messages, within bounds.
const (
	ruleShare = 3
	dayLeast  = 600
	dayMost   = 2400
	monthMost = 6000
	longLine  = 240 // characters
)

// Rules summarises without a model: it quotes the user's most informative sentences in
// order (P6).
type Rules struct{ Policy *policy.Policy }

// Summarise implements [Summariser].
func (r Rules) Summarise(ctx context.Context, m Material) (Summary, error) {
	type picked struct {
		learn.Told
		talk int
		id   string
	}
	var all []picked
	room := m.room()
	read := promising(m, readShare*room)
	for i, talk := range m.Talks {
		if err := ctx.Err(); err != nil {
			return Summary{}, context.Cause(ctx)
		}
		d := learn.Dialogue{Ended: true, Accepted: m.Accepted}
		var ids []string
		for _, s := range talk.Said {
			if s.Role == memory.RoleUser {
				if read == nil || read[s.ID] {
					d.Said, ids = append(d.Said, learn.Said{Text: s.Typed}), append(ids, s.ID)
				}
			}
		}
		for _, t := range d.Told(r.Policy) {
			if utf8.RuneCountInString(t.Text) <= longLine {
				all = append(all, picked{t, i, ids[t.Message]})
			}
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].Weight, all[a].Weight) })
	taken, said := make([]bool, len(all)), map[string]bool{}
	for _, i := range order {
		key := strings.ToLower(all[i].Text)
		if said[key] || room < len(key) {
			continue
		}
		if said[key] = true; r.Policy.Speakable(all[i].Text, m.Accepted...) {
			taken[i] = true
			room -= len(key)
		}
	}
	out := Summary{By: memory.JournalByRules}
	for i, p := range all {
		if taken[i] {
			out.Lines = append(out.Lines, Line{About: m.Talks[p.talk].Title, Text: oneLine(p.Text), Record: p.id})
		}
	}
	return out, nil
}

// room returns the total size of the lines of a summary by rules, in bytes.
func (m Material) room() int {
	size, most := 0, dayMost
	for _, t := range m.Talks {
		for _, s := range t.Said {
			if s.Role == memory.RoleUser {
				size += len(s.Typed)
			}
		}
	}
	if m.Kind == memory.JournalMonth {
		most = monthMost
	}
	return min(max(size/ruleShare, dayLeast), most)
}

// readShare is the ratio of text analysed for sentences to the room: the analysis is slow.
const readShare = 2

// promising returns the messages whose words occur in the most others, up to the size to be
// read, or nil if all fit.
func promising(m Material, most int) map[string]bool {
	type message struct {
		id     string
		size   int
		words  []string
		weight float64
	}
	var all []message
	counts, size := map[string]int{}, 0
	for _, t := range m.Talks {
		for _, s := range t.Said {
			if s.Role == memory.RoleUser {
				size += len(s.Typed)
			}
		}
	}
	if size <= most {
		return nil
	}
	for _, t := range m.Talks {
		for _, s := range t.Said {
			if s.Role != memory.RoleUser {
				continue
			}
			one := message{id: s.ID, size: len(s.Typed), words: text.QueryTerms(cutTo(s.Typed, longLine))}
			for _, w := range one.words {
				counts[w]++
			}
			all = append(all, one)
		}
	}
	for i, one := range all {
		for _, w := range one.words {
			all[i].weight += math.Log1p(float64(counts[w]))
		}
		all[i].weight /= math.Sqrt(float64(4 + len(one.words)))
	}
	slices.SortStableFunc(all, func(a, b message) int { return cmp.Compare(b.weight, a.weight) })
	out, room := map[string]bool{}, most
	for _, one := range all {
		if room -= one.size; room < 0 {
			break
		}
		out[one.id] = true
	}
	return out
}

// summaryBody formats a summary as its file.
func summaryBody(m Material, s Summary) string {
	var b strings.Builder
	messages := 0
	for _, t := range m.Talks {
		messages += len(t.Said)
	}
	b.WriteString("# " + m.Date + "\n\n")
	if s.By == memory.JournalByRules {
		_, _ = fmt.Fprintf(&b, "*Taken from %s by rules.*\n", counted(messages, "message"))
	} else {
		_, _ = fmt.Fprintf(&b, "*Summary of %s by %s.*\n", counted(messages, "message"), oneLine(s.By))
	}
	about := ""
	for i, l := range s.Lines {
		if i == 0 || l.About != about {
			b.WriteString("\n")
			if about = l.About; about != "" {
				b.WriteString("## " + oneLine(about) + "\n\n")
			}
		}
		b.WriteString("- " + oneLine(l.Text))
		if l.Record != "" {
			b.WriteString(" " + mark(l.Record))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
