package model_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

const sec = modeltest.Duration(time.Second)

// transportFunc is a network of one function.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// never is a network that does not answer; connected says whether the connection at least stands.
func never(connected bool) transportFunc {
	return func(r *http.Request) (*http.Response, error) {
		if trace := httptrace.ContextClientTrace(r.Context()); connected && trace != nil {
			trace.GotConn(httptrace.GotConnInfo{})
		}
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
}

// I3: each timer ends the request with an error of its own, after its time and not before.
func TestTimers(t *testing.T) {
	for _, tt := range []struct {
		name string
		net  http.RoundTripper
		kind model.Kind
		took time.Duration
		text string
	}{
		{name: "no connection", net: never(false), kind: model.KindConnectTimeout, took: 10 * time.Second},
		{name: "connected, no headers", net: never(true), kind: model.KindFirstTokenTimeout, took: 2 * time.Minute},
		{name: "headers, no event", net: modeltest.New(modeltest.Step{Text: "x", First: 3600 * sec}).Transport(),
			kind: model.KindFirstTokenTimeout, took: 2 * time.Minute},
		{name: "comments do not count as an answer", net: modeltest.Transport(drip(": keep-alive\n\n")),
			kind: model.KindFirstTokenTimeout, took: 2 * time.Minute},
		{name: "silence in the answer", net: modeltest.New(modeltest.Step{Text: "a b c", StallAfter: modeltest.After(2), Delay: 50 * sec}).Transport(),
			kind: model.KindIdleTimeout, took: 160 * time.Second, text: "a b "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := config()
				cfg.Retries = 0
				c, err := model.NewOpenAI(cfg, model.WithTransport(tt.net))
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				reply, err := c.Stream(t.Context(), ask("?"), nil)
				mustFail(t, err, tt.kind)
				if took := time.Since(start); took != tt.took || reply.Took != tt.took {
					t.Errorf("took %v (%v in the reply), want %v", took, reply.Took, tt.took)
				}
				if reply.Text != tt.text || reply.Complete() {
					t.Errorf("reply is %+v", reply)
				}
			})
		})
	}
}

// drip sends s every five seconds for ever.
func drip(s string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := io.WriteString(w, s); err != nil {
				return
			}
			select {
			case <-time.After(5 * time.Second):
			case <-r.Context().Done():
				return
			}
		}
	})
}

// I3: there is no limit on a healthy stream: one token every 59 seconds for an hour, with a receiver that takes
// longer than any timer.
func TestLongStreamsLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := modeltest.New(modeltest.Step{Text: strings.Repeat("x ", 59) + "x", First: 100 * sec, Delay: 59 * sec})
		c := inProcess(t, srv, config())
		slow := 0
		reply, err := c.Stream(t.Context(), ask("?"), func(e model.Event) {
			if _, ok := e.(model.Delta); ok && slow < 3 {
				slow++
				time.Sleep(10 * time.Minute) // a blocked screen, in the bubble's time
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if reply.Text != strings.Repeat("x ", 59)+"x" || reply.Took < time.Hour || reply.FirstToken != 100*time.Second {
			t.Errorf("%d bytes, first after %v, took %v", len(reply.Text), reply.FirstToken, reply.Took)
		}
	})
}

// Once the finish reason is there, a server that forgets to close costs five seconds, also when it drips.
func TestFinishedAnswerIsNotHeldUp(t *testing.T) {
	for name, net := range map[string]http.RoundTripper{
		"silent": modeltest.New(modeltest.Step{Text: "done", NoDone: true, NoUsage: true, NoFinish: true, Malformed: stop}).Transport(),
		"drips":  modeltest.Transport(drip(`data: {"choices":[{"index":0,"delta":{"content":"done"},"finish_reason":"stop"}]}` + "\n\n")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				held := transportFunc(func(r *http.Request) (*http.Response, error) {
					res, err := net.RoundTrip(r)
					if err == nil {
						res.Body = stuckAtEnd{res.Body, r.Context()}
					}
					return res, err
				})
				c, err := model.NewOpenAI(config(), model.WithTransport(held))
				if err != nil {
					t.Fatal(err)
				}
				reply, err := c.Stream(t.Context(), ask("?"), nil)
				if err != nil || !reply.Complete() {
					t.Fatalf("%+v, %v", reply, err)
				}
				if reply.Took != 5*time.Second {
					t.Errorf("took %v", reply.Took)
				}
			})
		})
	}
}

// stuckAtEnd is a body that ends only with its request.
type stuckAtEnd struct {
	io.ReadCloser
	ctx context.Context
}

func (s stuckAtEnd) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if n == 0 && errors.Is(err, io.EOF) {
		<-s.ctx.Done()
	}
	return n, err
}

