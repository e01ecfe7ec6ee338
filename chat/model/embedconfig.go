package model

import (
	"fmt"
	"strings"
	"time"

	"memoria/memory/bounds"
)

// EmbedConfig is the [embedding] table of the configuration file (I3, I5). Without a Name, embeddings are off
// and nothing is sent.
type EmbedConfig struct {
	// BaseURL is the address before /embeddings; "" means that of [model], with its key.
	BaseURL string `toml:"base_url"`
	// Name is the embedding model to ask for; "" switches embeddings off.
	Name string `toml:"name"`
	// APIKeyEnv names the environment variable with the key for BaseURL; if it is "", no key is sent there.
	APIKeyEnv string `toml:"api_key_env"`
	// AllowHTTP lets the key travel unencrypted to another computer.
	AllowHTTP bool `toml:"allow_http"`
	// Timeout bounds one request, from connecting to the end of the answer.
	Timeout time.Duration `toml:"timeout"`
	// Retries is the number of retries after a failed request, 0–10.
	Retries int `toml:"retries"`
	// Rate is the maximum number of requests in any minute, 0 for no limit.
	Rate int `toml:"rate"`
	// Batch is the number of texts in one request, 1–256.
	Batch int `toml:"batch"`
	// Dimensions is the requested vector size; 0 means the model's default.
	Dimensions int `toml:"dimensions"`
	// QueryPrefix and ItemPrefix are put before queries and stored texts, for models that need them.
	QueryPrefix string `toml:"query_prefix"`
	ItemPrefix  string `toml:"item_prefix"`
}

const (
	maxDimensions = 16384
	maxBatch      = 256
	maxPrefix     = 1000 // bytes
)

// DefaultEmbedConfig returns the default settings: no embeddings.
func DefaultEmbedConfig() EmbedConfig {
	return EmbedConfig{Timeout: 30 * time.Second, Retries: 3, Batch: 32}
}

// On reports whether an embedding model is configured.
func (c EmbedConfig) On() bool { return strings.TrimSpace(c.Name) != "" }

// EmbedSettings declares the bounds of [EmbedConfig].
func EmbedSettings() []bounds.Setting {
	short := func(s string) error {
		if len(s) > maxPrefix {
			return fmt.Errorf("must not be longer than %d bytes", maxPrefix)
		}
		return nil
	}
	return []bounds.Setting{
		bounds.Text("base_url", func(s string) error {
			if s == "" {
				return nil
			}
			_, err := parseBaseURL(s)
			return err
		}),
		bounds.Text("api_key_env", variableOrNone),
		bounds.Positive[time.Duration]("timeout"),
		bounds.Between("retries", 0, 10),
		bounds.AtLeast("rate", 0),
		bounds.Between("batch", 1, maxBatch),
		bounds.Between("dimensions", 0, maxDimensions),
		bounds.Text("query_prefix", short),
		bounds.Text("item_prefix", short),
	}
}

// Validate returns the values out of bounds as [bounds.Faults].
func (c EmbedConfig) Validate() error {
	err := bounds.Check(c, EmbedSettings())
	if c.BaseURL != "" || c.APIKeyEnv == "" {
		return err
	}
	return bounds.Join(err, bounds.Fault{
		Key: "api_key_env", Why: "belongs to a base_url in the same table; without one, the address and the key of [model] are used",
	})
}
