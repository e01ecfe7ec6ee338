package index

import (
	"log"
	"log/slog"
)

// RedirectLog sends what is written through the standard library's global log
// package to logger, at level warn. bluge writes there, and without this its
// lines would land on the terminal. It is for main, once, before the first
// Open; restore puts the former output back.
func RedirectLog(logger *slog.Logger) (restore func()) {
	writer, flags, prefix := log.Writer(), log.Flags(), log.Prefix()
	log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelWarn).Writer())
	log.SetFlags(0)
	log.SetPrefix("")
	return func() {
		log.SetOutput(writer)
		log.SetFlags(flags)
		log.SetPrefix(prefix)
	}
}