// I3: exponential backoff, announced before each wait: 0.5, 1, 2 s without jitter, then the answer.
func TestRetriesBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := modeltest.New(
			modeltest.Step{Status: 500}, modeltest.Step{Text: "x", DropAfter: modeltest.After(0)}, modeltest.Step{Status: 529}, modeltest.Step{Text: "at last"})
		var rec recorder
		start := time.Now()
		reply, err := inProcess(t, srv, config()).Stream(t.Context(), ask("?"), rec.on)
		if err != nil || reply.Text != "at last" {
			t.Fatalf("%+v, %v", reply, err)
		}
		want := []model.Retrying{
			{Attempt: 2, Of: 4, Wait: 500 * time.Millisecond, Kind: model.KindServer, Reason: "scripted: internal server error"},
			{Attempt: 3, Of: 4, Wait: time.Second, Kind: model.KindNetwork, Reason: "the connection broke off"},
			{Attempt: 4, Of: 4, Wait: 2 * time.Second, Kind: model.KindServer, Reason: "scripted:"},
		}
		if d := cmp.Diff(want, eventsOf[model.Retrying](&rec)); d != "" {
			t.Error(d)
		}
		if took := time.Since(start); took != 3500*time.Millisecond || reply.FirstToken != took {
			t.Errorf("took %v, first token after %v", took, reply.FirstToken)
		}
	})
}

// I3: Retry-After in seconds and as a date, with or without the server's own clock; too long a wait ends the attempts.
func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name, after string
		header      http.Header
		wait        time.Duration // 0: no further attempt
		told        time.Duration
	}{
		{name: "seconds", after: "7", wait: 7 * time.Second},
		{name: "parts of a second", after: "1.5", wait: 1500 * time.Millisecond},
		{name: "milliseconds", header: http.Header{"Retry-After-Ms": {"2500"}}, after: "9", wait: 2500 * time.Millisecond},
		{name: "shorter than the backoff", after: "0", wait: 500 * time.Millisecond},
		{name: "date by our clock", after: "Sat, 01 Jan 2000 00:00:30 GMT", wait: 30 * time.Second},
		{name: "date by the server's clock", header: http.Header{"Date": {"Mon, 07 Sep 2026 10:00:00 GMT"}}, after: "Mon, 07 Sep 2026 10:00:20 GMT", wait: 20 * time.Second},
		{name: "date in the past", after: "Sat, 01 Jan 1999 00:00:00 GMT", wait: 500 * time.Millisecond},
		{name: "nonsense", after: "soon", wait: 500 * time.Millisecond},
		{name: "not a number", after: "NaN", wait: 500 * time.Millisecond},
		{name: "negative", after: "-3", wait: 500 * time.Millisecond},
		{name: "the longest that is waited for", after: "120", wait: 2 * time.Minute},
		{name: "too long", after: "121", told: 121 * time.Second},
		{name: "absurd", after: "1e300", told: 24 * time.Hour},
		{name: "infinite", after: "1e999", told: 24 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := modeltest.New(modeltest.Step{Status: 429, RetryAfter: tt.after}, modeltest.Step{Text: "ok"})
				net := transportFunc(func(r *http.Request) (*http.Response, error) {
					res, err := srv.Transport().RoundTrip(r)
					for k, v := range tt.header {
						res.Header[k] = v
					}
					return res, err
				})
				var rec recorder
				start := time.Now()
				c := inProcess(t, srv, config(), model.WithTransport(net))
				_, err := c.Stream(t.Context(), ask("?"), rec.on)
				if took := time.Since(start); took != tt.wait {
					t.Errorf("waited %v, want %v", took, tt.wait)
				}
				if tt.wait > 0 {
					if r := eventsOf[model.Retrying](&rec); err != nil || len(r) != 1 || r[0].Wait != tt.wait {
						t.Errorf("%v, %+v", err, r)
					}
					return
				}
				if e := failure(t, err, model.KindRate); e.RetryAfter != tt.told || !strings.Contains(e.Hint, tt.told.String()) {
					t.Errorf("the error tells %v, want %v", e.RetryAfter, tt.told)
				}
			})
		})
	}
}

