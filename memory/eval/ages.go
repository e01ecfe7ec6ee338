package eval

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"memoria/memory"
)

// Ages says how old items are when they are queried (R3b). The zero value makes all
// equally old.
type Ages struct {
	// Days spreads the ages log-uniformly from one day to Days days.
	Days int
	// Own uses the set's own times. A record without one is as old as the first.
	Own bool
}

// ParseAges parses the value of -ages: a number of days, "own", or "" for none.
func ParseAges(s string) (Ages, error) {
	switch s {
	case "", "0":
		return Ages{}, nil
	case "own":
		return Ages{Own: true}, nil
	}
	days, err := strconv.Atoi(s)
	if err != nil || days < 1 || days > 36500 {
		return Ages{}, fmt.Errorf("ages %q: a number of days from 1 to 36500, or own", s)
	}
	return Ages{Days: days}, nil
}

// String describes the ages for a table's heading.
func (a Ages) String() string {
	switch {
	case a.Own:
		return "own times"
	case a.Days > 0:
		return fmt.Sprintf("ages to %d days", a.Days)
	}
	return "equal ages"
}

// seed makes ages and uses reproducible.
const seed = 20260102

// aged is a record with the time at which it is remembered, and its use.
type aged struct {
	Record
	at   time.Time
	uses int
	// accessed is its last use; zero means never.
	accessed   time.Time
	confidence float64
}

// age assigns times and uses to the records of a conversation, oldest first; now is the
// time of the queries. Each conversation has its own random numbers.
func age(c Conversation, now time.Time, o Options) []aged {
	random := rand.New(rand.NewPCG(seed, nameSeed(c.Name)))
	out := make([]aged, len(c.Records))
	for i, r := range c.Records {
		out[i] = aged{Record: r, at: now, confidence: 1}
		switch {
		case o.Ages.Own:
			out[i].at = r.Time
			if r.Time.IsZero() {
				out[i].at = now.AddDate(-1, 0, 0)
			}
		case o.Ages.Days > 0:
			days := math.Exp(random.Float64() * math.Log(float64(o.Ages.Days)))
			out[i].at = now.Add(-time.Duration(days * 24 * float64(time.Hour)))
		}
	}
	if o.Uses {
		for i := range out {
			out[i].use(random, now)
		}
	}
	slices.SortStableFunc(out, func(a, b aged) int { return a.at.Compare(b.at) })
	return out
}

// use gives a record a history like that after a year of chatting. Half of the items
// were never used, the others up to thirty times, log-uniformly, the last time at any
// moment since they were learned. Three of four are plain statements of the user, with
// a confidence from 0.9 to 1 (L2); the others are inferred, from 0.5 to 0.8.
func (a *aged) use(random *rand.Rand, now time.Time) {
	a.confidence = 0.9 + 0.1*random.Float64()
	if random.IntN(4) == 0 {
		a.confidence = 0.5 + 0.3*random.Float64()
	}
	if random.IntN(2) == 0 {
		return
	}
	a.uses = int(math.Exp(random.Float64() * math.Log(30)))
	a.accessed = a.at.Add(time.Duration(random.Float64() * float64(now.Sub(a.at))))
}

// apply sets the use of an item being added.
func (a aged) apply(it *memory.Item) {
	it.AccessCount, it.LastAccessed, it.Confidence = a.uses, a.accessed, a.confidence
}

// nameSeed separates the random numbers of conversations.
func nameSeed(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}
