package words

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/ui/clean"
)

// Pictures is the wording of what is drawn: bars of scores, the budget of a turn, a calendar.
type Pictures struct{ Words }

// ScoreNames name the parts of a bar of a score, in the order of [ScoreShape].
func (w Pictures) ScoreNames() []string {
	return []string{
		w.Say("score.words"), w.Say("score.meaning"), w.Say("score.recent"),
		w.Say("score.often"), w.Say("score.sure"), w.Say("score.bonus"),
	}
}

// FullScore is what fills a bar of a score: what the parts of [ScoreShape] come to at most,
// with the usual weights and without kind.
const FullScore = 0.8

// ScoreShape returns the parts of a score that differ between memories: words, meaning,
// recent, used, sure, and a bonus: what the kind and the topic add to that. Their sum is the score less
// what every memory gets for its kind, so that the longer bar has the higher score. raw are
// the factors of the contribution c (R5, R6).
func ScoreShape(c, raw memory.Parts) []float64 {
	topic := cmp.Or(raw.TopicBoost, 1)
	every := c.CategoryBoost / max(raw.CategoryBoost, 1)
	return []float64{
		c.KeywordScore * topic, c.VectorScore * topic, c.RecencyScore * topic, c.FrequencyScore * topic, c.Confidence * topic,
		c.CategoryBoost*topic - every,
	}
}

// mostMatched is the most words that a reason names.
const mostMatched = 3

// among returns the first words that a text has, without parts of others: sis of sister. The words in the title,
// the key and the tags of a memory are no reason for a reader, who does not see them.
func among(said string, keywords []string) (out []string) {
	said = text.Fold(said)
	var seen []string
	for _, k := range keywords {
		k = clean.Line(k)
		f := text.Fold(k)
		part := slices.ContainsFunc(seen, func(s string) bool { return strings.Contains(s, f) })
		if f != "" && len(out) < mostMatched && strings.Contains(said, f) && !part {
			out, seen = append(out, k), append(seen, f)
		}
	}
	return out
}

// Reasons are the main reasons why a memory was chosen: "the words pnpm, Fly", "recent". The
// match comes first, words or meaning, whichever counts more. keywords are the words that were
// looked for. There are no reasons for a memory that was not chosen by its score.
func (w Pictures) Reasons(it memory.Item, c, raw memory.Parts, keywords []string) (out []string) {
	const notable = 0.5 // of a factor between 0 and 1
	if c.KeywordScore > 0 {
		said := w.Say("because.match")
		if found := among(it.Content, keywords); len(found) > 0 {
			said = w.TheWords(found)
		}
		out = append(out, said)
	}
	if c.VectorScore > 0 {
		out = append(out, w.Say("because.meaning"))
		if c.VectorScore > c.KeywordScore {
			slices.Reverse(out)
		}
	}
	for _, also := range []struct {
		is bool
		id string
	}{
		{raw.RecencyScore >= notable, "because.recent"}, {raw.FrequencyScore >= notable, "because.often"},
		{raw.CategoryBoost > 1, "because.kind"}, {raw.TopicBoost > 1, "because.topic"},
	} {
		if also.is {
			out = append(out, w.Say(also.id))
		}
	}
	return out
}

// TheWords names words as a reason: "the word tea", "the words tea, pot".
func (w Pictures) TheWords(found []string) string {
	if len(found) == 1 {
		return w.Say("because.word", found[0])
	}
	return w.Say("because.words", w.List(found))
}

// Because says in a few words why a memory was chosen: "because of the words pnpm, recent".
// why is the fallback where there are no [Reasons].
func (w Pictures) Because(it memory.Item, c, raw memory.Parts, keywords []string, why string) string {
	reasons := w.Reasons(it, c, raw, keywords)
	if len(reasons) == 0 {
		return clean.Line(w.Translate(why))
	}
	return w.Say("because", strings.Join(reasons, w.comma()))
}

