//go:build !race

package policy_test

// slower is how much longer than usual things may take.
const slower = 1
