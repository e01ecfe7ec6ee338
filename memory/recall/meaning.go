package recall

import (
	"context"
	"errors"
	"strings"

	"memoria/index/vector"
	"memoria/memory/guard"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
)

// askedMeaning is the message's vector while it is being asked for.
type askedMeaning struct {
	v    *indexer.Vectors
	note string // why it is not asked for, or not used
	got  chan struct{}
	end  context.CancelFunc
	q    []float32
	err  error
}

// askMeaning begins to ask for the vector of a message; nil where no embedding model
// is configured. Words are looked for meanwhile.
//
// While a message is being typed its words stay on this computer: only a server here
// is asked for the vector of what may never be sent.
func (r *Reader) askMeaning(ctx context.Context, a *agent, q Query) *askedMeaning {
	v := r.vectors(a)
	if v == nil {
		return nil
	}
	about := v.About()
	if q.Typing && !about.Local {
		return &askedMeaning{note: "by words alone: what you type goes to " + about.Endpoint + " only when you send it"}
	}
	if scale, ok := v.Scale(); ok {
		if g := scale.For(q.Text); !g.Usable() {
			return &askedMeaning{note: g.Useless(q.Text)}
		}
	}
	x := &askedMeaning{v: v, got: make(chan struct{})}
	ctx, x.end = context.WithTimeout(ctx, r.o.Vectors.QueryTimeout)
	go func() {
		defer close(x.got)
		x.err = guard.Do(r.log, "asking for the vector of a message", func() (err error) {
			if err = v.Opened(ctx); err == nil {
				x.q, err = v.Query(ctx, head(q.Text, maxAsked))
			}
			return err
		})
	}()
	return x
}

// maxAsked is how much of a message a vector is made of, in bytes.
const maxAsked = 4 << 10

// stop lets go of a request that nobody waits for.
func (x *askedMeaning) stop() {
	if x != nil && x.end != nil {
		x.end()
	}
}

// addMeaning gives the candidates their meaning, and adds those that only the meaning
// finds. Without the message's vector nothing changes, and degraded says why.
func (r *Reader) addMeaning(a *agent, x *askedMeaning, text string, found *retrieve.Found) (degraded, note string) {
	if x == nil {
		return "", ""
	}
	if x.v == nil {
		return "", x.note
	}
	<-x.got
	x.end()
	if x.err != nil {
		return withoutMeaning(x.err), ""
	}
	scale, ok := x.v.Scale()
	if !ok {
		return withoutMeaning(errNoVectors), ""
	}
	g := scale.For(text)
	if !g.Usable() {
		return "", g.Useless(text)
	}
	hits, spread, err := x.v.Search(x.q, candidates)
	if err != nil {
		return withoutMeaning(err), ""
	}
	found.Weight = r.o.Vectors.Weight
	usual := g.Background(x.q, spread.N, spread.Mean, spread.Deviation)
	near := g.Near(usual)
	give := func(c *retrieve.Candidate, cosine float64) {
		c.Meaning, c.Near = g.Meaning(cosine, usual), cosine > near
	}
	have := map[string]int{}
	ids := make([]string, len(found.Candidates))
	for i, c := range found.Candidates {
		have[c.Head.ID], ids[i] = i, c.Head.ID
	}
	for id, cosine := range x.v.Cosines(x.q, ids) {
		give(&found.Candidates[have[id]], float64(cosine))
	}
	for _, h := range hits {
		if _, ok := have[h.ID]; ok || float64(h.Cosine) <= near {
			continue // what is only a little near is no reason to recall it
		}
		c := retrieve.Candidate{}
		give(&c, float64(h.Cosine))
		if c.Head, ok = r.head(a, h.ID); ok {
			found.Candidates = append(found.Candidates, c)
		}
	}
	return "", ""
}

func withoutMeaning(err error) string {
	why := strings.TrimPrefix(err.Error(), indexer.ErrUnavailable.Error()+": ")
	var dimension *vector.DimensionError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		why = "it did not answer in time"
	case errors.Is(err, indexer.ErrNotReady), errors.Is(err, errNoVectors):
		return "the vectors are still being made, so only words were compared"
	case errors.Is(err, guard.ErrFault), err.Error() == indexer.ErrUnavailable.Error():
		why = "it failed a moment ago"
	case errors.As(err, &dimension):
		why = dimension.Error()
	}
	return "the embedding model is of no help (" + why + "), so only words were compared"
}

// joined is two remarks in one.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// head returns at most n bytes of s, cut between characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
