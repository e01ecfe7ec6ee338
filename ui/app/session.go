package app

import (
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/words"
)

// ErrInterrupted ends a front end that receives the interrupts, by one of them.
var ErrInterrupted = errors.New("interrupted")

// ErrNoTerminal means that there is no terminal to draw on, or one that cannot move its
// cursor.
var ErrNoTerminal = errors.New("there is no terminal to draw on")

// Session is the running program as every front end receives it.
type Session struct {
	Conversations *Conversations
	Memory        *manager.Manager
	Models        *Models
	// Settings reads and changes the settings; nil when there are none to change.
	Settings *Settings
	Now      func() time.Time
	// Words is the wording in the language of the run.
	Words   words.Words
	Version string
	Logger  *slog.Logger
	LogPath string
	// StateDir is the folder of what the program notes about its use; empty for none.
	StateDir string
	// Demo says that the memory is discarded at the end.
	Demo bool
	// Remote says that the terminal is another process's, so that no editor can have it.
	Remote bool
}

// Session opens the conversation, and returns the session of a front end. screen says
// that the front end is a screen that follows the settings of [ui]. It is called once;
// Close closes what it opened.
func (a *App) Session(screen bool) (*Session, error) {
	client, _, err := a.Client()
	if err != nil {
		return nil, err
	}
	o := a.options
	key, _ := keyFor(&a.Loaded)
	models := NewModels(ModelOptions{Config: a.Config.Model, Key: key, Client: client, Find: o.Discover, Logger: a.Logger, Now: o.Now})
	models.cfg, models.own = a.modelOf(a.Agent), a.ownModel(a.Agent)
	a.closers = append(a.closers, models.Close)
	first, err := a.Chat(client, false)
	if err != nil {
		return nil, err
	}
	forAgent := func(with memory.Agent) (model.Client, error) { return models.forAgent(with, a.ownModel(with)) }
	open := func(with memory.Agent, temporary bool) (*chat.Chat, error) {
		client, err := forAgent(with)
		if err != nil {
			return nil, err
		}
		a.hush(temporary)
		if o.Talks != nil {
			o.Talks(with.ID)
		}
		if o.Temporarily != nil {
			o.Temporarily(temporary)
		}
		return a.chatWith(a.settings.inForce(), with, client, chatKind{temporary: temporary})
	}
	conversations := NewConversations(ConversationOptions{
		Memory: a.Memory, Chat: first, Default: a.DefaultAgent(), Model: forAgent,
		New:       func(with memory.Agent) (*chat.Chat, error) { return open(with, false) },
		Temporary: func(with memory.Agent) (*chat.Chat, error) { return open(with, true) },
	})
	a.closers = append(a.closers, conversations.Close)
	a.settings = NewSettings(SettingsOptions{
		Loaded: &a.Loaded, Memory: a.Memory, Conversations: conversations, Models: models, Screen: screen, Demo: o.Demo,
	})
	return &Session{
		Conversations: conversations, Memory: a.Memory, Models: models, Settings: a.settings,
		Now: o.Now, Words: o.Words, Version: o.Version, Demo: o.Demo,
		Logger: a.Logger, LogPath: a.LogPath, StateDir: filepath.Dir(a.LogPath),
	}, nil
}
