package modeltest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
)

// Transport returns a RoundTripper that answers in this process with s, for any host. It uses pipes and no
// network, so it runs inside testing/synctest. It reports a connection to httptrace as a real one does.
func (s *Server) Transport() http.RoundTripper { return Transport(s) }

// Transport is [Server.Transport] for any handler.
func Transport(h http.Handler) http.RoundTripper { return pipeTransport{h} }

type pipeTransport struct{ handler http.Handler }

// RoundTrip runs the handler in a goroutine. The goroutine ends when the body is read to its end or closed, or
// when the request's context ends.
func (t pipeTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(req.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	ctx, cancel := context.WithCancel(req.Context())
	in := req.Clone(ctx)
	if in.Body == nil {
		in.Body = http.NoBody
	}
	in.RequestURI, in.Host = in.URL.RequestURI(), in.URL.Host
	pr, pw := io.Pipe()
	w := &pipeWriter{header: make(http.Header), pipe: pw, ready: make(chan struct{}), body: &pipeBody{PipeReader: pr, cancel: cancel}}
	go func() {
		defer cancel()
		defer func() {
			if p := recover(); p != nil {
				if p != http.ErrAbortHandler { //nolint:errorlint // the very value is meant
					panic(p)
				}
				w.broken = true
				w.WriteHeader(http.StatusOK)
				_ = pw.CloseWithError(io.ErrUnexpectedEOF)
				return
			}
			w.WriteHeader(http.StatusOK)
			_ = pw.Close()
		}()
		defer func() { _ = in.Body.Close() }()
		t.handler.ServeHTTP(w, in)
	}()
	select {
	case <-w.ready:
		if w.brokenFirst {
			cancel()
			return nil, io.ErrUnexpectedEOF
		}
		return &http.Response{
			StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: w.sent, Body: w.body, ContentLength: -1, Request: req,
		}, nil
	case <-req.Context().Done():
		_ = pr.CloseWithError(req.Context().Err())
		cancel()
		return nil, req.Context().Err()
	}
}

// pipeWriter is the handler's end.
type pipeWriter struct {
	header, sent http.Header
	pipe         *io.PipeWriter
	body         *pipeBody
	once         sync.Once
	ready        chan struct{}
	status       int
	broken       bool // the handler gave up
	brokenFirst  bool // the handler gave up before any header
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent, w.brokenFirst = status, w.header.Clone(), w.broken
		close(w.ready)
	})
}

func (w *pipeWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(p)
}

// Flush does nothing: pipes do not buffer.
func (w *pipeWriter) Flush() {}

// pipeBody ends the handler when the client closes the body.
type pipeBody struct {
	*io.PipeReader
	cancel context.CancelFunc
}

func (b *pipeBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}
