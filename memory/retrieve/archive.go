package retrieve

import (
	"cmp"
	"slices"
	"strings"

	"memoria/index/text"
)

// ArchiveRanking holds the weights of an archive search, which ranks messages as parts
// of conversations (R11). All were tuned on four open sets together: two people over
// months, and a user with an assistant in English and in Chinese. A factor of 1, or a
// share of 0, switches a part off.
type ArchiveRanking struct {
	// Neighbour is the share of its score that a message adds to the messages directly
	// before and after it in the session. Second is the same at distance two.
	Neighbour, Second float64
	// Session is the share of its best message's score that a session adds to each of
	// its messages.
	Session float64
	// Mine multiplies the score of the user's own messages. For a question about the
	// assistant's words, Replies multiplies the assistant's instead.
	Mine, Replies float64
	// Speaker multiplies the score of messages by a group member whom the question
	// names. The name as a word then counts NameWord.
	Speaker, NameWord float64
	// Time multiplies the score of messages from the time that the question names
	// (R12).
	Time float64
	// Passage is the share of a long message's score that comes from its best passage
	// of [PassageWords] words.
	Passage float64
	// Everyday is the weight of everyday English words relative to others.
	Everyday float64
}

// DefaultArchiveRanking returns the default weights.
func DefaultArchiveRanking() ArchiveRanking {
	return ArchiveRanking{
		Neighbour: 0.25, Second: 0.2, Session: 0.3, Mine: 2.2, Replies: 1.5,
		Speaker: 2, NameWord: 0.2, Time: 2.5, Passage: 0.5, Everyday: 0.8,
	}
}

// ArchiveHit is a message found by a search, or a neighbour of one.
type ArchiveHit struct {
	Session  string
	Position uint64 // in the session; adjacent messages differ by 1
	Score    float64
	// Own is the absolute relevance of the message's own words, 0–1; 0 for a neighbour
	// without a match. Distinctive says that one of the matching words is distinctive.
	Own         float64
	Distinctive bool
}

// RankArchive adds the contributions of neighbours and session to each message, and
// returns all, best first; ties keep their order. Messages that do not match themselves
// are added as neighbours of those that do.
func RankArchive(hits []ArchiveHit, w ArchiveRanking) []ArchiveHit {
	type place struct {
		session  string
		position uint64
	}
	out := slices.Clone(hits)
	at := make(map[place]int, 3*len(hits))
	best := map[string]float64{}
	for i, h := range hits {
		at[place{h.Session, h.Position}] = i
		best[h.Session] = max(best[h.Session], h.Score)
	}
	add := func(p place, score float64) {
		i, ok := at[p]
		if !ok {
			i = len(out)
			at[p] = i
			out = append(out, ArchiveHit{Session: p.session, Position: p.position})
		}
		out[i].Score += score
	}
	for _, h := range hits {
		for distance, share := range map[uint64]float64{1: w.Neighbour, 2: w.Second} {
			if share == 0 {
				continue
			}
			add(place{h.Session, h.Position + distance}, share*h.Score)
			if h.Position > distance {
				add(place{h.Session, h.Position - distance}, share*h.Score)
			}
		}
	}
	for i := range out {
		out[i].Score += w.Session * best[out[i].Session]
	}
	slices.SortStableFunc(out, func(a, b ArchiveHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Position, b.Position))
	})
	return out
}

// AsksForReplies reports whether a message asks for the assistant's words: "you
// recommended", 你给我推荐过.
func AsksForReplies(message string) bool { return Wants(message).Whose == WordsYours }

// Asks reports whether a message is a question.
func Asks(message string) bool { return asksSomething(text.Fold(spelt(message))) }

// Names reports whether a message contains a name as a separate word.
func Names(message, name string) bool {
	folded := " " + strings.Join(wordsOf(message), " ") + " "
	wanted := strings.Join(wordsOf(name), " ")
	switch {
	case wanted == "":
		return false
	case strings.Contains(folded, " "+wanted+" "):
		return true
	}
	return text.CJK(first(wanted)) && strings.Contains(text.Fold(message), wanted)
}

// wordsOf returns the words of a text, folded, without possessives.
func wordsOf(s string) (words []string) {
	for _, t := range text.Tokens(s) {
		base, _, _ := strings.Cut(t.Text, "'")
		words = append(words, base)
	}
	return words
}