// I3: nothing is repeated once something of an answer has come, nor what cannot get better.
func TestNotRepeated(t *testing.T) {
	for name, step := range map[string]modeltest.Step{
		"dropped after the first word": {Text: "one two", DropAfter: modeltest.After(1)},
		"only the role had come":       events(`{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`),
		"error in the answer":          events(`{"choices":[{"index":0,"delta":{"content":"a"}}]}`, `{"error":{"message":"x","code":503}}`),
		"wrong key":                    {Status: 401},
		"no money":                     {Status: 402},
		"web page":                     {Status: 200, Body: "<html>"},
		"no first token":               {Text: "x", First: 3600 * sec},
		"too long a context":           {Status: 400, Body: `{"error":{"code":"context_length_exceeded"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				step.Repeat = true
				srv := modeltest.New(step)
				var rec recorder
				if _, err := inProcess(t, srv, config()).Stream(t.Context(), ask("?"), rec.on); err == nil {
					t.Error("no error")
				}
				if n := len(srv.Requests()); n != 1 || len(eventsOf[model.Retrying](&rec)) != 0 {
					t.Errorf("%d requests, events %v", n, rec.events)
				}
			})
		})
	}
}

// A first chunk that the server sends for itself alone is an answer begun; comments are not.
func TestCommentsAreNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := modeltest.New(modeltest.Step{Raw: ": working on it\n\ndata: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n"})
		reply, err := inProcess(t, srv, config()).Stream(t.Context(), ask("hello"), nil)
		if err != nil || reply.Text != "hello" || len(srv.Requests()) != 2 {
			t.Errorf("%+v, %v, %d requests", reply, err, len(srv.Requests()))
		}
	})
}

// I3: when all attempts fail, the last error is returned after retries waits.
func TestRetriesEnd(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		retries := rapid.IntRange(0, 10).Draw(rt, "retries")
		random := rapid.Float64Range(0, 1).Draw(rt, "random")
		synctest.Test(t, func(t *testing.T) {
			cfg := config()
			cfg.Retries = retries
			srv := modeltest.New(modeltest.Step{Status: 500, Repeat: true})
			var rec recorder
			c := inProcess(t, srv, cfg, model.WithRandom(func() float64 { return random }))
			_, err := c.Stream(t.Context(), ask("?"), rec.on)
			mustFail(t, err, model.KindServer)
			waits := eventsOf[model.Retrying](&rec)
			if len(waits) != retries || len(srv.Requests()) != retries+1 {
				t.Errorf("%d waits, %d requests", len(waits), len(srv.Requests()))
			}
			for i, w := range waits {
				if w.Wait < 375*time.Millisecond || w.Wait > 25*time.Second || (i > 0 && w.Wait < waits[i-1].Wait) {
					t.Errorf("wait %d is %v after %v", i, w.Wait, waits[max(i-1, 0)].Wait)
				}
			}
		})
	})
}

// Cancelling ends every kind of wait at once, with its cause.
func TestCancelAtOnce(t *testing.T) {
	byUser := errors.New("Esc")
	slow := config()
	slow.Rate = 1
	for _, tt := range []struct {
		name string
		net  http.RoundTripper
		cfg  model.Config
	}{
		{"connecting", never(false), config()},
		{"waiting for headers", never(true), config()},
		{"waiting for the first token", modeltest.New(modeltest.Step{Text: "x", First: 3600 * sec}).Transport(), config()},
		{"in the answer", modeltest.New(modeltest.Step{Text: "x y", StallAfter: modeltest.After(1)}).Transport(), config()},
		{"waiting to retry", modeltest.New(modeltest.Step{Status: 429, RetryAfter: "60"}).Transport(), config()},
		{"waiting for the rate limit", modeltest.New(modeltest.Step{Status: 500, Repeat: true}).Transport(), slow},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, err := model.NewOpenAI(tt.cfg, model.WithTransport(tt.net))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(3*time.Second, func() { cancel(byUser) })
				start := time.Now()
				_, err = c.Stream(ctx, ask("?"), nil)
				mustFail(t, err, model.KindCancelled)
				if !errors.Is(err, byUser) || time.Since(start) != 3*time.Second {
					t.Errorf("%v after %v", err, time.Since(start))
				}
			})
		})
	}
}

// S4: a caller's own deadline, as the judge has one, can be told from a user's cancelling.
func TestCallersDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := model.NewOpenAI(config(), model.WithTransport(never(true)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		_, err = c.Stream(ctx, ask("?"), nil)
		mustFail(t, err, model.KindCancelled)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v", err)
		}
	})
}

// I3: with a rate of n, no minute sees more than n requests begin, and the limit can be used up in the long run.
func TestRateLimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		perMinute := rapid.IntRange(1, 24).Draw(rt, "rate")
		gaps := rapid.SliceOfN(rapid.IntRange(0, 90), 2, 2).Draw(rt, "gaps")
		synctest.Test(t, func(t *testing.T) {
			cfg := config()
			cfg.Rate = perMinute
			var at []time.Time
			srv := modeltest.New()
			c := inProcess(t, srv, cfg, model.WithTransport(transportFunc(func(r *http.Request) (*http.Response, error) {
				at = append(at, time.Now())
				return srv.Transport().RoundTrip(r)
			})))
			throttled := 0
			for _, gap := range gaps {
				time.Sleep(time.Duration(gap) * time.Second)
				for range perMinute {
					if _, err := c.Stream(t.Context(), ask("x"), func(e model.Event) {
						if _, ok := e.(model.Throttled); ok {
							throttled++
						}
					}); err != nil {
						t.Fatal(err)
					}
				}
			}
			const rounding = time.Millisecond
			for i := perMinute; i < len(at); i++ {
				if d := at[i].Sub(at[i-perMinute]); d < time.Minute-rounding {
					t.Fatalf("requests %d and %d are %v apart", i-perMinute, i, d)
				}
			}
			if throttled == 0 && perMinute > 1 {
				t.Error("waits were not announced")
			}
			if whole := at[len(at)-1].Sub(at[0]); whole > 2*91*time.Second+3*time.Minute {
				t.Errorf("%d requests took %v", len(at), whole)
			}
		})
	})
}
