package recall

import (
	"context"

	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

const maxScanLength = 64 << 10 // bytes of one text that a scan looks through

// scan reads through the items (R4).
func (r *Reader) scan(ctx context.Context, a *agent, q retrieve.Query) (retrieve.Found, error) {
	var out retrieve.Found
	err := r.view(ctx, func(tx *store.Tx) error {
		for it, err := range tx.Items(a.id) {
			if err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if !it.IsActive || it.State != memory.StateActive {
				continue
			}
			match := retrieve.ShareTranslated(q, saidBy(it))
			out.Distinctive = out.Distinctive || match.Own || q.TopicAlone && match.Distinctive
			if match.Keyword > 0 || match.OnTopic || q.Preference && it.Type == memory.TypePreference {
				out.Candidates = append(out.Candidates, retrieve.Candidate{
					Head: store.HeadOf(it), Relevance: match.Keyword, Topic: match.Topic, OnTopic: match.OnTopic,
					Distinctive: match.Distinctive, Own: match.Own,
				})
			}
		}
		return nil
	})
	return out, err
}
