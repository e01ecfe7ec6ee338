package term

import (
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	memrecall "memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/memory/vault"
	"memoria/ui/term/archive"
	"memoria/ui/term/inbox"
	"memoria/ui/term/journal"
	"memoria/ui/term/part"
	"memoria/ui/term/recall"
	"memoria/ui/term/sent"
	"memoria/ui/term/sessions"
	"memoria/ui/term/working"
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
		branch   lookup.Branch
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
	draftDueMsg   struct{}
	draftSavedMsg struct {
		text string
		err  error
	}
	previewDueMsg struct{}
	previewMsg    struct {
		id     int
		result retrieve.Result
		hits   []files.Hit // of the journal
		err    error
	}
	itemsMsg struct {
		id   int
		page lookup.ItemPage
		now  time.Time
		err  error
	}
	statusMsg struct {
		status lookup.Status
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
	detailMsg struct {
		id     string
		detail recall.Detail
		err    error
	}
	savedMsg struct {
		item memory.Item
		err  error
	}
	deletedMsg struct {
		removed part.Removed
		now     time.Time
		err     error
	}
	undeletedMsg struct {
		id, text string
		err      error
	}
	undoneMsg struct {
		undone learning.Undone
		err    error
	}
	// learnedMsg is what a turn or a generation did to the memory, as it stands now.
	learnedMsg struct {
		turn, generation string
		changes          []memory.Change
	}
	sourceMsg struct {
		quote words.Quote
		err   error
	}
	packageMsg struct {
		turn   string
		detail sent.Detail
	}
	// sourcesMsg is what the answers of these turns may rest on.
	sourcesMsg struct {
		n       int // in the order of asking
		turns   []string
		sources map[string][]memrecall.Source
		err     error
	}
	sessionsMsg struct {
		id     int
		offset int
		list   []memory.Session
		total  int
		err    error
	}
	searchDueMsg struct{ query string }
	searchMsg    struct {
		query   string
		results sessions.Results
		err     error
	}
	renamedMsg struct {
		session memory.Session
		err     error
	}
	sessionDeletedMsg struct {
		removed part.Removed
		now     time.Time
		err     error
	}
	sessionRestoredMsg struct {
		id  string
		err error
	}
	archiveDueMsg struct{ question archive.Question }
	archiveMsg    struct {
		question archive.Question
		page     archive.Page
		err      error
	}
	journalMsg struct {
		state journal.State
		now   time.Time
		err   error
	}
	// journalFileMsg is a file of the journal; err is not found when it is not there any more.
	journalFileMsg struct {
		file  memory.JournalFile
		words string
		err   error
	}
	journalDueMsg   struct{ asked string }
	journalFoundMsg struct {
		asked string
		hits  []files.Hit
		err   error
	}
	// journalNamedMsg is the file that the user named; its path is empty for no file.
	journalNamedMsg struct {
		asked, path string
		err         error
	}
	journalWrittenMsg struct {
		text string
		err  error
	}
	journalEditedMsg struct{ err error }
	// journalSourceMsg is where a message of the journal was said.
	journalSourceMsg struct {
		session, record string
		err             error
	}
	markedMsg struct {
		id  string
		on  bool
		err error
	}
	// lessonsMsg is what was learned from a message.
	lessonsMsg struct {
		record string
		items  []memory.Item
		err    error
	}
	messageDeletedMsg struct {
		removed part.Removed
		now     time.Time
		err     error
	}
	messageRestoredMsg struct {
		id  string
		err error
	}
	// workingMsg is a session's working memory; state is nil when it has none.
	workingMsg struct {
		session string
		state   *working.State
		edited  bool
		err     error
	}
	matchingMsg struct {
		words string
		page  lookup.ItemPage
		err   error
	}
	healthMsg struct {
		health  lookup.Health
		backups []vault.Backup
		now     time.Time
		err     error
	}
	mendedMsg struct {
		text string
		err  error
	}
	inboxMsg struct {
		entries []inbox.Entry
		total   int
		now     time.Time
		err     error
	}
	acceptedMsg struct {
		items []memory.Item
		err   error
	}
	rejectedMsg struct {
		ids     []string
		removed part.Removed
		now     time.Time
		err     error
	}
	unacceptedMsg struct {
		id     string
		undone learning.Undone
		err    error
	}
	unrejectedMsg struct {
		id, text string
		err      error
	}
	modelsMsg struct {
		names []string
		err   error
	}
	editedMsg struct {
		text string
		err  error
	}
	foundMsg     struct{ found []model.Found }
	connectedMsg struct {
		found model.Found
		err   error
	}
	// failedMsg is the end of an effect of which only a failure is told.
	failedMsg struct{ err error }
	// faultMsg is a panic in an effect.
	faultMsg struct {
		value any
		stack []byte
	}
)
