package status

import "memoria/memory"

// Prices knows what an answer costs.
type Prices interface {
	// Cost is the price of an answer by a model. ok is false when no price is known.
	Cost(model string, used memory.Usage) (amount float64, ok bool)
	// Money writes an amount with its currency.
	Money(amount float64) string
}

// Spent is what the answers of a session used, by the id of the answer. Its zero value is empty.
type Spent struct{ used map[string]use }

type use struct {
	model string
	usage memory.Usage
}

// Add adds an answer, once.
func (s *Spent) Add(r memory.Record) {
	if r.Usage == nil || r.ID == "" {
		return
	}
	if s.used == nil {
		s.used = map[string]use{}
	}
	s.used[r.ID] = use{model: r.Model, usage: *r.Usage}
}

// Sum is what the answers cost together, with its currency; "" when none has a price.
func (s *Spent) Sum(p Prices) string {
	sum, priced := 0.0, false
	for _, u := range s.used {
		if amount, ok := p.Cost(u.model, u.usage); ok {
			sum, priced = sum+amount, true
		}
	}
	if !priced {
		return ""
	}
	return p.Money(sum)
}

// Cost is what an answer cost, with its currency; "" when no price is known.
func Cost(p Prices, r memory.Record) string {
	if r.Usage == nil {
		return ""
	}
	amount, ok := p.Cost(r.Model, *r.Usage)
	if !ok {
		return ""
	}
	return p.Money(amount)
}
