package learn

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
)

// Gist is the summary of a session by rules (P6): the user's own most informative
// sentences.
type Gist struct {
	// Title is a sentence, possibly cut. It is empty if the session's first message is
	// informative: that is the title already. Snippet has at most MaxSnippet
	// characters, none without informative sentences.
	Title, Snippet string
	Topics         []Recurring
	// Episode covers several new messages without a memory; nil if there is none.
	Episode *Conclusion
}

// Recurring is a word of several messages, with its first place in each.
type Recurring struct {
	Word string
	At   []Place
}

const (
	maxTopics      = 5
	snippetParts   = 3
	partLength     = 120 // characters of a sentence in a snippet
	titleShare     = 0.6 // of the best sentence's weight: the first sentence above it gives the title
	statedWeight   = 1.5 // statements are more informative than questions
	longSentence   = 240 // characters; longer ones are detail
	episodeSpan    = 8   // messages from the first to the last on a topic
	episodeSure    = 0.6
	episodeMatters = 0.4
)

// telling is a sentence of a dialogue with its weight.
type telling struct {
	policy.Sentence
	message int
	weight  float64
}

// Summarise makes the gist of a session. maxContent bounds an episode, in characters.
func Summarise(p *policy.Policy, d Dialogue, maxContent int) Gist {
	all, counts := d.telling(p)
	var out Gist
	out.Topics = topics(all, counts)
	best := byWeight(all)
	if len(best) > 0 {
		for i, s := range all {
			if s.message == 0 {
				break
			}
			if i == 0 && s.Task || s.weight >= titleShare*best[0].weight {
				out.Title = s.Text
				break
			}
		}
		out.Snippet = snippet(taskFirst(best, all[0]))
	}
	out.Episode = d.episode(all, out.Topics, maxContent)
	return out
}

// Told is an informative sentence with its weight in its dialogue.
type Told struct {
	Text    string
	Message int // index of its message
	Weight  float64
}

// Told returns the informative sentences of a dialogue, in order.
func (d Dialogue) Told(p *policy.Policy) (out []Told) {
	all, _ := d.telling(p)
	for _, s := range all {
		out = append(out, Told{Text: s.Text, Message: s.message, Weight: s.weight})
	}
	return out
}

// telling returns the informative sentences, in order, and the number of messages with
// each word.
func (d Dialogue) telling(p *policy.Policy) (out []telling, counts map[string]int) {
	counts = map[string]int{}
	for i, s := range d.Said {
		seen := map[string]bool{}
		for _, one := range p.Sentences(s.Text, d.Accepted...) {
			if one.Empty {
				continue
			}
			for _, k := range keywords(one.Text) {
				if k = text.Fold(k); !seen[k] {
					seen[k] = true
					counts[k]++
				}
			}
			out = append(out, telling{Sentence: one, message: i})
		}
	}
	for i := range out {
		keys := keywords(out[i].Text)
		for _, k := range keys {
			out[i].weight += math.Log1p(float64(counts[text.Fold(k)]))
		}
		out[i].weight /= math.Sqrt(float64(4 + len(keys))) // length alone adds no weight
		if out[i].Statement || out[i].Known {
			out[i].weight *= statedWeight
		}
	}
	out = slices.DeleteFunc(out, func(s telling) bool { return s.weight == 0 })
	return out, counts
}

// keywords returns the keywords of a sentence without the mark of a hidden secret.
func keywords(s string) []string { return text.Keywords(strings.ReplaceAll(s, sensitive.Secret, " ")) }

func byWeight(all []telling) []telling {
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b telling) int { return cmp.Compare(b.weight, a.weight) })
	return best
}

// taskFirst puts the first sentence of a session before the best ones if it states a
// task: a summary should include it, whatever changes were requested later.
func taskFirst(best []telling, first telling) []telling {
	if !first.Task {
		return best
	}
	return append([]telling{first}, best...) // a snippet takes each sentence once
}

// inOrder sorts sentences by position.
func inOrder(picked []telling) []telling {
	slices.SortStableFunc(picked, func(a, b telling) int {
		return cmp.Or(cmp.Compare(a.message, b.message), cmp.Compare(a.Offset, b.Offset))
	})
	return picked
}

// snippet joins the best distinct sentences that fit.
func snippet(best []telling) string {
	var picked []telling
	room := MaxSnippet
	for _, s := range best {
		twice := slices.ContainsFunc(picked, func(o telling) bool { return Same(o.Text, s.Text) })
		if utf8.RuneCountInString(s.Text) > partLength {
			s.Text = string([]rune(s.Text)[:partLength-1]) + "…"
		}
		if n := utf8.RuneCountInString(s.Text) + 1; !twice && n <= room {
			room -= n
			picked = append(picked, s)
		}
		if len(picked) == snippetParts {
			break
		}
	}
	return joined(inOrder(picked))
}

