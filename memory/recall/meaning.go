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

// awaitMeaning adds the message's meaning to what was gathered. Without its vector it
// adds nothing, and degraded or note says why.
func (r *Reader) awaitMeaning(x *askedMeaning, text string, g *retrieve.Gathered) (degraded, note string) {
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
	gauge := scale.For(text)
	if !gauge.Usable() {
		return "", gauge.Useless(text)
	}
	hits, spread, err := x.v.Search(x.q, maxCandidates)
	if err != nil {
		return withoutMeaning(err), ""
	}
	m := &retrieve.Meaning{
		Weight: r.o.Vectors.Weight, Message: x.q, N: spread.N, Mean: spread.Mean, Deviation: spread.Deviation,
		Nearest: make([]retrieve.Nearest, len(hits)), Cosines: func(ids []string) map[string]float32 { return x.v.Cosines(x.q, ids) },
	}
	for i, h := range hits {
		m.Nearest[i] = retrieve.Nearest(h)
	}
	g.Gauge, g.Meaning = gauge, m
	return "", ""
}

// compareItems adds the comparison of items by their vectors to what was gathered.
func (r *Reader) compareItems(a *agent, text string, g *retrieve.Gathered) {
	v := r.openVectors(a)
	if v == nil {
		return
	}
	scale, ok := v.Scale()
	if !ok {
		return
	}
	g.Gauge = scale.For(text)
	g.Cosine = func(a, b string) (float32, bool) {
		p, ok := v.Vector(a)
		q, also := v.Vector(b)
		if !ok || !also {
			return 0, false
		}
		return vector.Dot(p, q), true
	}
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
