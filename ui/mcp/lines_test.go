package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// linesOf reads all lines and the error at the end.
func linesOf(r io.Reader) (lines []string, err error) {
	var l lineBuffer
	chunk := make([]byte, 32<<10)
	for {
		line, err := l.next()
		switch {
		case errors.Is(err, errWait):
			n, err := r.Read(chunk)
			l.add(chunk[:n], err)
		case err != nil:
			return lines, err
		default:
			lines = append(lines, string(line))
		}
	}
}

func TestLines(t *testing.T) {
	most := strings.Repeat("a", MaxLine)
	for in, want := range map[string]struct {
		lines []string
		err   error
	}{
		"":                  {nil, io.EOF},
		"\n\r\n  \n":        {nil, io.EOF},
		"a\nb\r\n c \nd":    {[]string{"a", "b", "c", "d"}, io.EOF},
		most + "\r\nb\n":    {[]string{most, "b"}, io.EOF},
		most:                {[]string{most}, io.EOF},
		most + "a\nb\n":     {nil, ErrTooLong},
		most + "aaaaa":      {nil, ErrTooLong},
		"a\n" + most + "aa": {[]string{"a"}, ErrTooLong},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(in), "halves": iotest.HalfReader(strings.NewReader(in)),
			"data with the end": iotest.DataErrReader(strings.NewReader(in)),
		} {
			lines, err := linesOf(r)
			if !errors.Is(err, want.err) || strings.Join(lines, "|") != strings.Join(want.lines, "|") {
				t.Errorf("%s of %.20q: %d lines, %v", name, in, len(lines), err)
			}
		}
	}
	broken := errors.New("broken")
	if lines, err := linesOf(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken))); !errors.Is(err, broken) || len(lines) != 1 {
		t.Errorf("a broken stream: %q, %v", lines, err)
	}
}

// endless yields one line that does not end, and counts what was read.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.n += len(p)
	return len(p), nil
}

func TestEndlessLine(t *testing.T) {
	var e endless
	if _, err := linesOf(&e); !errors.Is(err, ErrTooLong) || e.n > MaxLine+64<<10 {
		t.Errorf("%d bytes were read: %v", e.n, err)
	}
}

// A call that cannot be read is answered by its id, if it has one.
func TestRefusals(t *testing.T) {
	for line, want := range map[string]string{
		`no JSON`:                               `{"id":null,"jsonrpc":"2.0","error":{"code":-32700,"message":"the line is not JSON"}}`,
		`[]`:                                    `{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"the line is not a JSON-RPC message"}}`,
		`{"id":7}`:                              `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"the line is not a JSON-RPC message"}}`,
		`{"id":{},"method":5}`:                  `{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"the line is not a JSON-RPC message"}}`,
		`{"jsonrpc":"1","id":"a","method":"x"}`: `{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"the line is not a JSON-RPC message"}}`,
	} {
		m, bad := parse([]byte(line))
		var out bytes.Buffer
		c := &connection{out: &out, sending: make(chan struct{}, 1)}
		if m != nil || c.put(bad) != nil || strings.TrimSpace(out.String()) != want {
			t.Errorf("%s: %v, %s", line, m, out.String())
		}
	}
}

// FuzzLines checks that the reader returns the lines of any input, bounded, however it
// comes, and that a message is JSON.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"", "\n", "{}\n{}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n", "[1,\n2]\n", "\x00\xff\n", "\"\u2028\"\n \t\n",
		`{"jsonrpc":"2.0","id":{},"method":5}`, `{"jsonrpc":"2.0","id":1e400,"result":null}`, strings.Repeat("[", 20_000),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		lines, err := linesOf(iotest.HalfReader(bytes.NewReader(in)))
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		var want []string
		for line := range bytes.SplitSeq(in, []byte("\n")) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				want = append(want, string(line))
			}
		}
		if strings.Join(lines, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q, not %q", lines, want)
		}
		for _, line := range lines {
			m, bad := parse([]byte(line))
			if (m == nil) == (bad == nil) || m != nil && !json.Valid([]byte(line)) {
				t.Errorf("%q: %v, %v", line, m, bad)
			}
		}
	})
}

// Whatever a message says, it is written as one line of JSON that says the same.
func FuzzWrite(f *testing.F) {
	for _, s := range []string{"", "a\nb\r\u0085c\u2028d\u2029", "\x1b[2J\x00\x7f", "\u202e</script>&", "\xff", "😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, said string) {
		result, err := plainJSON(map[string]string{"said": said})
		if err != nil {
			t.Fatal(err)
		}
		id, err := jsonrpc.MakeID(said)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		c := &connection{life: context.Background(), out: &out, pending: make(chan struct{}, 1), sending: make(chan struct{}, 1)}
		if err := c.Write(context.Background(), &jsonrpc.Response{ID: id, Result: result}); err != nil {
			t.Fatal(err)
		}
		line, ok := strings.CutSuffix(out.String(), "\n")
		if !ok || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' }) {
			t.Errorf("%q", out.String())
		}
		var back struct {
			Result struct{ Said string }
		}
		if err := json.Unmarshal([]byte(line), &back); err != nil || back.Result.Said != strings.ToValidUTF8(said, "\uFFFD") && !strings.ContainsRune(said, 0xFFFD) && strings.ToValidUTF8(said, "") == said {
			t.Errorf("%q comes back as %q, %v", said, back.Result.Said, err)
		}
	})
}
