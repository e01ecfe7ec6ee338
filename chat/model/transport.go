package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// newTransport returns the network transport of this package. Only the watchdog limits time. Answers are not
// compressed: that would delay tokens, and a small body could become a huge one.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		DisableCompression:     true,
	}
}

// guard is the RoundTripper under openai-go. It alone knows the key; it adds the key to requests for the
// configured origin and refuses every other origin. It turns every answer except a 200 into an [*Error].
type guard struct {
	next      http.RoundTripper
	origin    *url.URL
	authorize func(http.Header) // sets Authorization; a closure, so that printing a guard shows no key
	redact    redactor
	maskers   func() masker
	now       func() time.Time
}

// exchangeKey carries the *exchangeState of a streaming request to the guard.
type exchangeKey struct{}

type exchangeState struct {
	watch               *watchdog
	maxEvent, maxAnswer int64
	answered            bool // a 200 came
}

func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if !sameOrigin(req.URL, g.origin) {
		closeRequest(req)
		return nil, newError(KindBadResponse, "the request was about to leave the configured endpoint")
	}
	out := req.Clone(req.Context())
	for name := range out.Header {
		if strings.HasPrefix(strings.ToLower(name), "x-stainless-") {
			out.Header.Del(name) // the library's description of this computer stays private
		}
	}
	out.Header.Set("User-Agent", "memoria")
	out.Header.Del("Authorization")
	g.authorize(out.Header)

	res, err := g.next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	if isRedirect(res) {
		return res, nil // the http.Client asks checkRedirect
	}
	if err := unzip(res); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer func() { _ = res.Body.Close() }()
		unhook := context.AfterFunc(req.Context(), func() { _ = res.Body.Close() })
		defer unhook()
		page, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
		return nil, g.refusal(res.StatusCode, res.Header, page)
	}
	if ex, ok := req.Context().Value(exchangeKey{}).(*exchangeState); ok {
		ex.answered = true
		res.Body = newBody(req.Context(), res.Body, ex.watch, ex.maxEvent, ex.maxAnswer, func(page []byte) *Error {
			return g.refusal(res.StatusCode, res.Header, page)
		})
	}
	if limit, ok := req.Context().Value(limitKey{}).(int64); ok {
		res.Body = &limitedBody{ReadCloser: res.Body, left: limit}
	}
	return res, nil
}

// isRedirect reports whether the http.Client will follow res. The client returns other responses unlimited.
func isRedirect(res *http.Response) bool {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return res.Header.Get("Location") != ""
	}
	return false
}

// checkRedirect allows only repetitions of the same request within the same origin (307, 308). Any other
// redirect would send the conversation elsewhere, or lose it.
func (g *guard) checkRedirect(req *http.Request, via []*http.Request) error {
	to := g.redact(req.URL.Scheme + "://" + req.URL.Host + req.URL.Path)
	switch {
	case !sameOrigin(req.URL, g.origin):
		return newError(KindBadResponse, "the server redirects to another place, "+to+", which was not followed")
	case req.Method != via[0].Method:
		return newError(KindBadResponse, "the server redirects to "+to+" in a way that loses the request")
	case len(via) >= 5:
		return newError(KindBadResponse, "the server redirects in circles")
	}
	return nil
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
}

