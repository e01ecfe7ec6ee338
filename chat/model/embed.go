package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/openai/openai-go/v3"

	"memoria/memory/indexer"
)

// bytesPerText bounds the bytes read of an answer for each text: [maxDimensions] numbers of 30 characters.
const bytesPerText = 512 << 10

// Embedder is an [indexer.Embedder] for a server that speaks the OpenAI embeddings protocol (I3). It is safe for
// concurrent use.
type Embedder struct {
	*server
	cfg     EmbedConfig
	about   indexer.About
	service openai.EmbeddingService
}

// NewEmbedder builds a client for cfg without contacting the server. cfg.BaseURL and cfg.Name must be set. It
// fails as [NewOpenAI] does.
func NewEmbedder(cfg EmbedConfig, opts ...Option) (*Embedder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configuring embeddings: %w", err)
	}
	if !cfg.On() {
		return nil, errors.New("configuring embeddings: name: must name a model")
	}
	s, err := newServer(cfg.BaseURL, cfg.AllowHTTP, cfg.Rate, opts)
	if err != nil {
		return nil, fmt.Errorf("configuring embeddings: %w", err)
	}
	return &Embedder{
		server: s, cfg: cfg, about: aboutEmbedder(cfg, s.guard.origin), service: openai.NewEmbeddingService(s.service()...),
	}, nil
}

// aboutEmbedder describes the model of cfg at an address.
func aboutEmbedder(cfg EmbedConfig, at *url.URL) indexer.About {
	// Vectors can only be compared if one model made them with the same settings.
	key := cfg.Name + " at " + at.Host
	if cfg.Dimensions > 0 {
		key += " " + strconv.Itoa(cfg.Dimensions)
	}
	if cfg.ItemPrefix+cfg.QueryPrefix != "" {
		key += " " + strconv.Quote(cfg.ItemPrefix) + strconv.Quote(cfg.QueryPrefix)
	}
	return indexer.About{
		Name: cfg.Name, Key: key, Endpoint: endpoint(at), Local: isLoopback(at.Hostname()), Batch: cfg.Batch,
	}
}

// About implements [indexer.Embedder].
func (c *Embedder) About() indexer.About { return c.about }

// String describes the client without secrets.
func (c *Embedder) String() string { return c.about.Name + " at " + c.about.Endpoint }

// Embed implements [indexer.Embedder]. It retries failed requests as [OpenAI.Stream] does. Every error is an
// [*Error]; it wraps [indexer.ErrUnavailable] when a request for another text would fail too.
func (c *Embedder) Embed(ctx context.Context, purpose indexer.Purpose, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	prefix := c.cfg.ItemPrefix
	if purpose == indexer.ForQuery {
		prefix = c.cfg.QueryPrefix
	}
	input := make([]string, len(texts))
	for i, t := range texts {
		input[i] = prefix + t
	}
	for n := 1; ; n++ {
		began := c.now()
		out, e := c.attempt(ctx, input)
		c.record(ctx, purpose, n, len(input), c.now().Sub(began), e)
		if e == nil {
			return out, nil
		}
		e.Host = c.about.Endpoint
		if n > c.cfg.Retries || !e.retryable() || e.RetryAfter > maxRetryAfter {
			return nil, c.failure(e)
		}
		if !sleep(ctx, max(e.RetryAfter, backoff(n, c.random()))) {
			return nil, cancelled(ctx)
		}
	}
}

func (c *Embedder) failure(e *Error) error {
	// A server may fail because of the text: some answer 500 when it is too long.
	if e.unavailable() && e.Kind != KindServer {
		return fmt.Errorf("%w: %w", indexer.ErrUnavailable, e)
	}
	return e
}

// limitKey carries the read limit of an answer, in bytes, to the guard.
type limitKey struct{}

func (c *Embedder) attempt(ctx context.Context, input []string) ([][]float32, *Error) {
	quiet := func(Event) {}
	if !throttle(ctx, c.limiter, quiet) {
		return nil, cancelled(ctx)
	}
	actx, cancel := context.WithTimeoutCause(ctx, c.cfg.Timeout, timeout(KindFirstTokenTimeout, c.cfg.Timeout))
	defer cancel()
	actx = context.WithValue(actx, limitKey{}, int64(len(input)+1)*bytesPerText)
	p := openai.EmbeddingNewParams{
		Model: c.cfg.Name, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: input},
		EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat,
	}
	if c.cfg.Dimensions > 0 {
		p.Dimensions = openai.Int(int64(c.cfg.Dimensions))
	}
	res, err := c.service.New(actx, p)
	if err != nil {
		return nil, c.explain(ctx, actx, err)
	}
	return c.read(res, len(input))
}

