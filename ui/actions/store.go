package actions

import (
	"context"
	"sync/atomic"
	"time"

	"memoria/memory/recall"
	"memoria/memory/vault"
	"memoria/ui/words"
)

// showIndexes is what index status --json and index rebuild --json print.
type indexes struct {
	Agent    string           `json:"agent"`
	Items    int              `json:"items"`
	Messages int              `json:"messages"`
	Indexes  []recall.Derived `json:"indexes"`
}

func indexStatus(ctx context.Context, c *Console, _ string) (Result, error) {
	Settle(ctx, c)
	return showIndexes(ctx, c)
}

// showIndexes says how the indexes are doing.
func showIndexes(ctx context.Context, c *Console) (r Result, err error) {
	st, err := c.Memory.Lookup().Status(ctx, c.Agent.ID)
	if err != nil {
		return r, err
	}
	list, err := c.Memory.Recall().IndexStatus(ctx, c.Agent.ID)
	for _, d := range list {
		r.Lines = append(r.Lines, c.Words.IndexRow(d))
	}
	r.Data = indexes{Agent: c.Agent.ID, Items: st.Items, Messages: st.Records, Indexes: list}
	r.Notes = []string{c.Say("index.of", c.Words.Count(st.Items, "memory"), c.Words.Count(st.Records, "message"), c.Agent.ID)}
	return r, err
}

// RebuildIndexes deletes and rebuilds the indexes, and asks for all vectors agac.
func RebuildIndexes(ctx context.Context, c *Console, vectors bool) (Result, error) {
	index := c.Memory.Recall()
	steps := []func() error{
		func() error { return index.Rebuild(c.Agent.ID) },
		func() error { return index.Settle(ctx, c.Agent.ID) },
		func() error { return index.SettleVectors(ctx, c.Agent.ID) },
	}
	if vectors {
		steps = append([]func() error{func() error { return index.RebuildVectors(c.Agent.ID) }}, steps...)
	}
	err := watchIndexes(ctx, c, func() error {
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	return showIndexes(ctx, c)
}

// compacted is what index compact --json prints.
type compacted struct {
	Before int64 `json:"before"` // bytes on disk
	After  int64 `json:"after"`
}

func indexCompact(ctx context.Context, c *Console, _ string) (Result, error) {
	var out compacted
	err := watchIndexes(ctx, c, func() (err error) {
		out.Before, out.After, err = c.Memory.CompactIndex(ctx, c.Agent.ID)
		return err
	})
	return Result{Data: out, Lines: []string{c.Say("index.compacted", words.Bytes(out.Before), words.Bytes(out.After))}}, err
}

// settleTime is how long a command waits for an index that is being built
// before it answers by reading through the items.
const settleTime = 3 * time.Second

// Settle waits for the index, and says so when it takes long.
func Settle(ctx context.Context, c *Console) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	slow := time.AfterFunc(time.Second, func() {
		if st, err := c.Memory.Lookup().Status(ctx, c.Agent.ID); err == nil && st.Index.Total > 0 {
			c.remark("index.building", st.Index.Done, st.Index.Total)
		}
	})
	defer slow.Stop()
	_ = c.Memory.Recall().Settle(ctx, c.Agent.ID)
}

// firstNews is after how long the user is told how far a slow piece of work is.
const firstNews = time.Second

// watchIndexes does something to the indexes and tells how far it is, when it takes long.
func watchIndexes(ctx context.Context, c *Console, do func() error) error {
	return Watched(do, func() {
		list, _ := c.Memory.Recall().IndexStatus(ctx, c.Agent.ID)
		for _, d := range list {
			if d.Total > 0 {
				c.remark("index.progress", d.Name, d.Done, d.Total)
			}
		}
	})
}

// Watched runs do and calls tell while it lasts: after one second, after three, after
// seven, and so on.
func Watched(do func() error, tell func()) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	pause := firstNews
	news := time.NewTimer(pause)
	defer news.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-news.C:
			tell()
			pause *= 2
			news.Reset(pause)
		}
	}
}

// backupNow makes a backup and tells how far it is, when it takes long.
func backupNow(ctx context.Context, c *Console, _ string) (Result, error) {
	var b vault.Backup
	var done, total atomic.Int64
	err := Watched(func() (err error) {
		b, err = c.Memory.Vault().Backup(ctx, func(n, of int64) {
			done.Store(n)
			total.Store(of)
		})
		return err
	}, func() { c.remark("backup.progress", words.Bytes(done.Load()), words.Bytes(total.Load())) })
	return Result{Data: b, Lines: []string{c.Say("backup.made", b.Path, words.Bytes(b.Bytes))}}, err
}
