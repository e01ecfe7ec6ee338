package model

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/bounds"
)

// perTokens is the number of tokens that a price covers.
const perTokens = 1_000_000

// defaultCurrency is the currency of prices when the file names none.
const defaultCurrency = "$"

// Price is the table [model.prices."NAME"]: the price of a million tokens, in Config.Currency.
type Price struct {
	Input  float64 `toml:"input"`
	Output float64 `toml:"output"`
	// CachedInput is the price of cached input; nil means the price of Input.
	CachedInput *float64 `toml:"cached_input"`
}

// datedName matches a model name with its release date, which servers return for the plain name.
var datedName = text.LazyRegexp(`^(.+)-(?:\d{4}-\d{2}-\d{2}|\d{8})$`)

// Cost returns the cost of the counted tokens, in c.Currency. It returns false when the model has no known
// price or the server counted nothing. A model name with a release date falls back to the price of its plain
// name.
func (c Config) Cost(model string, u memory.Usage) (float64, bool) {
	p, ok := c.Prices[model]
	if m := datedName().FindStringSubmatch(model); !ok && m != nil {
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

// Money formats an amount for people: "$0.0042", "1.20 kr". Small amounts keep two significant digits, and a
// positive amount never shows as zero.
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

// inCurrency puts a sign before the number or a word after it.
func (c Config) inCurrency(number string) string {
	if word().MatchString(c.Currency) {
		return number + " " + c.Currency
	}
	return c.Currency + number
}

// word matches a currency that is spelled out, such as kr or EUR.
var word = text.LazyRegexp(`^\pL{2,}`)

// maxPrice and maxCurrency bound the file's values, so that a typo is reported instead of multiplied.
const (
	maxPrice    = 1_000_000
	maxCurrency = 8 // bytes
)

// priceFaults returns the prices out of bounds, sorted by name.
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
