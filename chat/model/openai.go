package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"golang.org/x/time/rate"
)

// OpenAI is a [Client] for a server that speaks the OpenAI chat protocol (I3). It is safe for concurrent use.
type OpenAI struct {
	*server
	cfg     Config
	info    Info
	chat    openai.ChatCompletionService
	learned atomic.Uint32 // the server's known dialect
	sizes   sizes
}

// Option changes how [NewOpenAI] builds a client.
type Option func(*options)

type options struct {
	key       string
	transport http.RoundTripper
	log       *slog.Logger
	now       func() time.Time
	random    func() float64
}

// WithKey sets the key for the configured endpoint; it is sent nowhere else. "" sends none.
func WithKey(key string) Option { return func(o *options) { o.key = key } }

// WithTransport replaces the network, for tests. The transport must obey the request's context.
func WithTransport(t http.RoundTripper) Option { return func(o *options) { o.transport = t } }

// WithLogger sets the logger that gets one line for each attempt: purpose, model, outcome, times and tokens,
// never words of the conversation. The default discards the lines.
func WithLogger(l *slog.Logger) Option { return func(o *options) { o.log = l } }

// WithClock replaces the wall clock for Retry-After dates and durations.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithRandom replaces the source of the jitter, which returns numbers from 0 to 1.
func WithRandom(random func() float64) Option { return func(o *options) { o.random = random } }

// server is the connection to one server.
type server struct {
	guard   *guard
	http    *http.Client
	limiter *rate.Limiter
	log     *slog.Logger
	now     func() time.Time
	random  func() float64
}

// newServer makes the connection to an address, with the key of opts if there is one. It sends nothing.
func newServer(address string, allowHTTP bool, perMinute int, opts []Option) (*server, error) {
	o := options{log: slog.New(slog.DiscardHandler), now: time.Now, random: rand.Float64}
	for _, opt := range opts {
		opt(&o)
	}
	base, err := parseBaseURL(address)
	if err != nil {
		return nil, fmt.Errorf("base_url: %w", err)
	}
	key := strings.TrimSpace(o.key)
	switch {
	case strings.ContainsFunc(key, func(r rune) bool { return r < 0x21 || r > 0x7E }):
		return nil, errors.New("the key contains a character that no key has, such as a space or line break")
	case key != "" && base.Scheme != "https" && !isLoopback(base.Hostname()) && !allowHTTP:
		return nil, fmt.Errorf("the key would travel unencrypted to %s: use https, or set allow_http", base.Host)
	}
	if o.transport == nil {
		o.transport = newTransport()
	}
	g := &guard{next: o.transport, origin: base, redact: newRedactor(key), maskers: newMaskers(key), now: o.now}
	g.authorize = func(h http.Header) {
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
	}
	return &server{
		guard: g, http: &http.Client{Transport: g, CheckRedirect: g.checkRedirect}, limiter: newLimiter(perMinute),
		log: o.log, now: o.now, random: o.random,
	}, nil
}

// service returns the options of the library's services. The services are built directly: openai.NewClient would
// read OPENAI_BASE_URL, keys, organisation and headers from the environment, and the screen would show something
// else.
func (s *server) service() []option.RequestOption {
	return []option.RequestOption{option.WithBaseURL(s.guard.origin.String()), option.WithHTTPClient(s.http), option.WithMaxRetries(0)}
}

// Close closes idle connections. The client stays usable.
func (s *server) Close() error {
	if t, ok := s.guard.next.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
	return nil
}

// NewOpenAI builds a client without contacting the server. It fails when cfg is invalid, when the key cannot be
// sent in a header, and when the key would travel unencrypted to another computer and cfg.AllowHTTP is not set.
func NewOpenAI(cfg Config, opts ...Option) (*OpenAI, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configuring the model: %w", err)
	}
	s, err := newServer(cfg.BaseURL, cfg.AllowHTTP, cfg.Rate, opts)
	if err != nil {
		return nil, fmt.Errorf("configuring the model: %w", err)
	}
	base := s.guard.origin
	return &OpenAI{
		server: s, cfg: cfg,
		info: Info{
			Name: "openai", Endpoint: endpoint(base), Model: cfg.Name, ContextTokens: cfg.ContextTokens,
			SelfHosted: base.Scheme != "https" || isLoopback(base.Hostname()),
		},
		sizes: sizes{tells: map[string]sizeSource{}, slow: map[string]int{}},
		chat:  openai.NewChatCompletionService(s.service()...),
	}, nil
}