func closeRequest(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// refusal turns a failed response into an error: a status other than 200, or a page instead of events.
func (g *guard) refusal(status int, header http.Header, page []byte) *Error {
	said := parseErrorPage(page)
	if said.status >= 400 && status == http.StatusOK {
		status = said.status
	}
	e := newError(classify(status, said), g.redact(said.message))
	e.Status, e.param = status, g.redact(said.param)
	e.RetryAfter = retryAfter(header, g.now)
	if e.Message == "" {
		e.Message = strings.ToLower(http.StatusText(status))
		switch {
		case said.html:
			e.Message = "a web page came instead of an answer"
		case e.Message == "":
			e.Message = "the server gives no reason"
		case status == http.StatusOK:
			e.Message = "no stream of events came, but " + strconv.Quote(shorten(g.redact(string(page)), 80))
		}
	}
	return e
}

// errorPage is a server's error message, in the common shapes: {"error": {"message", "type", "code", "param"}},
// {"error": "…"}, {"message": …}, {"detail": …}.
type errorPage struct {
	message, code, param string
	status               int // a status given in the text, or 0
	html                 bool
}

func parseErrorPage(page []byte) errorPage {
	text := strings.TrimSpace(string(page))
	if strings.HasPrefix(text, "<") {
		return errorPage{html: true}
	}
	var outer map[string]any
	if json.Unmarshal([]byte(text), &outer) != nil {
		var list []map[string]any // Google's gateway wraps the object in a list
		if json.Unmarshal([]byte(text), &list) != nil || len(list) == 0 {
			return errorPage{message: text}
		}
		outer = list[0]
	}
	in := outer
	switch e := outer["error"].(type) {
	case map[string]any:
		in = e
	case string:
		in = map[string]any{"message": e, "code": outer["code"]}
	case nil:
		if _, isAnswer := outer["choices"]; isAnswer {
			return errorPage{message: "the server answered in one piece instead of a stream"}
		}
	}
	p := errorPage{message: str(in["message"]), param: str(in["param"])}
	p.code = str(in["code"]) + " " + str(in["type"]) + " " + str(in["status"])
	if p.message == "" {
		p.message = str(outer["detail"])
	}
	for _, v := range []any{in["code"], in["status"], in["status_code"]} {
		if n, err := strconv.Atoi(str(v)); err == nil && n >= 400 && n < 600 {
			p.status = n
		}
	}
	return p
}

// str returns strings and whole numbers as text, other values as JSON, nil as "".
func str(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		out, _ := json.Marshal(v)
		return string(out)
	}
}

// classify reads status, code and message together, because servers disagree on which one is exact.
func classify(status int, said errorPage) Kind {
	text := strings.ToLower(said.code + " " + said.message)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, has("invalid_api_key", "authentication_error"):
		return KindAuth
	case status == http.StatusPaymentRequired, has("insufficient_quota", "billing", "credit balance"):
		return KindQuota
	case status == http.StatusTooManyRequests, has("rate_limit", "rate limit"):
		return KindRate
	case status == http.StatusRequestEntityTooLarge,
		has("context_length", "context length", "context window", "context size", "maximum context", "exceed_context"):
		return KindContextLength
	case status == http.StatusNotFound, has("model_not_found"):
		return KindModelNotFound
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly,
		status >= 500 && status != http.StatusNotImplemented, has("server_error", "overloaded"):
		return KindServer
	case status >= 400:
		return KindRequest
	default:
		return KindBadResponse
	}
}

// networkError says in plain words why the connection failed or broke.
func networkError(err error, redact redactor) *Error {
	e := newError(KindNetwork, "")
	var op *net.OpError
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		e.Message, e.cause = "the host's name cannot be found", dns
	case certificate(err) != nil:
		e.cause = certificate(err)
		e.Message = redact("the server's certificate is not trusted: " + innermost(e.cause).Error())
		e.Hint = "Check base_url, this computer's clock, and whether a proxy opens your connections."
	case errors.As(err, &op) && op.Op == "dial":
		e.Message, e.cause = redact("no connection: "+innermost(op).Error()), innermost(op)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Message, e.cause = "the connection broke off", io.ErrUnexpectedEOF
	default:
		e.Message = redact(fmt.Sprintf("the connection broke: %v", innermost(err)))
	}
	return e
}

// innermost unwraps err to its last cause, which contains no address.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// certificate returns the problem with the server's certificate, or nil.
func certificate(err error) error {
	var verify *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &verify):
		return verify
	case errors.As(err, &unknown):
		return unknown
	case errors.As(err, &host):
		return host
	case errors.As(err, &invalid):
		return invalid
	}
	return nil
}
