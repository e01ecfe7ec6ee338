package model_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"memoria/chat/model"
)

// I5: the table [model], durations as strings; what is not given keeps its default.
func TestConfigAsTOML(t *testing.T) {
	cfg := model.DefaultConfig()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	meta, err := toml.Decode(`
		base_url = "http://localhost:11434/v1/"
		name = "qwen3"
		api_key_env = ""
		first_token_timeout = "5m"
		retries = 0
		rate = 20
		context_tokens = 32768`, &cfg)
	if err != nil || len(meta.Undecoded()) > 0 {
		t.Fatal(err, meta.Undecoded())
	}
	want := model.DefaultConfig()
	want.BaseURL, want.Name, want.APIKeyEnv = "http://localhost:11434/v1/", "qwen3", ""
	want.FirstTokenTimeout, want.Retries, want.Rate, want.ContextTokens = 5*time.Minute, 0, 20, 32768
	if d := cmp.Diff(want, cfg); d != "" {
		t.Error(d)
	}
	var out bytes.Buffer
	if err := toml.NewEncoder(&out).Encode(cfg); err != nil {
		t.Fatal(err)
	}
	var again model.Config
	if _, err := toml.Decode(out.String(), &again); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(cfg, again); d != "" {
		t.Error(d)
	}
	if !strings.Contains(out.String(), `first_token_timeout = "5m0s"`) {
		t.Errorf("written as %s", out.String())
	}
}

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		key    string
		change func(*model.Config)
	}{
		{"base_url", func(c *model.Config) { c.BaseURL = "" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "localhost:8080" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "ftp://x/v1" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "https:///v1" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "https://me:hunter2@x/v1" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "https://me:hunter2@x:bad/v1" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "https://x/v1?key=hunter2" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "https://x/v1#hunter2" }},
		{"base_url", func(c *model.Config) { c.BaseURL = "https://x/v1/chat/completions" }},
		{"name", func(c *model.Config) { c.Name = " " }},
		{"api_key_env", func(c *model.Config) { c.APIKeyEnv = "KEY=hunter2" }},
		{"connect_timeout", func(c *model.Config) { c.ConnectTimeout = 0 }},
		{"first_token_timeout", func(c *model.Config) { c.FirstTokenTimeout = -1 }},
		{"idle_timeout", func(c *model.Config) { c.IdleTimeout = 0 }},
		{"retries", func(c *model.Config) { c.Retries = -1 }},
		{"retries", func(c *model.Config) { c.Retries = 11 }},
		{"rate", func(c *model.Config) { c.Rate = -1 }},
		{"context_tokens", func(c *model.Config) { c.ContextTokens = -1 }},
		{"max_event_bytes", func(c *model.Config) { c.MaxEventBytes = 0 }},
		{"max_answer_bytes", func(c *model.Config) { c.MaxAnswerBytes = c.MaxEventBytes - 1 }},
	} {
		cfg := model.DefaultConfig()
		tt.change(&cfg)
		_, err := model.NewOpenAI(cfg)
		if err == nil || !strings.Contains(err.Error(), tt.key+" ") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", tt.key, err)
		}
	}
	all := model.Config{Retries: -1}
	if err := all.Validate(); strings.Count(err.Error(), "\n") < 6 {
		t.Errorf("not everything is said at once: %v", err)
	}
}

// What the screen shows of the address.
func TestEndpoint(t *testing.T) {
	for url, want := range map[string]model.Info{
		"https://api.openai.com/v1": {Endpoint: "api.openai.com"},
		"https://x.example:8443":    {Endpoint: "x.example:8443"},
		"http://127.0.0.1:11434/v1": {Endpoint: "127.0.0.1:11434", SelfHosted: true},
		"http://[::1]:1/v1":         {Endpoint: "[::1]:1", SelfHosted: true},
		"http://10.0.0.7:8000/v1":   {Endpoint: "http://10.0.0.7:8000", SelfHosted: true},
	} {
		cfg := config()
		cfg.BaseURL, cfg.ContextTokens = url, 7
		c, err := model.NewOpenAI(cfg)
		if err != nil {
			t.Fatal(err)
		}
		want.Name, want.Model, want.ContextTokens = "openai", "scripted", 7
		if i := c.Info(); i != want {
			t.Errorf("%s shows as %+v", url, i)
		}
	}
}
