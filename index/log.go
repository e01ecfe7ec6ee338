package index

import (
	"log"
	"log/slog"
	"slices"
	"sync"
)

// redirected is who has the standard library's global log, which is as global.
var redirected struct {
	sync.Mutex
	loggers []*slog.Logger // the newest last
	restore func()         // puts back what was there before the first
}

// RedirectLog sends what is written through the standard library's global log
// package to logger, at level warn. bluge writes there, and without this its
// lines would land on the terminal. Call it before Open. It may be called
// several times and from any goroutine: lines go to the newest logger that was
// not restored, and the last restore puts the former output back. After its
// restore a logger gets nothing more; a second restore does nothing. logger
// must not itself write through package log, as slog's initial default does.
func RedirectLog(logger *slog.Logger) (restore func()) {
	own := *logger // tells this call from another with the same logger
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
