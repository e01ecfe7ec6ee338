package sent

import (
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for.
const (
	Nothing Do = iota
	Load       // the full package of turn ID; without an ID there are no turns
	Item       // open the memory ID
	Source     // show the words of Evidence
	Copy       // copy Text
	Leave      // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do       Do
	ID       string
	Text     string
	Memory   memory.Item // the memory as it is known, for Item
	Evidence memory.Evidence
}

// Detail is the full package of one turn.
type Detail struct {
	memory.Rendered
	// Items are the memories that took part and still exist, by id.
	Items map[string]memory.Item
	// Sources are the citations with their words, LeftOut what was found for the evidence and not
	// cited.
	Sources []recall.Source
	LeftOut []LeftOut
	// Problem says why there is nothing to show; empty when there is.
	Problem string
}

// LeftOut is a source that was found and not cited.
type LeftOut struct {
	recall.Source
	What, Reason string // as in [memory.Dropped]; What is all that is known where Source has no id
}

// Shown is the turn that the pane shows, for the pane of its evidence.
type Shown struct {
	Answer string // the id of its answer, "" for no turn
	Head   string // names it, and its time
	Detail        // without a TurnID until it was read
}

// Step shows the turn that many turns after the one shown, or the last one.
type Step int

// Latest is a step to the last turn.
const Latest Step = 1 << 30

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[row, Action]

	turns  []memory.Package // oldest first
	at     int
	detail Detail          // of the turn with its TurnID
	open   map[string]bool // layers that are unfolded, in every turn
	// numbers says that the numbers of the memories' bars are shown.
	numbers bool
	names   func(memory.Package) string

	rows   []row
	cursor int
	first  int
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{open: map[string]bool{}, cursor: -1}
	m.Base = list.NewBase[row](list.Config[Action]{Keys: k, Loc: loc, Rows: m.build})
	return m
}

// SetNames says how to name whom a package was for; "" is not said.
func (m *Model) SetNames(of func(memory.Package) string) { m.names = of }

// wholeTurns is of how many of the newest turns the whole package is kept. Of older ones it
// comes with the full text: those of a long conversation would fill the memory.
const wholeTurns = 20

// brief is a package without what its turn sent.
func brief(p memory.Package) memory.Package {
	return memory.Package{
		AgentID: p.AgentID, SessionID: p.SessionID, TurnID: p.TurnID, CreatedAt: p.CreatedAt, Turn: p.Turn,
		Model: p.Model, Endpoint: p.Endpoint, Tokens: p.Tokens, Limit: p.Limit, Degraded: p.Degraded, Hash: p.Hash,
	}
}

// SetTurns replaces all turns, oldest first, and shows the newest. The answer
// may ask to load it.
func (m *Model) SetTurns(packs []memory.Package) Action {
	m.turns, m.detail = packs, Detail{}
	for i := range max(0, len(packs)-wholeTurns) {
		m.turns[i] = brief(packs[i])
	}
	m.at = max(0, len(packs)-1)
	m.Build()
	return m.load()
}

// AddTurn adds the package of a new turn, and shows it if the newest was shown.
func (m *Model) AddTurn(p memory.Package) Action {
	if i := m.find(p.TurnID); i >= 0 {
		m.turns[i] = p
		if i == m.at {
			m.detail = Detail{}
			return m.load()
		}
		return Action{}
	}
	newest := m.at >= len(m.turns)-1
	m.turns = append(m.turns, p)
	if i := len(m.turns) - 1 - wholeTurns; i >= 0 && i != m.at {
		m.turns[i] = brief(m.turns[i])
	}
	if !newest {
		m.Build()
		return Action{}
	}
	return m.choose(len(m.turns) - 1)
}

// Choose shows the package of a turn. ok is false when it has none.
func (m *Model) Choose(turnID string) (a Action, ok bool) {
	i := m.find(turnID)
	if i < 0 {
		return Action{}, false
	}
	return m.choose(i), true
}

// Newest is the package of the last turn.
func (m *Model) Newest() (memory.Package, bool) {
	if len(m.turns) == 0 {
		return memory.Package{}, false
	}
	return m.turns[len(m.turns)-1], true
}

// Show fills in the full package. One that is not of the turn shown is dropped.
func (m *Model) Show(turnID string, d Detail) {
	if m.at >= len(m.turns) || m.turns[m.at].TurnID != turnID {
		return
	}
	d.TurnID = turnID
	m.detail = d
	if d.Problem == "" {
		m.turns[m.at] = d.Package
	}
	m.Build()
}

// Stale says that something in the full text, also in one that is being loaded,
// may have been deleted; the answer may ask to load it again.
func (m *Model) Stale() Action { return m.load() }

// Shown returns the turn that is shown.
func (m *Model) Shown() Shown {
	if m.at >= len(m.turns) {
		return Shown{}
	}
	p := m.turns[m.at]
	return Shown{Answer: p.TurnID, Head: m.title(p) + " · " + words.Moment(p.CreatedAt, m.Loc), Detail: m.detail}
}

// Turn is the id of the turn shown, "" for none.
func (m *Model) Turn() string {
	if m.at < len(m.turns) {
		return m.turns[m.at].TurnID
	}
	return ""
}

func (m *Model) find(turnID string) int {
	return slices.IndexFunc(m.turns, func(p memory.Package) bool { return p.TurnID == turnID })
}

func (m *Model) choose(i int) Action {
	i = min(max(i, 0), len(m.turns)-1)
	if i < 0 || i == m.at && m.detail.TurnID != "" {
		return Action{}
	}
	m.at, m.detail, m.first = i, Detail{}, 0
	m.Build()
	return m.load()
}

func (m *Model) load() Action { return Action{Do: Load, ID: m.Turn()} }