// Info implements [Client].
func (c *OpenAI) Info() Info { return c.info }

// String describes the client without secrets.
func (c *OpenAI) String() string { return c.info.Model + " at " + c.info.Endpoint }

// Stream implements [Client]. Until part of the answer arrives, it retries failed attempts after the backoff or
// the wait that the server asks for, whichever is longer. It announces each retry by [Retrying]. A request with
// Once set is not retried.
func (c *OpenAI) Stream(ctx context.Context, req Request, on func(Event)) (Reply, error) {
	if on == nil {
		on = func(Event) {}
	}
	start, of := c.now(), c.cfg.Retries+1
	if req.Once {
		of = 1
	}
	var first time.Duration
	firstToken := func() {
		first = c.now().Sub(start)
		on(FirstToken{After: first})
	}
	for n := 1; ; n++ {
		began := c.now()
		reply, begun, e := c.try(ctx, req, on, firstToken)
		reply.FirstToken, reply.Took = first, c.now().Sub(start)
		if reply.Model == "" {
			reply.Model = c.modelName(req)
		}
		c.record(ctx, req, n, c.now().Sub(began), reply, e)
		if e == nil {
			return reply, nil
		}
		e.Host = c.info.Endpoint
		if e.RetryAfter > maxRetryAfter {
			e.Hint = "The server asks to wait: send again in " + e.RetryAfter.Round(time.Second).String() + "."
		}
		if begun || n >= of || !e.retryable() || e.RetryAfter > maxRetryAfter {
			return reply, e
		}
		wait := max(e.RetryAfter, backoff(n, c.random()))
		on(Retrying{Attempt: n + 1, Of: of, Wait: wait, Kind: e.Kind, Reason: e.Message})
		if !sleep(ctx, wait) {
			e = cancelled(ctx)
			e.Host = c.info.Endpoint
			reply.Took = c.now().Sub(start)
			return reply, e
		}
	}
}

// try makes one attempt, and more at once while the server refuses optional fields.
func (c *OpenAI) try(ctx context.Context, req Request, on func(Event), firstToken func()) (Reply, bool, *Error) {
	d := dialect(c.learned.Load())
	for {
		if !throttle(ctx, c.limiter, on) {
			return Reply{}, false, cancelled(ctx)
		}
		reply, begun, e := c.attempt(ctx, req, d, on, firstToken)
		if e == nil {
			c.learned.Store(uint32(d.after(req, reply)))
			return reply, begun, nil
		}
		if !begun && !d.choiceRefused(req, e) && e.toolsRefused(req) {
			e.Kind, e.Hint = KindTools, hints[KindTools]
			return reply, begun, e
		}
		next := d.adapt(req, e)
		if begun || next == d {
			return reply, begun, e
		}
		d = next
	}
}

func (c *OpenAI) modelName(req Request) string {
	if req.Model != "" {
		return req.Model
	}
	return c.cfg.Name
}

// record logs one line for an attempt, without the error's text: a server may quote the conversation.
func (c *OpenAI) record(ctx context.Context, req Request, n int, took time.Duration, r Reply, e *Error) {
	purpose := req.Purpose
	if purpose == "" {
		purpose = PurposeReply
	}
	attrs := []slog.Attr{
		slog.String("purpose", purpose), slog.String("model", r.Model), slog.String("endpoint", c.info.Endpoint),
		slog.Int("attempt", n), slog.Duration("took", took), slog.Duration("first_token", r.FirstToken),
		slog.Int("prompt_tokens", r.Usage.PromptTokens), slog.Int("completion_tokens", r.Usage.CompletionTokens),
	}
	if e == nil {
		c.log.LogAttrs(ctx, slog.LevelInfo, "model answered", append(attrs, slog.String("finish", r.FinishReason))...)
		return
	}
	level := slog.LevelWarn
	if e.Kind == KindCancelled {
		level = slog.LevelInfo
	}
	c.log.LogAttrs(ctx, level, "model did not answer", append(attrs, slog.String("kind", string(e.Kind)), slog.Int("status", e.Status))...)
}
