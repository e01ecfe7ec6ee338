package manager

import (
	"memoria/memory"
	"memoria/memory/policy"
)

// SecretsIn returns the kinds of secrets in a message, such as "password"; nil if none.
func SecretsIn(r memory.Record) []string { return policy.SecretKinds(r.Content) }
