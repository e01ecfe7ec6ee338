package model

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"memoria/memory/bounds"
)

// Config is the [model] table of the configuration file (I3, I5). Durations are strings such as "30s" there.
// The table never holds the key, only the name of its environment variable.
type Config struct {
	// BaseURL is the address before /chat/completions, without user name, query or fragment.
	BaseURL string `toml:"base_url"`
	// Name is the model to ask for.
	Name string `toml:"name"`
	// APIKeyEnv names the environment variable with the key; if it is "", no key is sent.
	APIKeyEnv string `toml:"api_key_env"`
	// AllowHTTP lets the key travel unencrypted to another computer. On this computer that is always allowed.
	AllowHTTP bool `toml:"allow_http"`

	// ConnectTimeout bounds name look-up, TCP and TLS together.
	ConnectTimeout time.Duration `toml:"connect_timeout"`
	// FirstTokenTimeout bounds the time from the connection to the first event of the answer. A local server
	// may have to load the model and read a long prompt first.
	FirstTokenTimeout time.Duration `toml:"first_token_timeout"`
	// IdleTimeout bounds the silence between two pieces of an answer.
	IdleTimeout time.Duration `toml:"idle_timeout"`
	// Retries is the number of retries after a failed request, 0–10. Nothing is retried once an answer has
	// begun.
	Retries int `toml:"retries"`
	// Rate is the maximum number of requests in any minute, 0 for no limit.
	Rate int `toml:"rate"`

	// ContextTokens is the size of the model's context window, 0 when unknown.
	ContextTokens int `toml:"context_tokens"`
	// MaxEventBytes bounds one server-sent event.
	MaxEventBytes int64 `toml:"max_event_bytes"`
	// MaxAnswerBytes bounds one answer on the wire, where each token takes some 200 to 300 bytes.
	MaxAnswerBytes int64 `toml:"max_answer_bytes"`

	// Currency is written with every cost. It is only a label.
	Currency string `toml:"currency"`
	// Prices maps model names to prices; the cost of other models is unknown.
	Prices map[string]Price `toml:"prices"`
}

// DefaultConfig returns the default settings.
func DefaultConfig() Config {
	return Config{
		BaseURL:           "https://api.openai.com/v1",
		Name:              "gpt-4.1-mini",
		APIKeyEnv:         "OPENAI_API_KEY",
		ConnectTimeout:    10 * time.Second,
		FirstTokenTimeout: 2 * time.Minute,
		IdleTimeout:       time.Minute,
		Retries:           3,
		MaxEventBytes:     1 << 20,
		MaxAnswerBytes:    64 << 20,
		Currency:          defaultCurrency,
	}
}

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{
		bounds.Text("base_url", func(s string) error {
			_, err := parseBaseURL(s)
			return err
		}),
		bounds.Text("name", func(s string) error {
			if strings.TrimSpace(s) == "" {
				return errors.New("must name a model")
			}
			return nil
		}),
		bounds.Text("api_key_env", variableOrNone),
		bounds.Positive[time.Duration]("connect_timeout"),
		bounds.Positive[time.Duration]("first_token_timeout"),
		bounds.Positive[time.Duration]("idle_timeout"),
		bounds.Between("retries", 0, 10),
		bounds.AtLeast("rate", 0),
		bounds.AtLeast("context_tokens", 0),
		bounds.AtLeast[int64]("max_event_bytes", 4<<10),
		bounds.Depends("max_answer_bytes", "max_event_bytes or more"),
		bounds.Text("currency", func(s string) error {
			if len(s) > maxCurrency {
				return fmt.Errorf("must be at most %d bytes", maxCurrency)
			}
			return nil
		}),
	}
}

// variableOrNone refuses a string that cannot be a variable name; "" is allowed.
func variableOrNone(s string) error {
	if s != "" && !NamesVariable(s) {
		return errors.New(noVariable)
	}
	return nil
}

// Validate returns the values out of bounds as [bounds.Faults]. It never repeats the address, because people
// paste passwords into addresses.
func (c Config) Validate() error {
	var more []bounds.Fault
	if c.MaxAnswerBytes < c.MaxEventBytes {
		more = append(more, bounds.Fault{Key: "max_answer_bytes", Why: "must not be below max_event_bytes"})
	}
	return bounds.Join(bounds.Check(c, Settings()), append(more, c.priceFaults()...)...)
}

// Local reports whether the address is on this computer, so that nothing leaves it and no key is needed.
func (c Config) Local() bool {
	u, err := parseBaseURL(c.BaseURL)
	return err == nil && isLoopback(u.Hostname())
}

// parseBaseURL returns the address with exactly one slash at its end.
func parseBaseURL(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	switch {
	case err != nil:
		return nil, errors.New("is not a valid address")
	case u.User != nil:
		return nil, errors.New("must not contain a user name or password")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("must begin with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("must name a host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("must not contain ? or #")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if strings.HasSuffix(u.Path, "/chat/completions") {
		return nil, errors.New("must end before /chat/completions")
	}
	if strings.HasSuffix(u.Path, "/embeddings") {
		return nil, errors.New("must end before /embeddings")
	}
	u.Path, u.RawPath = u.Path+"/", ""
	return u, nil
}

func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
