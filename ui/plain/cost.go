package plain

import (
	"memoria/memory"
)

// costs says what an answer cost, and the session with it; "" when no price is
// known.
func (s *session) costs(r memory.Record) string {
	if s.o.Models.Cost == nil || r.Usage == nil {
		return ""
	}
	amount, ok := s.o.Models.Cost(r.Model, *r.Usage)
	if !ok {
		return ""
	}
	text, all := s.o.Models.Money(amount), s.sessionCost()
	if all == "" || all == text {
		return ", " + text
	}
	return ", " + text + " of " + all + " in this session"
}

// sessionCost is what the answers of this session cost together; "" when none
// has a price.
func (s *session) sessionCost() string {
	if s.o.Models.Cost == nil || s.in.ID == "" {
		return ""
	}
	records, err := s.o.Memory.Records(s.ctx, s.agent, s.in.ID)
	if err != nil {
		return ""
	}
	sum, priced := 0.0, false
	for _, r := range records {
		if r.Usage == nil {
			continue
		}
		if amount, ok := s.o.Models.Cost(r.Model, *r.Usage); ok {
			sum, priced = sum+amount, true
		}
	}
	if !priced {
		return ""
	}
	return s.o.Models.Money(sum)
}
