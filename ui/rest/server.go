package rest

import (
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"golang.org/x/net/netutil"

	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/config"
)

// Options configures a server.
type Options struct {
	Memory *manager.Manager
	// Agent is the id of the agent of calls that name none.
	Agent   string
	Token   string // see [Token]
	Version string
	Now     func() time.Time
	Logger  *slog.Logger
	// Deleted tells the user that a program deleted items. It must not block.
	Deleted func(agent string, d write.Deletion)
}

const (
	headerTime  = 5 * time.Second // for the headers of a request
	readTime    = 15 * time.Second
	writeTime   = requestTime + 10*time.Second
	idleTime    = time.Minute
	endTime     = 3 * time.Second // for running requests when the server ends
	connections = 256
)

// Listen opens an address of this computer ([config.LocalAddress]).
func Listen(ctx context.Context, address string) (net.Listener, error) {
	address, err := config.LocalAddress(address)
	if err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	return lc.Listen(ctx, "tcp", address)
}

// URL returns the address of a server.
func URL(l net.Listener) string { return "http://" + l.Addr().String() }

// Server answers the calls.
type Server struct{ Options }

// Serve serves the memory on l until ctx is done. It gives running requests a few seconds to
// end, and closes l.
func Serve(ctx context.Context, l net.Listener, o Options) error {
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		_ = l.Close()
		return err
	}
	mux, _ := routes(&Server{o})
	h := &http.Server{
		Handler: newGuard(port, o.Token, mux, func(pattern string) { o.Logger.Error("a call of the REST server failed", "path", pattern) }),
		// The server's own messages would quote requests.
		ErrorLog:          log.New(io.Discard, "", 0),
		ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(netutil.LimitListener(l, connections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	ending, stop := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer stop()
	if h.Shutdown(ending) != nil {
		_ = h.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// routes builds the calls and their description.
func routes(s *Server) (*http.ServeMux, huma.API) {
	useProblems()
	mux := http.NewServeMux()
	api := humago.New(slashes{mux}, description(s.Version))
	route(s, api, "GET", "/memory/long-term", "List active items, newest first", s.longTerm)
	route(s, api, "DELETE", "/memory/long-term", "Delete all items of an agent", s.deleteAll, http.StatusBadRequest)
	route(s, api, "GET", "/memory/long-term/{id}", "Read an item", s.longTermItem)
	route(s, api, "DELETE", "/memory/long-term/{id}", "Delete an item", s.deleteItem)
	route(s, api, "GET", "/memory/working/{session_id}", "Read the working memory of a running session", s.working)
	route(s, api, "GET", "/items", "List items, newest first", s.items)
	route(s, api, "POST", "/items", "Propose an item; the user accepts or rejects it", s.propose, proposalErrors...)
	route(s, api, "GET", "/items/{id}", "Read an item with its versions and the words that it came from", s.fullItem)
	route(s, api, "PATCH", "/items/{id}", "Propose a change of an item; the item stays as it is until the user accepts it", s.proposeEdit,
		proposalErrors...)
	route(s, api, "GET", "/search", "Find items for a message, best first", s.search)
	route(s, api, "GET", "/sessions", "List sessions, the last used first", s.sessions)
	route(s, api, "GET", "/sessions/{id}", "Read a session", s.session)
	route(s, api, "GET", "/sessions/{id}/records", "List the messages of a session, oldest first", s.sessionRecords)
	route(s, api, "GET", "/sessions/{id}/packages", "List what the turns of a session sent to the model, oldest first", s.sessionPackages)
	route(s, api, "GET", "/records/{id}", "Read a message", s.record)
	route(s, api, "GET", "/packages/{turn}", "Read what a turn sent to the model", s.fullPackage)
	route(s, api, "GET", "/profile", "Read the profile", s.profile)
	route(s, api, "GET", "/journal", "List the files of the journal", s.journal)
	route(s, api, "GET", "/journal/{file}", "Read a file of the journal", s.journalFile)
	route(s, api, "GET", "/agents", "List agents and groups, the last used first", s.agents)
	route(s, api, "GET", "/health", "Read the state of the memory", s.health)
	describe(api)
	return mux, api
}

// route adds a call. errs are the statuses that it may answer besides the usual ones.
func route[I, O any](
	s *Server, api huma.API, method, path, summary string, do func(context.Context, *I) (*O, error), errs ...int,
) {
	op := huma.Operation{
		OperationID: operationID(method, path), Method: method, Path: path, Summary: summary, MaxBodyBytes: maxBody,
		Errors: append([]int{
			http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity,
			http.StatusInternalServerError, http.StatusServiceUnavailable,
		}, errs...),
	}
	if method == http.MethodPost || method == http.MethodPatch {
		op.DefaultStatus = http.StatusAccepted
	}
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := do(ctx, in)
		if err == nil {
			return out, nil
		}
		p := problemOf(err)
		if p.Status >= http.StatusInternalServerError {
			s.Logger.Warn("a call of the REST server failed", "call", op.OperationID, "error", innermost(err).Error())
		}
		return nil, p
	})
}

// innermost returns the error that err wraps, without what was added about the request.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// slashes is a mux whose path parameter {file} may contain slashes.
type slashes struct{ *http.ServeMux }

// HandleFunc implements [humago.Mux].
func (m slashes) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	m.ServeMux.HandleFunc(strings.Replace(pattern, "{file}", "{file...}", 1), handler)
}
