package term

import (
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	memrecall "memoria/memory/recall"
	"memoria/ui/words"
)

// The results of effects. Those that can be overtaken carry what they are about,
// so that a late one is known and dropped.
type (
	// eventMsg is the next event of the conversation, with the session as it was
	// when the event was taken.
	eventMsg struct {
		event   chat.Event
		session memory.Session
		at      time.Time
		closed  bool
	}
	// changedMsg says that the memory is not what it was.
	changedMsg struct{ closed bool }
	// tickMsg is the time, while something counts.
	tickMsg struct{ now time.Time }

	startedMsg struct{ err error }
	sessionMsg struct {
		id       string
		branch   manager.Branch
		from     string // the title of the session that it was forked from
		packages []memory.Package
		changes  []memory.Change           // of the last turn
		taught   map[string][]words.Lesson // by turn
		err      error
	}
	draftLoadedMsg struct {
		draft memory.Draft
		err   error
	}
	draftSavedMsg struct {
		text string
		err  error
	}
	statusMsg struct {
		status manager.Status
		err    error
	}
	sentMsg struct {
		local int
		id    string
		err   error
	}
	takenBackMsg struct {
		text  string
		spans []memory.Span
		err   error
	}
	// sourcesMsg is what the answers of these turns may rest on.
	sourcesMsg struct {
		n       int // in the order of asking
		turns   []string
		sources map[string][]memrecall.Source
		err     error
	}
	modelsMsg struct {
		names []string
		err   error
	}
	foundMsg     struct{ found []model.Found }
	connectedMsg struct {
		found model.Found
		err   error
	}
)
