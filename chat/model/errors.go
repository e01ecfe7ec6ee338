package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind is the kind of failure of an [Error]; callers branch on it.
type Kind string

// The kinds of failure.
const (
	KindAuth              Kind = "auth"                // the key is missing, wrong or not allowed to do this
	KindQuota             Kind = "quota"               // the budget is used up
	KindRate              Kind = "rate"                // too many requests; passes by itself
	KindConnectTimeout    Kind = "timeout-connect"     // no connection within connect_timeout
	KindFirstTokenTimeout Kind = "timeout-first-token" // connected, but no answer began within first_token_timeout
	KindIdleTimeout       Kind = "timeout-idle"        // an answer began and then fell silent for idle_timeout
	KindNetwork           Kind = "network"             // no connection, or it broke
	KindIncomplete        Kind = "incomplete"          // the answer stopped, or ended for an unknown reason
	KindLength            Kind = "length"              // a length limit ended the answer
	KindFiltered          Kind = "filtered"            // the provider's filter ended the answer
	KindEmpty             Kind = "empty"               // the server reports success without an answer
	KindBadResponse       Kind = "bad-response"        // the response does not follow the OpenAI protocol
	KindTooLarge          Kind = "too-large"           // an event or the answer is over its limit
	KindServer            Kind = "server"              // the server has trouble (5xx)
	KindContextLength     Kind = "context-length"      // the request is longer than the model's context
	KindModelNotFound     Kind = "model-not-found"     // the server does not know the model or the path
	KindTools             Kind = "tools"               // the server does not accept tools
	KindRequest           Kind = "request"             // the server refuses the request for another reason
	KindOffline           Kind = "offline"             // no language model is configured for this
	KindCancelled         Kind = "cancelled"           // the caller's context ended
)

// hints tell the user in one sentence what to do.
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

// Error is the type of every failure that a [Client] returns. It holds no secret: texts from the server are
// redacted, on one line, and at most 400 characters.
type Error struct {
	Kind       Kind
	Status     int           // the HTTP status, 0 when there was none
	Message    string        // what happened, in the server's words if it gave any
	Host       string        // where, as in Info.Endpoint
	RetryAfter time.Duration // the wait that the server asks for, 0 when it gave none
	Hint       string        // one sentence that says what to do; may be ""

	param string // the request's field that the server names
	cause error
}

// Error returns kind, place and message on one line, without the hint.
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

// Unwrap returns the cause: for [KindCancelled] the context's cause and its error, otherwise the network error,
// or nil.
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

// retryable reports whether the same request may succeed a little later. A missing first token is not
// retryable: the server has the request, and a local one would only do the work twice.
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

// Title says in a sentence without its stop what went wrong.
func (k Kind) Title() string {
	switch k {
	case KindAuth:
		return "The model server refused the key"
	case KindRate:
		return "The model server asks to slow down"
	case KindConnectTimeout, KindFirstTokenTimeout, KindIdleTimeout:
		return "The model server does not answer"
	case KindNetwork:
		return "The model server cannot be reached"
	case KindContextLength:
		return "The message is too long for the model"
	case KindTooLarge:
		return "The answer is too large"
	case KindBadResponse:
		return "The model server sent no proper answer"
	case KindIncomplete:
		return "The answer broke off"
	case KindLength:
		return "The answer was cut off"
	case KindFiltered:
		return "The answer was withheld"
	case KindEmpty:
		return "There is no answer"
	case KindModelNotFound:
		return "The model server does not know this model"
	case KindQuota:
		return "Nothing is left to spend at the model server"
	case KindTools:
		return "The model server takes no tools"
	case KindRequest:
		return "The model server refused the request"
	case KindOffline:
		return "No language model is connected"
	case KindCancelled:
		return "Cancelled"
	}
	return "The model server failed"
}
