package modeltest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	maxRequestBody = 16 << 20
	maxRecorded    = 1000 // requests; older ones are dropped
)

// Server answers from a script. Use [NewServer] or [New]. It is safe for concurrent use.
type Server struct {
	// URL is the address to configure as base_url, if the server listens.
	URL string
	// Models is the list for GET /v1/models. Set it before the first request.
	Models []string
	// Context is the context size that GET /v1/models gives for each model; 0 gives none. Set it before the
	// first request.
	Context int
	// Refuse names request fields that the server answers with status 400, as servers do for unknown fields.
	// Such a request takes no step. Set it before the first request.
	Refuse []string
	// Reply answers a request when no step is left; nil echoes. Set it before the first request.
	Reply func(*Request) Step
	// Delay is added before each event of every answer. Set it before the first request.
	Delay time.Duration
	// Subject returns the subject of a text, for vectors; see [Words]. nil means no subject. Set it before the
	// first request.
	Subject func(text string) string
	// Embed answers a request for vectors when no step is left; nil is the zero step. Set it before the first
	// request.
	Embed func(*EmbedRequest) EmbedStep

	mu         sync.Mutex
	steps      []Step
	requests   []*Request
	embeds     []*EmbedRequest
	embedSteps []EmbedStep
	arrived    chan struct{} // made by Wait, closed when a request arrives
	quit       chan struct{} // closed by Close; nil in process, where a channel from outside would stop a bubble's time
	quitOnce   sync.Once
	listener   *httptest.Server
}

// New returns a server that does not listen; it is an http.Handler.
func New(steps ...Step) *Server {
	return &Server{Models: []string{"scripted"}, steps: steps}
}

// NewServer listens on loopback until the test ends.
func NewServer(t testing.TB, steps ...Step) *Server {
	t.Helper()
	s := New(steps...)
	s.quit = make(chan struct{})
	s.listener = httptest.NewServer(s)
	s.URL = s.listener.URL + "/v1"
	t.Cleanup(s.Close)
	return s
}

// Close ends every running answer and stops listening.
func (s *Server) Close() {
	s.quitOnce.Do(func() {
		if s.quit != nil {
			close(s.quit)
		}
	})
	if s.listener != nil {
		s.listener.CloseClientConnections()
		s.listener.Close()
	}
}

// Add appends steps to the script.
func (s *Server) Add(steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, steps...)
}

// Left returns the number of remaining steps.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.steps)
}

// Requests returns the chat requests so far, oldest first; it keeps the last 1,000. The caller must not change
// them.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Forget drops the requests so far; a long run would collect many.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// Wait returns the requests once there are n, or those so far when ctx ends.
func (s *Server) Wait(ctx context.Context, n int) []*Request {
	for {
		s.mu.Lock()
		if s.arrived == nil {
			s.arrived = make(chan struct{})
		}
		got, arrived := slices.Clone(s.requests), s.arrived
		s.mu.Unlock()
		if len(got) >= n {
			return got
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return got
		}
	}
}

// ServeHTTP answers GET …/models, POST …/chat/completions and POST …/embeddings.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		s.serveModels(w)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		s.serveChat(w, r)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/embeddings"):
		s.serveEmbeddings(w, r)
	default:
		writeError(w, http.StatusNotFound, "there is nothing at this path", "", "")
	}
}

func (s *Server) serveModels(w http.ResponseWriter) {
	type entry struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		OwnedBy string `json:"owned_by"`
		Context int    `json:"max_model_len,omitempty"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}{Object: "list", Data: []entry{}}
	for _, m := range s.Models {
		list.Data = append(list.Data, entry{ID: m, Object: "model", OwnedBy: "modeltest", Context: s.Context})
	}
	writeJSON(w, http.StatusOK, list)
}

func (s *Server) serveChat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
	if err != nil {
		writeError(w, http.StatusBadRequest, "the request cannot be read", "invalid_request_error", "")
		return
	}
	req, err := parseRequest(r.Header, body)
	if err != nil {
		writeError(w, http.StatusBadRequest, "the request is not valid JSON", "invalid_request_error", "")
		return
	}
	step, refused := s.take(req)
	if refused != "" {
		writeError(w, http.StatusBadRequest, "Unsupported parameter: '"+refused+"'.", "invalid_request_error", refused)
		return
	}
	a := &answer{step: step, req: req, w: w, ctx: r.Context(), quit: s.quit, delay: s.Delay + time.Duration(step.Delay)}
	a.run()
}

// take records the request and finds the step for it.
func (s *Server) take(req *Request) (step Step, refused string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	if extra := len(s.requests) - maxRecorded; extra > 0 {
		s.requests = slices.Delete(s.requests, 0, extra)
	}
	if s.arrived != nil {
		close(s.arrived)
		s.arrived = nil
	}
	for _, f := range s.Refuse {
		if req.Has(f) {
			return Step{}, f
		}
	}
	for i, st := range s.steps {
		if st.When.fits(req) {
			if !st.Repeat {
				s.steps = slices.Delete(s.steps, i, i+1)
			}
			return st, ""
		}
	}
	if s.Reply != nil {
		return s.Reply(req), ""
	}
	return Step{}, ""
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	out, err := json.Marshal(v)
	if err != nil {
		status, out = http.StatusInternalServerError, []byte(`{"error":{"message":"the answer cannot be encoded"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(out)
}

func writeError(w http.ResponseWriter, status int, message, kind, param string) {
	e := map[string]any{"message": message, "type": kind, "code": nil, "param": nil}
	if param != "" {
		e["param"] = param
	}
	writeJSON(w, status, map[string]any{"error": e})
}