// explain is [OpenAI.explain] for an answer in one piece.
func (c *Embedder) explain(ctx, actx context.Context, err error) *Error {
	var own *Error
	switch {
	case ctx.Err() != nil:
		return cancelled(ctx)
	case errors.As(context.Cause(actx), &own), errors.As(err, &own):
		return own
	case wrongJSON(err):
		return newError(KindBadResponse, "the answer is not the JSON it should be")
	}
	if e := networkError(err, c.guard.redact); e.cause != nil {
		return e
	}
	return newError(KindBadResponse, "the answer cannot be read as vectors")
}

// read checks an answer: one vector for each text, in order, all of one size and of finite numbers.
func (c *Embedder) read(res *openai.CreateEmbeddingResponse, n int) ([][]float32, *Error) {
	if len(res.Data) == 0 {
		if said := parseErrorPage([]byte(res.RawJSON())); said.message != "" {
			return nil, c.guard.refusal(http.StatusOK, nil, []byte(res.RawJSON()))
		}
	}
	bad := func(format string, args ...any) ([][]float32, *Error) {
		return nil, newError(KindBadResponse, fmt.Sprintf(format, args...))
	}
	if len(res.Data) != n {
		return bad("%d vectors came where %d were asked for", len(res.Data), n)
	}
	out := make([][]float32, n)
	for _, d := range res.Data {
		switch want := c.cfg.Dimensions; {
		case d.Index < 0 || d.Index >= int64(n) || out[d.Index] != nil:
			return bad("the vectors are not numbered as the texts are")
		case len(d.Embedding) == 0 || len(d.Embedding) > maxDimensions:
			return bad("a vector of %d numbers came", len(d.Embedding))
		case want > 0 && len(d.Embedding) != want:
			return bad("vectors of %d numbers came where %d were asked for", len(d.Embedding), want)
		case len(d.Embedding) != len(res.Data[0].Embedding):
			return bad("the vectors differ in size")
		}
		v := make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			v[i] = float32(x)
		}
		if err := indexer.Normalise(v); err != nil {
			return bad("a vector is not made of finite numbers, or is zero")
		}
		out[d.Index] = v
	}
	return out, nil
}

// record logs one line for an attempt, without the texts.
func (c *Embedder) record(ctx context.Context, purpose indexer.Purpose, n, texts int, took time.Duration, e *Error) {
	attrs := []slog.Attr{
		slog.String("purpose", "embedding "+string(purpose)), slog.String("model", c.cfg.Name), slog.String("endpoint", c.about.Endpoint),
		slog.Int("attempt", n), slog.Int("texts", texts), slog.Duration("took", took),
	}
	if e == nil {
		c.log.LogAttrs(ctx, slog.LevelDebug, "vectors came", attrs...)
		return
	}
	level, attrs := slog.LevelDebug, append(attrs, slog.String("kind", string(e.Kind)))
	if e.Kind != KindCancelled {
		level, attrs = slog.LevelWarn, append(attrs, slog.Int("status", e.Status))
	}
	c.log.LogAttrs(ctx, level, "vectors did not come", attrs...)
}

// NewUnreachable returns an [indexer.Embedder] for a configured model that cannot be asked; why gives the
// reason. cfg must be valid and have a BaseURL.
func NewUnreachable(cfg EmbedConfig, why string) (indexer.Embedder, error) {
	at, err := parseBaseURL(cfg.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("configuring embeddings: base_url: %w", err)
	}
	about := aboutEmbedder(cfg, at)
	about.Local = true // nothing leaves
	return unreachable{about, why}, nil
}

type unreachable struct {
	about indexer.About
	why   string
}

func (u unreachable) About() indexer.About { return u.about }

func (u unreachable) Embed(context.Context, indexer.Purpose, []string) ([][]float32, error) {
	return nil, fmt.Errorf("%w: %s", indexer.ErrUnavailable, u.why)
}
