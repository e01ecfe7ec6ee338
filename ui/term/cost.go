package term

import "memoria/memory"

// costOf is what an answer cost, with its currency; "" when no price is known.
func (m *conversation) costOf(r memory.Record) string {
	if r.Usage == nil {
		return ""
	}
	amount, ok := m.opts.Models.Cost(r.Model, *r.Usage)
	if !ok {
		return ""
	}
	return m.opts.Models.Money(amount)
}

// sessionCost is what the answers shown cost together; "" when none has a price.
func (m *conversation) sessionCost() string {
	sum, priced := 0.0, false
	for _, u := range m.uses {
		if amount, ok := m.opts.Models.Cost(u.model, u.usage); ok {
			sum, priced = sum+amount, true
		}
	}
	if !priced {
		return ""
	}
	return m.opts.Models.Money(sum)
}

// use is what one answer of the session used.
type use struct {
	model string
	usage memory.Usage
}

// noteUse remembers what an answer used, once.
func (m *conversation) noteUse(r memory.Record) {
	if r.Usage == nil || r.ID == "" {
		return
	}
	if m.uses == nil {
		m.uses = map[string]use{}
	}
	m.uses[r.ID] = use{model: r.Model, usage: *r.Usage}
}
