package cli

import (
	"cmp"
	"context"
	"time"

	"memoria/memory/recall"
	"memoria/ui/actions"
)

// mostMessages is the limit for all messages.
const mostMessages = 1 << 28

// foundMessages is what archive search --json prints.
type foundMessages struct {
	Messages []recall.ArchiveHit `json:"messages"`
	Total    int                 `json:"total"`
	// Since belongs to the time that was searched, Until does not; null is open.
	Since *time.Time `json:"since"`
	Until *time.Time `json:"until"`
	// Degraded says why messages may be missing; empty when none is.
	Degraded string `json:"degraded,omitempty"`
	// Unreadable is how many records of the store cannot be read: something may be missing.
	Unreadable int `json:"unreadable,omitempty"`
}

func archiveSearch(ctx context.Context, in *input) (actions.Result, error) {
	q := recall.AskArchive(in.words(), in.Console.Now().Local(), time.Local)
	if in.timed() {
		q.From, q.To = in.from, in.to
	}
	q.Collected, q.Limit, q.Offset = in.on("bookmarks"), cmp.Or(in.count("limit"), mostMessages), in.count("offset")
	if in.given("session") {
		s, err := actions.FindSession(ctx, in.Console, in.text("session"))
		if err != nil {
			return actions.Result{}, err
		}
		q.SessionID = s.ID
	}
	actions.Settle(ctx, in.Console)
	page, err := in.Memory.Recall().SearchArchive(ctx, in.Agent.ID, q)
	if err != nil {
		return actions.Result{}, err
	}
	out := foundMessages{
		Messages: append([]recall.ArchiveHit{}, page.Hits...), Total: page.Total, Degraded: page.Degraded,
		Unreadable: in.Memory.Vault().Unreadable(),
	}
	if !q.From.IsZero() {
		out.Since = &q.From
	}
	if !q.To.IsZero() {
		out.Until = &q.To
	}
	r := in.Messages(q, page, in.Answerer)
	r.Notes, r.Lines, r.Data = append(r.Lines, r.Notes...), nil, out
	return r, nil
}

func archiveBookmark(ctx context.Context, in *input) (actions.Result, error) {
	return actions.Bookmark(ctx, in.Console, in.args[0], !in.on("off"))
}
