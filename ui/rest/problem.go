package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// Problem is an error as RFC 9457 describes it.
type Problem struct {
	Type   string  `json:"type" doc:"about:blank: the status says it all"`
	Title  string  `json:"title" doc:"The status in words"`
	Status int     `json:"status" doc:"The HTTP status code"`
	Detail string  `json:"detail" doc:"What is wrong with this request"`
	Errors []Fault `json:"errors,omitempty" doc:"The faulty parts of the request"`

	header http.Header
}

// Fault is a faulty part of a request.
type Fault struct {
	Location string `json:"location" doc:"Where it is: query.limit, body.type"`
	Message  string `json:"message" doc:"What is wrong with it"`
}

const problemType = "application/problem+json"

// problem returns a problem.
func problem(status int, format string, args ...any) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// Error implements error.
func (p *Problem) Error() string { return p.Detail }

// GetStatus implements [huma.StatusError].
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders implements [huma.HeadersError].
func (p *Problem) GetHeaders() http.Header { return p.header }

// ContentType implements [huma.ContentTypeFilter].
func (p *Problem) ContentType(string) string { return problemType }

// write writes the problem without the library, for requests that have no route.
func (p *Problem) write(w http.ResponseWriter) {
	for name, values := range p.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // a client that has gone needs no answer
}

// useProblems makes the library's own errors problems. It is a setting of the process.
var useProblems = sync.OnceFunc(func() {
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		p := problem(status, "%s", msg)
		for _, err := range errs {
			var f Fault
			if d, ok := err.(huma.ErrorDetailer); ok {
				f.Location, f.Message = d.ErrorDetail().Location, d.ErrorDetail().Message
			} else if err != nil {
				f.Message = err.Error()
			}
			if f.Message != "" {
				p.Errors = append(p.Errors, f)
			}
		}
		return p
	}
})

// problemOf returns the problem for an error of the memory. The text of an unexpected error
// is kept back: it may name files.
func problemOf(err error) *Problem {
	var p *Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, write.ErrGroup):
		return problem(http.StatusNotFound, "a group has none of its own; its members have")
	case errors.Is(err, lookup.ErrNotFound):
		return problem(http.StatusNotFound, "there is none with this id")
	case errors.Is(err, memory.ErrInvalid):
		return problem(http.StatusUnprocessableEntity, "%v", err)
	case errors.Is(err, vault.ErrUnwritable):
		return problem(http.StatusServiceUnavailable, "the memory cannot be written at the moment")
	case errors.Is(err, recall.ErrClosed):
		return problem(http.StatusServiceUnavailable, "the program is ending")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return problem(http.StatusServiceUnavailable, "it took too long")
	case store.Unreadable(err):
		return problem(http.StatusInternalServerError, "the data cannot be read; memoria doctor says more")
	}
	return problem(http.StatusInternalServerError, "the request failed")
}
