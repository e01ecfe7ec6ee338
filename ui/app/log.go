package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
)

// quietHandler discards everything while a temporary conversation is open (U5).
type quietHandler struct {
	slog.Handler
	quiet *atomic.Int32 // the number of temporary conversations
}

func (h *quietHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.quiet.Load() == 0 && h.Handler.Enabled(ctx, l)
}

func (h *quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithAttrs(attrs), quiet: h.quiet}
}

func (h *quietHandler) WithGroup(name string) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithGroup(name), quiet: h.quiet}
}

// maxLog is the size at which the log is rotated, in bytes; one old log is kept.
const maxLog = 4 << 20

// openLog opens the log file. Without one it discards everything: a log that cannot be
// written is no reason not to run.
func openLog(path string, debug bool) (*slog.Logger, func() error) {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	discard := slog.New(slog.DiscardHandler)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return discard, func() error { return nil }
	}
	if st, err := os.Stat(path); err == nil && st.Size() > maxLog {
		_ = os.Rename(path, path+".1")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return discard, func() error { return nil }
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level, ReplaceAttr: withoutNames})), f.Close
}

// withoutNames replaces the ids of agents, which are made of their names, by a few digits of
// their hash: the log outlives a deleted agent (D2).
func withoutNames(_ []string, a slog.Attr) slog.Attr {
	if a.Key == "agent" && a.Value.Kind() == slog.KindString {
		sum := sha256.Sum256([]byte(a.Value.String()))
		a.Value = slog.StringValue(hex.EncodeToString(sum[:3]))
	}
	return a
}
