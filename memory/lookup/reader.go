package lookup

import (
	"context"
	"fmt"
	"time"

	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// Options configures a [Reader].
type Options struct {
	Vault  *vault.Vault
	Recall *recall.Reader
	Now    func() time.Time
	// Agents are the configured agents by id.
	Agents map[string]Given
}

// Reader reads stored data. It is safe for concurrent use.
type Reader struct {
	vault  *vault.Vault
	store  *store.Store // of the vault
	recall *recall.Reader
	now    func() time.Time
	given  map[string]Given
	lists  itemLists
}

// New returns a reader of the vault's store.
func New(o Options) *Reader {
	return &Reader{vault: o.Vault, store: o.Vault.Store(), recall: o.Recall, now: o.Now, given: o.Agents}
}

// read runs a read transaction for an agent, and starts loading it. what describes the
// read in the error of the transaction; it may be empty.
func (r *Reader) read(ctx context.Context, agentID, what string, fn func(*store.Tx) error) error {
	if err := r.recall.Load(agentID); err != nil {
		return err
	}
	return r.view(ctx, what, fn)
}

// view is read for more than one agent. If ctx is done it reads nothing and returns the
// cause.
func (r *Reader) view(ctx context.Context, what string, fn func(*store.Tx) error) error {
	err := context.Cause(ctx)
	if err == nil {
		err = r.store.View(fn)
	}
	if err != nil && what != "" {
		return fmt.Errorf("%s: %w", what, err)
	}
	return err
}
