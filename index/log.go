package index

import (
	"log"
	"log/slog"
	"slices"
	"sync"
)

// redirected is the state of the redirected global log.
var redirected struct {
	sync.Mutex
	loggers []*slog.Logger // newest last
	restore func()         // restores the original output
}

// RedirectLog sends the output of the standard library's global log package to logger,
// at level warn. bluge writes there, and its lines would otherwise reach the terminal.
// Call it before Open. It is safe for concurrent use and may be called several times:
// lines go to the newest logger not yet restored, and the last restore resets the
// original output. A second restore is a no-op. logger must not itself write through
// package log, as slog's initial default does.
func RedirectLog(logger *slog.Logger) (restore func()) {
	own := *logger // distinguishes calls with the same logger
	redirected.Lock()
	defer redirected.Unlock()
	if len(redirected.loggers) == 0 {
		writer, flags, prefix := log.Writer(), log.Flags(), log.Prefix()
		redirected.restore = func() {
			log.SetOutput(writer)
			log.SetFlags(flags)
			log.SetPrefix(prefix)
		}
		log.SetFlags(0)
		log.SetPrefix("")
	}
	redirected.loggers = append(redirected.loggers, &own)
	sendLogTo(&own)
	return sync.OnceFunc(func() { endRedirect(&own) })
}

func endRedirect(logger *slog.Logger) {
	redirected.Lock()
	defer redirected.Unlock()
	redirected.loggers = slices.DeleteFunc(redirected.loggers, func(l *slog.Logger) bool { return l == logger })
	if n := len(redirected.loggers); n > 0 {
		sendLogTo(redirected.loggers[n-1])
		return
	}
	redirected.restore()
	redirected.restore = nil
}

func sendLogTo(logger *slog.Logger) {
	log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelWarn).Writer())
}
