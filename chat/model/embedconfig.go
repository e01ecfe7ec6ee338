package model

import (
	"fmt"
	"strings"
	"time"

	"memoria/memory/bounds"
)

// EmbedConfig is the table [embedding] of the configuration file (I3, I5): what makes vectors of words. Without a
// Name there is none, and nothing is sent anywhere for it.
type EmbedConfig struct {
	// BaseURL is the address before /embeddings; "" is that of [model], with its key.
	BaseURL string `toml:"base_url"`
	// Name is the embedding model to ask for; "" switches embeddings off.
	Name string `toml:"name"`
	// APIKeyEnv names the environment variable with the key for BaseURL; "" means that no key is sent there.
	APIKeyEnv string `toml:"api_key_env"`
	// AllowHTTP lets the key travel unencrypted to another computer.
	AllowHTTP bool `toml:"allow_http"`
	// Timeout bounds one request, from connecting to the end of the answer.
	Timeout time.Duration `toml:"timeout"`
	// Retries is how many times a failed request is repeated, 0–10.
	Retries int `toml:"retries"`
	// Rate is the most requests in any minute, 0 for no limit.
	Rate int `toml:"rate"`
	// Batch is how many texts go with one request, 1–256.
	Batch int `toml:"batch"`
	// Dimensions is how many numbers a vector is asked to have; 0 is as many as the model gives.
	Dimensions int `toml:"dimensions"`
	// QueryPrefix and ItemPrefix stand before what is looked for and what is stored, where a model wants that.
	QueryPrefix string `toml:"query_prefix"`
	ItemPrefix  string `toml:"item_prefix"`
}

const (
	maxDimensions = 16384
	maxBatch      = 256
	maxPrefix     = 1000 // bytes
)

// DefaultEmbedConfig returns the settings that hold where the file says nothing: no embeddings.
func DefaultEmbedConfig() EmbedConfig {
	return EmbedConfig{Timeout: 30 * time.Second, Retries: 3, Batch: 32}
}

// On reports whether there is a model to ask.
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

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c EmbedConfig) Validate() error {
	err := bounds.Check(c, EmbedSettings())
	if c.BaseURL != "" || c.APIKeyEnv == "" {
		return err
	}
	return bounds.Join(err, bounds.Fault{
		Key: "api_key_env", Why: "belongs to a base_url in the same table; without one, the address and the key of [model] are used",
	})
}
