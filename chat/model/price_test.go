package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

func priced(t testing.TB, text string) model.Config {
	t.Helper()
	cfg := model.DefaultConfig()
	meta, err := toml.Decode(text, &cfg)
	if err != nil || len(meta.Undecoded()) > 0 {
		t.Fatal(err, meta.Undecoded())
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// I5: what a turn costs, by the prices in the file.
func TestCost(t *testing.T) {
	cfg := priced(t, `
		[prices."m-4.1"]
		input = 2
		cached_input = 0.5
		output = 8
		[prices.plain]
		input = 1
		output = 3
		[prices.free]
		[prices.gift]
		input = 4
		cached_input = 0`)
	const million = 1_000_000
	for _, tt := range []struct {
		model string
		usage memory.Usage
		want  float64
		known bool
	}{
		{"m-4.1", memory.Usage{PromptTokens: million, CompletionTokens: million}, 10, true},
		{"m-4.1", memory.Usage{PromptTokens: million, CachedTokens: million / 2, CompletionTokens: 0}, 1.25, true},
		{"m-4.1", memory.Usage{PromptTokens: 10, CachedTokens: million}, 5e-6, true}, // no more is cached than was sent
		{"m-4.1", memory.Usage{PromptTokens: 10, CachedTokens: -5}, 2e-5, true},
		{"m-4.1-2026-04-14", memory.Usage{PromptTokens: million}, 2, true},
		{"m-4.1-20260414", memory.Usage{PromptTokens: million}, 2, true},
		{"m-4.1-mini", memory.Usage{PromptTokens: million}, 0, false},
		{"M-4.1", memory.Usage{PromptTokens: million}, 0, false},
		{"plain", memory.Usage{PromptTokens: million, CachedTokens: million}, 1, true},
		{"gift", memory.Usage{PromptTokens: million, CachedTokens: million}, 0, true},
		{"free", memory.Usage{PromptTokens: million, CompletionTokens: million}, 0, true},
		{"plain", memory.Usage{}, 0, false},
		{"", memory.Usage{PromptTokens: 1}, 0, false},
		{memory.ModelOffline, memory.Usage{PromptTokens: 1}, 0, false},
	} {
		got, known := cfg.Cost(tt.model, tt.usage)
		if known != tt.known || math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s %+v costs %v, %v", tt.model, tt.usage, got, known)
		}
	}
}

// Turns add up: the cost of two counts is the cost of both, and more tokens never cost less.
func TestCostAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Float64Range(0, 1000)
		cached := amount.Draw(t, "cached")
		cfg := model.Config{Prices: map[string]model.Price{"m": {
			Input: amount.Draw(t, "input"), Output: amount.Draw(t, "output"), CachedInput: &cached}}}
		usage := rapid.Custom(func(t *rapid.T) memory.Usage {
			u := memory.Usage{PromptTokens: rapid.IntRange(1, 1e6).Draw(t, "in"), CompletionTokens: rapid.IntRange(0, 1e6).Draw(t, "out")}
			u.CachedTokens = rapid.IntRange(0, u.PromptTokens).Draw(t, "cached")
			return u
		})
		a, b := usage.Draw(t, "a"), usage.Draw(t, "b")
		ca, _ := cfg.Cost("m", a)
		cb, _ := cfg.Cost("m", b)
		both, ok := cfg.Cost("m", memory.Usage{PromptTokens: a.PromptTokens + b.PromptTokens,
			CompletionTokens: a.CompletionTokens + b.CompletionTokens, CachedTokens: a.CachedTokens + b.CachedTokens})
		if !ok || math.Abs(both-ca-cb) > 1e-9*(1+both) || both < ca {
			t.Fatalf("%v + %v is %v", ca, cb, both)
		}
	})
}

func TestMoney(t *testing.T) {
	for _, tt := range []struct {
		currency string
		amount   float64
		want     string
	}{
		{"$", 0, "$0.00"}, {"$", 12.345, "$12.35"}, {"$", 1, "$1.00"}, {"$", 0.5, "$0.50"},
		{"$", 0.0042, "$0.0042"}, {"$", 0.00004212, "$0.000042"}, {"$", 1e-9, "<$0.000001"},
		{"¥", 0.25, "¥0.25"}, {"EUR", 3, "3.00 EUR"}, {"元", 2, "元2.00"}, {"", 2, "2.00"},
	} {
		if got := (model.Config{Currency: tt.currency}).Money(tt.amount); got != tt.want {
			t.Errorf("%v %s is %q, want %q", tt.amount, tt.currency, got, tt.want)
		}
	}
}

func TestWrongPrices(t *testing.T) {
	for _, tt := range []struct {
		price model.Price
		want  string
	}{
		{model.Price{Input: -1}, `prices."a \"b\" c".input is -1; allowed are 0 to 1000000`},
		{model.Price{Output: math.NaN()}, `prices."a \"b\" c".output is `},
		{model.Price{CachedInput: ptr(math.Inf(1))}, `prices."a \"b\" c".cached_input is `},
	} {
		cfg := model.DefaultConfig()
		cfg.Prices = map[string]model.Price{`a "b" c`: tt.price}
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.price, err)
		}
	}
	cfg := model.DefaultConfig()
	cfg.Currency = "dollars and cents"
	if err := cfg.Validate(); err == nil || !strings.HasPrefix(err.Error(), "currency ") {
		t.Error(err)
	}
}

func ptr(f float64) *float64 { return &f }

// What the server had in its cache is counted, and never more than there was.
func TestCachedTokens(t *testing.T) {
	for said, want := range map[int]int{40: 40, 400: 100, -3: 0} {
		srv := modeltest.New(modeltest.Step{Text: "hi", Usage: &modeltest.Usage{
			PromptTokens: 100, CompletionTokens: 1, TotalTokens: 101, PromptDetails: &modeltest.PromptDetails{CachedTokens: said}}})
		var rec recorder
		reply, err := inProcess(t, srv, config()).Stream(background(t), ask("?"), rec.on)
		if err != nil || reply.Usage.CachedTokens != want {
			t.Errorf("%d: %+v, %v", said, reply.Usage, err)
		}
	}
}