// LayerTokens are the tokens of each of [Layers] in a package.
func LayerTokens(p memory.Package) []int {
	out := make([]int, len(Layers))
	for _, b := range p.Blocks {
		if i := slices.Index(Layers, b.Layer); i >= 0 {
			out[i] += b.Tokens
		}
	}
	return out
}

// budget says in a sentence how a turn used the context of the model: the share used, the
// layers by size, and how much was left out or cut.
func (w Pictures) budget(p memory.Package) string {
	type part struct {
		layer  memory.Layer
		tokens int
	}
	var parts []part
	for i, n := range LayerTokens(p) {
		if n > 0 {
			parts = append(parts, part{Layers[i], n})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.tokens, a.tokens) })
	var said []string
	for _, l := range parts {
		said = append(said, w.Say("sent.budget.part", w.Layer(l.layer), l.tokens))
	}
	if len(said) == 0 {
		return ""
	}
	line := strings.Join(said, w.comma())
	if p.Limit > 0 {
		line = w.Say("sent.budget", w.Share(p.Tokens, p.Limit), line)
	}
	if cut := w.Cuts(p); cut != "" {
		line = w.Say("sent.budget.cut", line, cut)
	}
	return line
}

// Share is a part of a whole in percent; a part above zero is at least "under 1 %".
func (w Pictures) Share(n, of int) string {
	switch {
	case of <= 0:
		return ""
	case n > 0 && n*100 < of:
		return w.Say("share.under")
	}
	return w.Say("share", (n*100+of/2)/of)
}

// Cuts says how much of a turn was left out and how many parts were cut; "" for nothing.
func (w Pictures) Cuts(p memory.Package) string {
	cut := 0
	for _, b := range p.Blocks {
		if b.Note != "" && b.Layer != memory.LayerProfile { // that one names its version
			cut++
		}
	}
	var said []string
	if n := len(p.Dropped); n > 0 {
		said = append(said, w.Say("sent.left-out", n))
	}
	if cut > 0 {
		said = append(said, w.Say("sent.cut", cut))
	}
	return strings.Join(said, w.comma())
}

// months are the messages that name the months, whole and short.
var months = [12][2]string{
	{"month.1", "month.short.1"}, {"month.2", "month.short.2"}, {"month.3", "month.short.3"}, {"month.4", "month.short.4"},
	{"month.5", "month.short.5"}, {"month.6", "month.short.6"}, {"month.7", "month.short.7"}, {"month.8", "month.short.8"},
	{"month.9", "month.short.9"}, {"month.10", "month.short.10"}, {"month.11", "month.short.11"}, {"month.12", "month.short.12"},
}

// Month is the short name of a month.
func (w Pictures) Month(m time.Month) string { return w.Say(months[m-1][1]) }

// Weekdays are the short names of the days of a week, from Monday on.
func (w Pictures) Weekdays() []string {
	return []string{
		w.Say("weekday.mon"), w.Say("weekday.tue"), w.Say("weekday.wed"), w.Say("weekday.thu"),
		w.Say("weekday.fri"), w.Say("weekday.sat"), w.Say("weekday.sun"),
	}
}

// Date names the day of t as seen in loc: "12 March", of another year than now with its year.
func (w Pictures) Date(now, t time.Time, loc *time.Location) string {
	t = t.In(loc)
	id := "day.date"
	if t.Year() != now.In(loc).Year() {
		id = "day.date-year"
	}
	return w.Say(id, t.Day(), w.Say(months[t.Month()-1][0]), t.Year(), int(t.Month()))
}

// DayName is [Date], or "Today", "Yesterday" and "Tomorrow".
func (w Pictures) DayName(now, t time.Time, loc *time.Location) string {
	n, d := now.In(loc), t.In(loc)
	switch {
	case t.IsZero():
		return w.Say("day.unknown")
	case n.Format(date) == d.Format(date):
		return w.Say("day.today")
	case n.AddDate(0, 0, -1).Format(date) == d.Format(date):
		return w.Say("day.yesterday")
	case n.AddDate(0, 0, 1).Format(date) == d.Format(date):
		return w.Say("day.tomorrow")
	}
	return w.Date(now, t, loc)
}
