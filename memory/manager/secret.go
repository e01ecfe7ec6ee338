package manager

import (
	"memoria/memory"
	"memoria/memory/policy/sensitive"
)

// SecretsIn returns the kinds of secrets in a message, such as "password"; nil if none.
func SecretsIn(r memory.Record) []string { return sensitive.SecretKinds(r.Content) }
