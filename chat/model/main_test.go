package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testKey = "sk-test-Zq8vK2mN4pR6tX1y"

// config is the default one, pointed at loopback.
func config() model.Config {
	c := model.DefaultConfig()
	c.BaseURL, c.Name = "http://127.0.0.1:4000/v1", "scripted"
	return c
}

// inProcess builds a client that srv answers without a network.
func inProcess(t testing.TB, srv *modeltest.Server, cfg model.Config, opts ...model.Option) *model.OpenAI {
	t.Helper()
	opts = append([]model.Option{model.WithKey(testKey), model.WithTransport(srv.Transport()),
		model.WithRandom(func() float64 { return 0.5 })}, opts...)
	c, err := model.NewOpenAI(cfg, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func ask(text string) model.Request {
	return model.Request{Messages: []model.Message{{Role: model.RoleUser, Content: text}}}
}

// recorder keeps the events of one call.
type recorder struct{ events []model.Event }

func (r *recorder) on(e model.Event) { r.events = append(r.events, e) }

// text is all deltas joined that were not taken back.
func (r *recorder) text() string {
	var b strings.Builder
	for _, e := range r.events {
		switch e := e.(type) {
		case model.Delta:
			b.WriteString(e.Text)
		case model.Reconsidered:
			b.Reset()
		}
	}
	return b.String()
}

func eventsOf[T model.Event](r *recorder) []T {
	var out []T
	for _, e := range r.events {
		if e, ok := e.(T); ok {
			out = append(out, e)
		}
	}
	return out
}

// failing is what mustFail and failure need of a test; rapid's are fine too.
type failing interface {
	Helper()
	Fatalf(string, ...any)
}

// mustFail checks that err is a *model.Error of the kind.
func mustFail(t failing, err error, kind model.Kind) {
	t.Helper()
	_ = failure(t, err, kind)
}

// failure is mustFail, and returns the error.
func failure(t failing, err error, kind model.Kind) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want one of kind %s", err, kind)
	}
	if e.Kind != kind {
		t.Fatalf("kind is %s (%v), want %s", e.Kind, e, kind)
	}
	return e
}

func background(t testing.TB) context.Context {
	t.Helper()
	return t.Context()
}
