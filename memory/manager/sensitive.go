package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/store"
)

// SecretError reports that a text was not written because it contains a secret (P5a). It
// is an [memory.ErrInvalid].
type SecretError struct {
	// What was to be written: "a memory".
	What string
	// Kinds are the kinds of secrets, such as "password".
	Kinds []string
}

// Error names the kinds, not the secrets.
func (e *SecretError) Error() string {
	return fmt.Sprintf("%s was not saved: it holds a secret (%s); secrets are never remembered", e.What, strings.Join(e.Kinds, ", "))
}

// Unwrap returns [memory.ErrInvalid].
func (e *SecretError) Unwrap() error { return memory.ErrInvalid }

// withoutSecrets returns a [SecretError] if a text that a person writes contains a secret
// that the text before did not.
func withoutSecrets(what, before string, now ...string) error {
	text := strings.Join(now, "\n")
	if kinds := policy.SecretKinds(text); len(kinds) > 0 && text != before {
		return &SecretError{What: what, Kinds: kinds}
	}
	return nil
}

// itemTexts returns the texts of an item that may contain secrets.
func itemTexts(it memory.Item) []string {
	return append([]string{it.Content, it.Title, it.Key, string(it.Value)}, it.Tags...)
}

// accepted returns the contents of active items that contain sensitive data, which the
// user accepted or asked to remember.
func (m *Manager) accepted(ctx context.Context, a *agent) (out []string, err error) {
	err = m.view(ctx, func(tx *store.Tx) error {
		out = nil
		for it, err := range tx.Items(a.id) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if it.State == memory.StateActive && len(policy.PII(it.Content)) > 0 {
				out = append(out, it.Content)
			}
		}
		return nil
	})
	return out, err
}

// speakable returns [policy.Policy.Speakable] with the accepted contents, read on first
// use. If reading fails, nothing sensitive is speakable.
func (m *Manager) speakable(ctx context.Context, a *agent) func(string) bool {
	accepted := sync.OnceValue(func() []string {
		out, err := m.accepted(ctx, a)
		if err != nil {
			m.log.Warn("reading what is accepted failed", "agent", a.id, "error", err)
		}
		return out
	})
	return func(s string) bool {
		p := m.policy()
		return p.Speakable(s) || len(policy.PII(s)) > 0 && p.Speakable(s, accepted()...)
	}
}

// maxTitled bounds the bytes of a message that are examined for its title.
const maxTitled = 4 << 10

// title makes a title from a session's first message, with secrets masked. A message that
// begins with sensitive data gives no title (P5a).
func (m *Core) title(said string) string {
	said = strings.ToValidUTF8(said[:min(len(said), maxTitled)], "")
	t := titleOf(policy.HideSecrets(said))
	if !m.policy().Speakable(t) {
		return ""
	}
	return t
}

// titledBy reports whether a session's title is the one that a message gives.
func (m *Core) titledBy(s memory.Session, r memory.Record) bool {
	of := []string{m.title(r.Asked()), m.title(r.Typed()), titleOf(r.Asked()), titleOf(r.Typed())}
	return slices.Contains(of, s.Title)
}
