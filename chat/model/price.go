package model

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"memoria/memory"
	"memoria/memory/bounds"
)

// perTokens is the number of tokens that a price is for.
const perTokens = 1_000_000

// DefaultCurrency is the currency of prices where the file names none.
const DefaultCurrency = "$"

// Price is the table [model.prices."NAME"]: what a model costs for a million tokens, in Config.Currency.
type Price struct {
	Input  float64 `toml:"input"`
	Output float64 `toml:"output"`
	// CachedInput is for input that the server still had in its cache; nil where that costs the same.
	CachedInput *float64 `toml:"cached_input"`
}

// datedName is a model's name with the day of its release, as servers name what they were asked for without it.
var datedName = regexp.MustCompile(`^(.+)-(?:\d{4}-\d{2}-\d{2}|\d{8})$`)

// Cost returns what the tokens that a server counted cost with a model, in c.Currency. It is false where no price is
// known for the model or the server counted nothing. A model that the server names with the day of its release has the
// price of its plain name when it has none of its own.
func (c Config) Cost(model string, u memory.Usage) (float64, bool) {
	p, ok := c.Prices[model]
	if m := datedName.FindStringSubmatch(model); !ok && m != nil {
		p, ok = c.Prices[m[1]]
	}
	if !ok || u.PromptTokens+u.CompletionTokens <= 0 {
		return 0, false
	}
	cached := min(max(u.CachedTokens, 0), u.PromptTokens)
	cost := float64(u.PromptTokens-cached)*p.Input + float64(u.CompletionTokens)*p.Output
	if p.CachedInput != nil {
		cost += float64(cached) * *p.CachedInput
	} else {
		cost += float64(cached) * p.Input
	}
	return cost / perTokens, true
}

// Money writes an amount for a person: "$0.0042", "1.20 kr". Small amounts keep two digits that count, and what is
// above nothing is never shown as nothing.
func (c Config) Money(amount float64) string {
	digits := 2
	if amount > 0 && amount < 1 {
		digits = min(1-int(math.Floor(math.Log10(amount))), 6)
	}
	if least := math.Pow10(-digits); amount > 0 && amount < least {
		return "<" + c.inCurrency(fmt.Sprintf("%.*f", digits, least))
	}
	return c.inCurrency(fmt.Sprintf("%.*f", max(digits, 2), amount))
}

// inCurrency puts a sign before the number and a word behind it.
func (c Config) inCurrency(number string) string {
	if word.MatchString(c.Currency) {
		return number + " " + c.Currency
	}
	return c.Currency + number
}

// word matches a currency that is written out, such as kr or EUR.
var word = regexp.MustCompile(`^\pL{2,}`)

// maxPrice and maxCurrency bound what a file may say: a slip is told, not multiplied.
const (
	maxPrice    = 1_000_000
	maxCurrency = 8 // bytes
)

// priceFaults returns the prices that are out of their bounds, in the order of their names.
func (c Config) priceFaults() (out []bounds.Fault) {
	for _, name := range slices.Sorted(maps.Keys(c.Prices)) {
		p := c.Prices[name]
		cached := 0.0
		if p.CachedInput != nil {
			cached = *p.CachedInput
		}
		for _, one := range []struct {
			key    string
			amount float64
		}{{"input", p.Input}, {"cached_input", cached}, {"output", p.Output}} {
			if !(one.amount >= 0 && one.amount <= maxPrice) {
				key := fmt.Sprintf("prices.%q.%s", name, one.key)
				out = append(out, bounds.Fault{Key: key, Why: fmt.Sprintf("is %v; allowed are 0 to %d", one.amount, maxPrice)})
			}
		}
	}
	return out
}
