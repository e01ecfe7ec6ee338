package app

import (
	"context"
	"log/slog"
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/setting"
)

// Session is the running program as every front end receives it.
type Session struct {
	Conversations *Conversations
	Memory        *manager.Manager
	Models        Models
	// Settings reads and changes the settings. Without its functions there are none.
	Settings setting.Access
	Now      func() time.Time
	Version  string
	Logger   *slog.Logger
	LogPath  string
	// Demo says that the memory is discarded at the end.
	Demo bool
}

// Models are the models that can answer. Its functions may be called from any goroutine.
type Models struct {
	// Discover looks for model servers on this computer, and Connect returns a client
	// for one. Without them none is offered.
	Discover func(context.Context) []model.Found
	Connect  func(model.Found) (model.Client, error)
	// List lists the models that the server offers, and Use returns a client for one of
	// them. Without them the model cannot be changed.
	List func(context.Context) ([]string, error)
	Use  func(name string) (model.Client, error)
	// Cost returns what a use of a model costs, in the configured currency; ok is false
	// when no price is known. Money formats such an amount. Both are set or neither.
	Cost  func(model string, used memory.Usage) (amount float64, ok bool)
	Money func(amount float64) string
}
