package modeltest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"memoria/chat/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const streamed = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hello 世界"}]}`

// post sends a chat request and returns status, body and the error of reading it.
func post(t testing.TB, c *http.Client, url, body string) (int, string, error) {
	t.Helper()
	res, err := c.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = res.Body.Close() }()
	out, err := io.ReadAll(res.Body)
	return res.StatusCode, string(out), err
}

func TestEchoWhenTheScriptIsOver(t *testing.T) {
	srv := modeltest.NewServer(t, modeltest.Step{Text: "first"})
	c := &http.Client{}
	defer c.CloseIdleConnections()
	_, first, _ := post(t, c, srv.URL, streamed)
	_, second, err := post(t, c, srv.URL, streamed)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(first, `"content":"first"`) || !strings.Contains(second, `"content":"世界"`) {
		t.Errorf("%s\n%s", first, second)
	}
	for _, want := range []string{`"finish_reason":"stop"`, `"usage":{`, "data: [DONE]\n\n"} {
		if !strings.Contains(second, want) {
			t.Errorf("%s is missing in %s", want, second)
		}
	}
}

func TestAnswerInOnePiece(t *testing.T) {
	srv := modeltest.New(modeltest.Step{Text: "hi", Reasoning: "hm", ToolCalls: []modeltest.ToolCall{{Name: "f", Arguments: "{}"}}})
	c := &http.Client{Transport: srv.Transport()}
	_, body, err := post(t, c, "http://x/v1", strings.Replace(streamed, `"stream":true`, `"stream":false`, 1))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Choices []struct {
			Message struct {
				Content   string
				ToolCalls []struct{ Function modeltest.ToolCall } `json:"tool_calls"`
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if m := got.Choices[0]; m.Message.Content != "hi" || m.FinishReason != "tool_calls" || m.Message.ToolCalls[0].Function.Name != "f" {
		t.Errorf("answer is %s", body)
	}
}

func TestRequestsAreKept(t *testing.T) {
	srv := modeltest.New()
	c := &http.Client{Transport: srv.Transport()}
	body := `{"model":"m","messages":[{"role":"system","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"role":"user","content":"q"},{"role":"assistant","content":null}],
		"tools":[{"type":"function","function":{"name":"f"}}],"top_p":1}`
	if _, _, err := post(t, c, "http://x/v1", body); err != nil {
		t.Fatal(err)
	}
	r := srv.Wait(t.Context(), 1)[0]
	if r.Model != "m" || r.LastUser() != "q" || r.Text() != "system: ab\nuser: q\nassistant: \n" || !r.Offers("f") || r.Offers("g") || !r.Has("top_p") || r.Stream {
		t.Errorf("request is %+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n := len(srv.Wait(ctx, 2)); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestWaitForRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := modeltest.New()
		c := &http.Client{Transport: srv.Transport()}
		go func() {
			for range 3 {
				time.Sleep(time.Minute)
				_, _, _ = post(t, c, "http://x/v1", streamed)
			}
		}()
		start := time.Now()
		if n := len(srv.Wait(t.Context(), 3)); n != 3 || time.Since(start) != 3*time.Minute {
			t.Errorf("%d after %v", n, time.Since(start))
		}
	})
}

// A step goes to the request it is for, whatever the order.
func TestWhen(t *testing.T) {
	srv := modeltest.New(
		modeltest.Step{When: modeltest.When{Tool: "judge"}, Text: "for the judge"},
		modeltest.Step{When: modeltest.When{Contains: "世界"}, Text: "for the world", Repeat: true},
		modeltest.Step{When: modeltest.When{NoTools: true, Model: "big"}, Text: "for the big one"},
	)
	c := &http.Client{Transport: srv.Transport()}
	for _, tt := range []struct{ body, want string }{
		{streamed, "for"},
		{streamed, "world"},
		{`{"model":"big","stream":true,"messages":[{"role":"user","content":"plain"}]}`, "big"},
		{`{"model":"big","stream":true,"messages":[{"role":"user","content":"plain"}]}`, "plain"},
		{`{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"tools":[{"function":{"name":"judge"}}]}`, "judge"},
	} {
		if _, body, err := post(t, c, "http://x/v1", tt.body); err != nil || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %q is not in %s (%v)", tt.body, tt.want, body, err)
		}
	}
	if srv.Left() != 1 {
		t.Errorf("%d steps left", srv.Left())
	}
}

func TestHoldAndDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		srv := modeltest.New(modeltest.Step{Text: "a b", HoldAfter: modeltest.After(1), Hold: hold,
			Before: modeltest.Duration(time.Second), First: modeltest.Duration(2 * time.Second), Delay: modeltest.Duration(time.Minute)})
		srv.Delay = time.Hour
		time.AfterFunc(24*time.Hour, func() { close(hold) })
		start := time.Now()
		_, body, err := post(t, &http.Client{Transport: srv.Transport()}, "http://x/v1", streamed)
		if err != nil {
			t.Fatal(err)
		}
		// Role, a, (hold until 24 h), b, finish, usage, mark: four delays after the hold.
		if took := time.Since(start); took != 24*time.Hour+4*(time.Hour+time.Minute) {
			t.Errorf("took %v", took)
		}
		if strings.Count(body, "data: ") != 6 {
			t.Errorf("body is %s", body)
		}
	})
}

// Broken connections look alike over loopback and in process.
func TestDrops(t *testing.T) {
	for _, n := range []int{0, 2} {
		step := modeltest.Step{Text: "a b c d", DropAfter: modeltest.After(n)}
		listening := modeltest.NewServer(t, step)
		real := &http.Client{}
		for url, c := range map[string]*http.Client{listening.URL: real, "http://x/v1": {Transport: modeltest.New(step).Transport()}} {
			_, body, err := post(t, c, url, streamed)
			if !errors.Is(err, io.ErrUnexpectedEOF) || strings.Count(body, "data: ") != n+min(n, 1) {
				t.Errorf("%s, after %d: %q, %v", url, n, body, err)
			}
		}
		real.CloseIdleConnections()
	}
	broken := &http.Client{Transport: modeltest.Transport(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))}
	if _, _, err := post(t, broken, "http://x", "{}"); err == nil {
		t.Error("no error of a connection broken before the headers")
	}
}

// A server that is silent lets go when it is closed.
func TestCloseReleases(t *testing.T) {
	srv := modeltest.NewServer(t, modeltest.Step{Text: "a b", StallAfter: modeltest.After(1)})
	c := &http.Client{}
	done := make(chan error, 1)
	go func() {
		_, _, err := post(t, c, srv.URL, streamed)
		done <- err
	}()
	srv.Wait(t.Context(), 1)
	srv.Close()
	if err := <-done; err == nil {
		t.Error("the answer ended without an error")
	}
	c.CloseIdleConnections()
}

func TestNotChat(t *testing.T) {
	srv := modeltest.New()
	c := &http.Client{Transport: srv.Transport()}
	for _, tt := range []struct {
		path, body string
		status     int
	}{{"/v1", "not JSON", 400}, {"/v1/other", "{}", 200}, {"/v1?", "{}", 404}} {
		if status, body, err := post(t, c, "http://x"+tt.path, tt.body); status != tt.status || err != nil {
			t.Errorf("%s: %d %s %v", tt.path, status, body, err)
		}
	}
	res, err := c.Get("http://x/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if list, _ := io.ReadAll(res.Body); string(list) != `{"object":"list","data":[{"id":"scripted","object":"model","owned_by":"modeltest"}]}` {
		t.Errorf("models are %s", list)
	}
}

const script = `
# a comment
Hello there, 你好
{"status": 429, "retry_after": "2"}
{"text": "half an ans", "deltas": 4, "drop_after": 0, "delay": "30ms"}
{"tool_calls": [{"name": "judge", "arguments": "{\"a\": 1}"}], "when": {"tool": "judge"}}
`

func TestParseScript(t *testing.T) {
	steps, err := modeltest.ParseScript(strings.NewReader(script))
	if err != nil {
		t.Fatal(err)
	}
	want := []modeltest.Step{
		{Text: "Hello there, 你好"},
		{Status: 429, RetryAfter: "2"},
		{Text: "half an ans", Deltas: 4, DropAfter: modeltest.After(0), Delay: modeltest.Duration(30 * time.Millisecond)},
		{ToolCalls: []modeltest.ToolCall{{Name: "judge", Arguments: `{"a": 1}`}}, When: modeltest.When{Tool: "judge"}},
	}
	if d := cmp.Diff(want, steps); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{`{"txt": "x"}`, `{"text": "x"`, `{"text": "x"} {}`, `{"delay": "soon"}`} {
		if _, err := modeltest.ParseScript(strings.NewReader("ok\n" + bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// FuzzParseScript: what is read can be written and read again.
func FuzzParseScript(f *testing.F) {
	f.Add(script)
	f.Add("00\x9e")
	f.Add(`{"giant": 5, "before": "1h"}`)
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := modeltest.ParseScript(strings.NewReader(text))
		if err != nil {
			return
		}
		var out strings.Builder
		for _, s := range steps {
			line, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			out.WriteString(string(line) + "\n")
		}
		again, err := modeltest.ParseScript(strings.NewReader(out.String()))
		if err != nil {
			t.Fatalf("%v in %s", err, out.String())
		}
		var back strings.Builder
		for _, s := range again {
			line, _ := json.Marshal(s)
			back.WriteString(string(line) + "\n")
		}
		if back.String() != out.String() {
			t.Fatalf("%s is not %s", back.String(), out.String())
		}
	})
}

// The program by hand: prints its address, serves its script, ends when it is told to.
func TestByHand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.txt")
	if err := os.WriteFile(file, []byte("scripted words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- modeltest.Main(ctx, []string{"-script", file, "-delay", "1ms", "-model", "tiny"}, in, io.Discard)
		_ = in.Close()
	}()
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{}
	if _, body, err := post(t, c, strings.TrimSpace(url), streamed); err != nil || !strings.Contains(body, `"content":"scripted "`) {
		t.Errorf("%s, %v", body, err)
	}
	c.CloseIdleConnections()
	cancel()
	if got := <-code; got != 0 {
		t.Errorf("exit code %d", got)
	}
}

func TestByHandWrong(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.txt")
	if err := os.WriteFile(bad, []byte(`{"nonsense": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"-nonsense"}, 2},
		{[]string{"argument"}, 2},
		{[]string{"-script", bad}, 1},
		{[]string{"-script", bad + ".missing"}, 1},
		{[]string{"-addr", "256.0.0.1:1"}, 1},
	} {
		var says strings.Builder
		if code := modeltest.Main(t.Context(), tt.args, io.Discard, &says); code != tt.code || says.Len() == 0 {
			t.Errorf("%v: code %d, %q", tt.args, code, says.String())
		}
	}
}
