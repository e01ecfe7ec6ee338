package write

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"memoria/memory/policy/sensitive"

	"memoria/memory"
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

// WithoutSecrets returns a [SecretError] if a text that a person writes contains a secret
// that the text before did not.
func WithoutSecrets(what, before string, now ...string) error {
	text := strings.Join(now, "\n")
	if kinds := sensitive.SecretKinds(text); len(kinds) > 0 && text != before {
		return &SecretError{What: what, Kinds: kinds}
	}
	return nil
}

// ItemTexts returns the texts of an item that may contain secrets.
func ItemTexts(it memory.Item) []string {
	return append([]string{it.Content, it.Title, it.Key, string(it.Value)}, it.Tags...)
}

// Accepted returns the contents of active items that contain sensitive data, which the
// user accepted or asked to remember.
func (c *Core) Accepted(ctx context.Context, a *Agent) (out []string, err error) {
	err = c.View(ctx, func(tx *store.Tx) error {
		out = nil
		for it, err := range tx.Items(a.ID) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if it.State == memory.StateActive && len(sensitive.PII(it.Content)) > 0 {
				out = append(out, it.Content)
			}
		}
		return nil
	})
	return out, err
}

// Speakable returns [policy.Policy.Speakable] with the accepted contents, read on first
// use. If reading fails, nothing sensitive is speakable.
func (c *Core) Speakable(ctx context.Context, a *Agent) func(string) bool {
	accepted := sync.OnceValue(func() []string {
		out, err := c.Accepted(ctx, a)
		if err != nil {
			c.Log.Warn("reading what is accepted failed", "agent", a.ID, "error", err)
		}
		return out
	})
	return func(s string) bool {
		p := c.Policy()
		return p.Speakable(s) || len(sensitive.PII(s)) > 0 && p.Speakable(s, accepted()...)
	}
}

// maxTitled bounds the bytes of a message that are examined for its title.
const maxTitled = 4 << 10

// Title makes a title from a session's first message, with secrets masked. A message that
// begins with sensitive data gives no title (P5a).
func (c *Core) Title(said string) string {
	said = strings.ToValidUTF8(said[:min(len(said), maxTitled)], "")
	t := TitleOf(sensitive.HideSecrets(said))
	if !c.Policy().Speakable(t) {
		return ""
	}
	return t
}

// TitledBy reports whether a session's title is the one that a message gives.
func (c *Core) TitledBy(s memory.Session, r memory.Record) bool {
	of := []string{c.Title(r.Asked()), c.Title(r.Typed()), TitleOf(r.Asked()), TitleOf(r.Typed())}
	return slices.Contains(of, s.Title)
}
