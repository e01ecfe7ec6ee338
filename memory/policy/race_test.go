//go:build race

package policy_test

// slower is how much longer than usual things may take: the race detector costs about tenfold.
const slower = 10
