package manager_test

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// The tests of this package that damage and kill are parts of a campaign, which
// .ci/campaign runs at length. These variables set it up:
//
//	MEMORIA_SEED      of what is random in the test's own process
//	MEMORIA_COPIES    damaged copies
//	MEMORIA_SALVAGES  stores with lost pages
//	MEMORIA_KILLS     processes killed, of all tests together
//	MEMORIA_SEQUENCES sequences of statements that contradict each other
//
// The flag -rapid.checks sets how many random histories are tried.

// allKills is the sum of what the tests give to kills.
const allKills = 31

// often is how often something is done: usual, or what the variable says.
func often(t *testing.T, variable string, usual int) int {
	t.Helper()
	s := os.Getenv("MEMORIA_" + variable)
	if s == "" {
		return usual
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// kills is how often a test kills a process: its share of [allKills]. It skips the test in the
// run with the race detector.
func kills(t *testing.T, share int) int {
	t.Helper()
	noRace(t)
	return max(1, share*often(t, "KILLS", allKills)/allKills)
}

// seedOf is the seed of a test, which it prints.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(often(t, "SEED", int(time.Now().UnixNano())))
	t.Logf("seed %d", seed)
	return seed
}
