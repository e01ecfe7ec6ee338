package modeltest

import (
	"encoding/json"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// EmbedRequest is a received request for vectors.
type EmbedRequest struct {
	Header     http.Header // all of them, also Authorization
	Model      string
	Input      []string
	Dimensions int
	Format     string
}

// EmbedStep is the answer to one request for vectors. The zero value answers with [Words] of each text.
type EmbedStep struct {
	// Before is the wait before the answer.
	Before time.Duration
	// Status, unless 0, and Body replace the answer; an empty Body becomes an error in the usual form.
	Status int
	Body   string
	// Hold keeps the answer back until it is closed or the client leaves.
	Hold <-chan struct{}
	// Giant sends this many bytes of unterminated JSON.
	Giant int64
	// Change edits the answer before it is sent.
	Change func(*EmbedAnswer)
}

// EmbedAnswer is an answer in the form of the protocol.
type EmbedAnswer struct {
	Object string        `json:"object"`
	Model  string        `json:"model"`
	Data   []EmbedVector `json:"data"`
	Usage  Usage         `json:"usage"`
}

// EmbedVector is one vector of an answer.
type EmbedVector struct {
	Object    string    `json:"object"`
	Index     int       `json:"index"`
	Embedding []float64 `json:"embedding"`
}

// Dimension is the default size of the vectors of [Words].
const Dimension = 64

// Words makes a vector of a text without a model. Each word, and each Chinese character, adds a direction given
// by its hash. A subject, unless empty, counts twice as much as all words together, so that texts on one
// subject are similar whatever their words. All vectors share a common part, as those of real models do.
func Words(text string, dimension int, subject string) []float64 {
	v := make([]float64, dimension)
	add := func(word string, weight float64) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(word))
		x := h.Sum64() | 1
		for i := range v {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			v[i] += weight * (float64(x>>11)/(1<<53) - 0.5)
		}
	}
	n := 0.0
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			add(w, 1)
			n++
			continue
		}
		for _, r := range w {
			add(string(r), 1)
			n++
		}
	}
	if subject != "" {
		add("subject "+subject, 2*math.Sqrt(max(n, 1)))
	}
	add("what all texts have in common", 0.5*math.Sqrt(max(n, 1)))
	return v
}

// Embeddings returns the requests for vectors so far, oldest first. The caller must not change them.
func (s *Server) Embeddings() []*EmbedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.embeds)
}

// AddEmbed appends steps to the script for vector requests. Without a step the server uses the zero
// [EmbedStep].
func (s *Server) AddEmbed(steps ...EmbedStep) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embedSteps = append(s.embedSteps, steps...)
}

func (s *Server) serveEmbeddings(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model      string          `json:"model"`
		Input      json.RawMessage `json:"input"`
		Dimensions int             `json:"dimensions"`
		Format     string          `json:"encoding_format"`
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
	if err != nil || json.Unmarshal(body, &in) != nil {
		writeError(w, http.StatusBadRequest, "the request is not valid JSON", "invalid_request_error", "")
		return
	}
	req := &EmbedRequest{Header: r.Header.Clone(), Model: in.Model, Dimensions: in.Dimensions, Format: in.Format}
	if json.Unmarshal(in.Input, &req.Input) != nil {
		req.Input = []string{""}
		_ = json.Unmarshal(in.Input, &req.Input[0])
	}
	step := s.takeEmbed(req)
	for _, wait := range []<-chan struct{}{after(step.Before), step.Hold} {
		if wait == nil {
			continue
		}
		select {
		case <-wait:
		case <-r.Context().Done():
			return
		case <-s.quit:
			return
		}
	}
	switch {
	case step.Status != 0 && step.Body == "":
		writeError(w, step.Status, http.StatusText(step.Status), "server_error", "")
	case step.Status != 0:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(step.Status)
		_, _ = io.WriteString(w, step.Body)
	case step.Giant > 0:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[{"index":0,"embedding":[0.5`)
		for sent := int64(0); sent < step.Giant; sent += 4000 {
			if _, err := io.WriteString(w, strings.Repeat(",0.5", 1000)); err != nil {
				return
			}
		}
	default:
		writeJSON(w, http.StatusOK, s.vectors(req, step))
	}
}

// after returns a channel that closes after d, or nil when d is not positive.
func after(d time.Duration) <-chan struct{} {
	if d <= 0 {
		return nil
	}
	done := make(chan struct{})
	time.AfterFunc(d, func() { close(done) })
	return done
}

func (s *Server) vectors(req *EmbedRequest, step EmbedStep) *EmbedAnswer {
	dimension := req.Dimensions
	if dimension == 0 {
		dimension = Dimension
	}
	a := &EmbedAnswer{Object: "list", Model: req.Model}
	for i, text := range req.Input {
		subject := ""
		if s.Subject != nil {
			subject = s.Subject(text)
		}
		a.Data = append(a.Data, EmbedVector{Object: "embedding", Index: i, Embedding: Words(text, dimension, subject)})
	}
	if step.Change != nil {
		step.Change(a)
	}
	return a
}

func (s *Server) takeEmbed(req *EmbedRequest) (step EmbedStep) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embeds = append(s.embeds, req)
	if extra := len(s.embeds) - maxRecorded; extra > 0 {
		s.embeds = slices.Delete(s.embeds, 0, extra)
	}
	if len(s.embedSteps) > 0 {
		step, s.embedSteps = s.embedSteps[0], s.embedSteps[1:]
	} else if s.Embed != nil {
		step = s.Embed(req)
	}
	return step
}
