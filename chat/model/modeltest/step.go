package modeltest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Step is the answer to one chat request. The zero Step echoes the last user message.
type Step struct {
	// When restricts which requests take this step; the zero value fits all.
	When When `json:"when,omitzero"`
	// Repeat keeps the step in the script forever.
	Repeat bool `json:"repeat,omitempty"`

	// Text is the answer. If nothing else is set either, an empty Text echoes the last user message.
	Text string `json:"text,omitempty"`
	// Deltas is the number of pieces of Text, 0 for one piece per word.
	Deltas int `json:"deltas,omitempty"`
	// Reasoning is sent before Text in one piece, in the field reasoning_content.
	Reasoning string `json:"reasoning,omitempty"`
	// ToolCalls are sent after Text, their arguments in pieces.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// Finish is the finish reason; "" means tool_calls if there are some, else stop.
	Finish string `json:"finish,omitempty"`
	// Usage is the token count sent; nil means a rough count.
	Usage *Usage `json:"usage,omitempty"`
	// Model is the model's name in the answer; "" means the requested one.
	Model string `json:"model,omitempty"`

	// Before is the wait before the response headers, First the wait between headers and first event, Delay the
	// wait before each further event of the answer.
	Before Duration `json:"before,omitempty"`
	First  Duration `json:"first,omitempty"`
	Delay  Duration `json:"delay,omitempty"`

	// Status, unless 0, answers with this HTTP status and Body instead of an answer, also for 200. An empty
	// Body becomes an error in the usual JSON form. ContentType defaults to application/json.
	Status      int    `json:"status,omitempty"`
	Body        string `json:"body,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	// RetryAfter is the Retry-After header sent with Status.
	RetryAfter string `json:"retry_after,omitempty"`
	// Location is the Location header sent with Status.
	Location string `json:"location,omitempty"`

	// DropAfter breaks the connection after this many pieces of the text, and StallAfter falls silent there
	// until the client leaves. HoldAfter waits there until Hold is closed. nil means never.
	DropAfter  *int            `json:"drop_after,omitempty"`
	StallAfter *int            `json:"stall_after,omitempty"`
	HoldAfter  *int            `json:"hold_after,omitempty"`
	Hold       <-chan struct{} `json:"-"`
	// Malformed is sent unchecked as the data of one event after the text.
	Malformed string `json:"malformed,omitempty"`
	// NoFinish leaves out the finish reason, NoDone the closing mark, NoUsage the count.
	NoFinish bool `json:"no_finish,omitempty"`
	NoDone   bool `json:"no_done,omitempty"`
	NoUsage  bool `json:"no_usage,omitempty"`
	// Giant sends one event with this many bytes of text, generated while sending.
	Giant int64 `json:"giant,omitempty"`
	// Raw is sent verbatim as the body of the event stream.
	Raw string `json:"raw,omitempty"`
	// Encoding is the Content-Encoding sent with Raw; nothing is compressed.
	Encoding string `json:"encoding,omitempty"`
	// LineEnd replaces the line feeds of the event stream, for example by "\r" or "\r\n".
	LineEnd string `json:"line_end,omitempty"`
}

// When selects the requests for a step. Every field that is set must match.
type When struct {
	Tool     string `json:"tool,omitempty"`     // the request offers this tool
	NoTools  bool   `json:"no_tools,omitempty"` // the request offers no tool
	Contains string `json:"contains,omitempty"` // the last user message contains this
	Model    string `json:"model,omitempty"`    // the request asks for this model
	Result   string `json:"result,omitempty"`   // the last message is a tool's result and contains this
}

// ToolCall is a call in an answer. An empty ID is generated.
type ToolCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Usage is the server's count of tokens.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
	// PromptDetails adds details about the prompt; nil omits them.
	PromptDetails *PromptDetails `json:"prompt_tokens_details,omitempty"`
}

// PromptDetails are a server's details about the prompt's tokens.
type PromptDetails struct {
	CachedTokens int `json:"cached_tokens"`
}

// Duration is a time.Duration written as "30ms" in scripts.
type Duration time.Duration

// UnmarshalText parses text with time.ParseDuration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// MarshalText formats d as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// After returns a pointer to n for the fields DropAfter, StallAfter and HoldAfter.
func After(n int) *int { return &n }

// ParseScript reads a script in the form described in the package documentation.
func ParseScript(r io.Reader) ([]Step, error) {
	var steps []Step
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.HasPrefix(line, "{") {
			steps = append(steps, Step{Text: strings.ToValidUTF8(line, "\uFFFD")})
			continue
		}
		var s Step
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&s); err != nil {
			return nil, fmt.Errorf("reading script line %d: %w", n, err)
		}
		if dec.More() {
			return nil, fmt.Errorf("reading script line %d: text after the step", n)
		}
		steps = append(steps, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading script: %w", err)
	}
	return steps, nil
}

// pieces cuts text into n parts of about equal length in characters, or into words when n is 0. The joined
// parts equal text.
func pieces(text string, n int) []string {
	if text == "" {
		return nil
	}
	if n <= 0 {
		return strings.SplitAfter(text, " ")
	}
	total := utf8.RuneCountInString(text)
	n = min(n, total)
	out := make([]string, 0, n)
	runes := []rune(text)
	for i := range n {
		out = append(out, string(runes[i*total/n:(i+1)*total/n]))
	}
	return out
}

func (w When) fits(r *Request) bool {
	switch {
	case w.Tool != "" && !r.Offers(w.Tool), w.NoTools && len(r.Tools) > 0:
		return false
	case w.Model != "" && w.Model != r.Model:
		return false
	case w.Result != "" && !strings.Contains(r.LastResult(), w.Result):
		return false
	default:
		return strings.Contains(r.LastUser(), w.Contains)
	}
}
