package retrieve

import (
	"iter"

	"memoria/memory"
)

// ScanItems matches items, given by their heads and words, without an index (R4).
func ScanItems(q Query, items iter.Seq2[memory.Head, string]) (out Found) {
	for head, said := range items {
		match := ShareTranslated(q, said)
		due := q.Due(head)
		out.Distinctive = out.Distinctive || match.Own || due || q.TopicAlone && match.Distinctive
		if match.Keyword > 0 || match.OnTopic || due || q.Preference && head.Type == memory.TypePreference {
			c := Candidate{
				Head: head, Relevance: match.Keyword, Topic: match.Topic, OnTopic: match.OnTopic,
				Distinctive: match.Distinctive, Own: match.Own,
			}
			if due {
				c.due()
			}
			out.Candidates = append(out.Candidates, c)
		}
	}
	return out
}