func joined(sentences []telling) string {
	var words []string
	for _, s := range sentences {
		words = append(words, s.Text)
	}
	return strings.Join(words, " ")
}

// topics returns the words of at least two messages, most frequent first.
func topics(all []telling, counts map[string]int) []Recurring {
	var out []Recurring
	at := map[string]int{}
	for _, s := range all {
		for _, k := range keywords(s.Text) {
			key := text.Fold(k)
			if counts[key] < 2 || utf8.RuneCountInString(key) < 2 {
				continue
			}
			i, there := at[key]
			if !there {
				i = len(out)
				at[key] = i
				out = append(out, Recurring{Word: k})
			}
			r := &out[i]
			if n := len(r.At); n == 0 || r.At[n-1].Message != s.message {
				r.At = append(r.At, Place{Message: s.message, Offset: s.Offset, Length: s.Length})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Recurring) int { return cmp.Compare(len(b.At), len(a.At)) })
	return out[:min(len(out), maxTopics)]
}

// episode joins the user's statements from new messages without a memory: three or four
// sentences of at least two messages, around those with a recurring word. Sentences without
// one tell no story together.
func (d Dialogue) episode(all []telling, about []Recurring, maxContent int) *Conclusion {
	for _, topic := range about {
		var in []int // messages with statements on the topic, remembered or not
		for _, s := range all {
			on := slices.ContainsFunc(keywords(s.Text), func(k string) bool { return text.Fold(k) == text.Fold(topic.Word) })
			if on && (s.Statement || s.Known) && d.Said[s.message].New && !slices.Contains(in, s.message) {
				in = append(in, s.message)
			}
		}
		if len(in) < 2 || in[len(in)-1]-in[0] > episodeSpan {
			continue
		}
		near := slices.DeleteFunc(slices.Clone(all), func(s telling) bool { return s.message < in[0] || s.message > in[len(in)-1] })
		if out := d.episodeOf(near, topic.Word, maxContent); out != nil {
			return out
		}
	}
	return nil
}

// episodeOf joins the statements of neighbouring messages.
func (d Dialogue) episodeOf(all []telling, about string, maxContent int) *Conclusion {
	var picked []telling
	room := maxContent
	for _, s := range byWeight(all) {
		at := Place{Message: s.message, Offset: s.Offset, Length: s.Length}
		n := utf8.RuneCountInString(s.Text) + 1
		if !s.Statement || !d.Said[s.message].New || d.used(at, s.Text, memory.TypeEpisode) || n > longSentence || n > room ||
			slices.ContainsFunc(picked, func(o telling) bool { return Same(o.Text, s.Text) }) {
			continue
		}
		room -= n
		if picked = append(picked, s); len(picked) == maxEpisode {
			break
		}
	}
	inOrder(picked)
	if len(picked) < minEpisode || picked[0].message == picked[len(picked)-1].message {
		return nil
	}
	var out Conclusion
	for _, s := range picked {
		out.At = append(out.At, Place{Message: s.message, Offset: s.Offset, Length: s.Length})
	}
	c := policy.Inferred(policy.Inference{
		Type: memory.TypeEpisode, About: about, Content: joined(picked),
		Confidence: episodeSure, Importance: episodeMatters,
		Source: policy.Source{Offset: picked[0].Offset, Length: picked[0].Length},
	})
	c.Rule, c.Reason = "episode", "told over several messages"
	out.Proposal = Proposal{Candidate: c, Trust: memory.TrustModel}
	return &out
}

// Habit returns the conclusion that the user repeatedly returns to a topic.
func Habit(word string, at Place) Conclusion {
	content := "Often talks about " + word
	if strings.IndexFunc(word, text.Han) >= 0 {
		content = "经常聊" + word
	}
	c := policy.Inferred(policy.Inference{
		Type: memory.TypePattern, About: "topic " + text.Fold(word), Content: content, Confidence: 0.6, Importance: 0.3,
		Source: policy.Source{Offset: at.Offset, Length: at.Length},
	})
	c.Title, c.Rule, c.Reason = word, "topic", "came up in several sessions"
	return Conclusion{Proposal: Proposal{Candidate: c, Trust: memory.TrustModel}, At: []Place{at}}
}
