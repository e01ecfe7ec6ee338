package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what sort of failure an [Error] is; callers branch on it.
type Kind string

// The kinds of failure.
const (
	KindAuth              Kind = "auth"                // the key is missing, wrong or not allowed to do this
	KindQuota             Kind = "quota"               // nothing left to spend
	KindRate              Kind = "rate"                // too many requests; passes by itself
	KindConnectTimeout    Kind = "timeout-connect"     // no connection within connect_timeout
	KindFirstTokenTimeout Kind = "timeout-first-token" // connected, but no answer began within first_token_timeout
	KindIdleTimeout       Kind = "timeout-idle"        // an answer began and then fell silent for idle_timeout
	KindNetwork           Kind = "network"             // no connection, or it broke
	KindIncomplete        Kind = "incomplete"          // the answer stopped, or was ended by something unknown
	KindLength            Kind = "length"              // a limit on its length ended the answer
	KindFiltered          Kind = "filtered"            // the provider's filter ended the answer
	KindEmpty             Kind = "empty"               // the server says that it is done, and there is no answer
	KindBadResponse       Kind = "bad-response"        // what came is not an answer in the OpenAI protocol
	KindTooLarge          Kind = "too-large"           // an event or the answer is over its limit
	KindServer            Kind = "server"              // the server has trouble (5xx)
	KindContextLength     Kind = "context-length"      // the request is longer than the model's context
	KindModelNotFound     Kind = "model-not-found"     // the server does not know the model or the path
	KindTools             Kind = "tools"               // the server takes no tools
	KindRequest           Kind = "request"             // the server refuses the request for another reason
	KindOffline           Kind = "offline"             // there is no language model to do this
	KindCancelled         Kind = "cancelled"           // the caller's context ended
)

// hints say in one sentence what a person can do.
var hints = map[Kind]string{
	KindAuth:              "Check the key in the environment variable that api_key_env names, and that it belongs to this endpoint.",
	KindQuota:             "Check the plan and the balance of your account with this provider.",
	KindRate:              "Wait a moment and send again, or set rate under [model] below the provider's limit.",
	KindConnectTimeout:    "Check base_url and the network; a local server may not be running.",
	KindFirstTokenTimeout: "The model may still be loading or reading: send again, or raise first_token_timeout.",
	KindIdleTimeout:       "Send again to get a whole answer, or raise idle_timeout for a slow model.",
	KindNetwork:           "Check base_url and the network; a local server may not be running.",
	KindIncomplete:        "The answer is not whole: send again.",
	KindLength:            "Ask it to go on, or raise the server's limit on the length of answers.",
	KindFiltered:          "Put it in other words, or use another model.",
	KindEmpty:             "Send again, or use another model.",
	KindBadResponse:       "Check that base_url is the address of an OpenAI-compatible server; it usually ends in /v1.",
	KindTooLarge:          "Raise max_event_bytes or max_answer_bytes if such answers are expected.",
	KindServer:            "The trouble is on the server's side: try again later.",
	KindContextLength:     "Set context_tokens under [model] to the model's true size, or start a new session.",
	KindModelNotFound:     "Check name and base_url under [model]; the server does not offer this model.",
	KindTools:             "Switch the tool off, or use another model.",
	KindRequest:           "The server does not accept this request; its message says why.",
	KindOffline:           "Set a key or start a local model server to have a language model.",
}

// Error is every failure that a [Client] returns. It holds nothing secret: texts from the server are redacted,
// on one line, and at most 400 characters.
type Error struct {
	Kind       Kind
	Status     int           // the HTTP status, 0 when there was none
	Message    string        // what happened; from the server where it said something
	Host       string        // where, as in Info.Endpoint
	RetryAfter time.Duration // how long the server asks to wait, 0 when it did not
	Hint       string        // one sentence that says what to do, may be ""

	param string // the request's field that the server names
	cause error
}

// Error gives kind, place and message on one line, without the hint.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("asking the model")
	if e.Host != "" {
		b.WriteString(" at " + e.Host)
	}
	b.WriteString(": " + string(e.Kind))
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d)", e.Status)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	return b.String()
}

// Unwrap gives the cause: for [KindCancelled] the context's cause and its error, else what the network said, or nil.
func (e *Error) Unwrap() error { return e.cause }

func newError(kind Kind, message string) *Error {
	return &Error{Kind: kind, Message: message, Hint: hints[kind]}
}

func cancelled(ctx context.Context) *Error {
	cause := context.Cause(ctx)
	if cause != ctx.Err() { //nolint:errorlint // the very same value is meant
		cause = errors.Join(cause, ctx.Err())
	}
	return &Error{Kind: KindCancelled, Message: "the request was cancelled", cause: cause}
}

// retryable reports whether the same request may succeed a little later. A missing first token is not: the server
// has the request, and a local one would only do the work twice.
func (e *Error) retryable() bool {
	switch e.Kind {
	case KindRate, KindServer, KindConnectTimeout:
		return true
	case KindNetwork, KindIncomplete:
		return certificate(e.cause) == nil
	default:
		return false
	}
}
