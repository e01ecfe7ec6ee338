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

// askedMeaning is a running request for a message's vector.
type askedMeaning struct {
	v    *indexer.Vectors
	note string        // why there is no request; the other fields are then unset
	got  chan struct{} // closed when q or err is set
	end  context.CancelFunc
	q    []float32 // the vector
	err  error
}

// askMeaning starts a request for the vector of a message. It returns nil without an
// embedding model. A message that is still being typed goes only to a server on this
// computer, since it may never be sent.
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

// maxAsked is the maximum number of bytes of a message that its vector represents.
const maxAsked = 4 << 10

// stop cancels the request if it is still running.
func (x *askedMeaning) stop() {
	if x != nil && x.end != nil {
		x.end()
	}
}

// awaitMeaning waits for the message's vector and adds its meaning to g. Without a
// vector it adds nothing, and degraded or note says why.
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

// compareItems adds the comparison of items by their vectors to g.
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

// joined joins two remarks; either may be empty.
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
