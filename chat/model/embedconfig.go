package model

import (
	"errors"
	"fmt"
	"strings"
	"time"
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

// Validate says everything that is wrong with c, each with its key, or returns nil.
func (c EmbedConfig) Validate() error {
	var errs []error
	bad := func(key, what string) { errs = append(errs, fmt.Errorf("%s: %s", key, what)) }
	if c.BaseURL != "" {
		if _, err := parseBaseURL(c.BaseURL); err != nil {
			bad("base_url", err.Error())
		}
	} else if c.APIKeyEnv != "" {
		bad("api_key_env", "belongs to a base_url in the same table; without one, the address and the key of [model] are used")
	}
	if c.APIKeyEnv != "" && !NamesVariable(c.APIKeyEnv) {
		bad("api_key_env", noVariable)
	}
	if c.Timeout <= 0 {
		bad("timeout", "must be above zero")
	}
	if c.Retries < 0 || c.Retries > 10 {
		bad("retries", "must be from 0 to 10")
	}
	if c.Rate < 0 {
		bad("rate", "must not be negative")
	}
	if c.Batch < 1 || c.Batch > maxBatch {
		bad("batch", fmt.Sprintf("must be from 1 to %d", maxBatch))
	}
	if c.Dimensions < 0 || c.Dimensions > maxDimensions {
		bad("dimensions", fmt.Sprintf("must be from 0 to %d", maxDimensions))
	}
	if len(c.QueryPrefix) > maxPrefix {
		bad("query_prefix", "must not be longer than 1000 bytes")
	}
	if len(c.ItemPrefix) > maxPrefix {
		bad("item_prefix", "must not be longer than 1000 bytes")
	}
	return errors.Join(errs...)
}
