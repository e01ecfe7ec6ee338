package sent

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	recallpane "memoria/ui/term/recall"
)

// memberMark separates a turn and the member of a group in the id of an answer.
const memberMark = "@"

// AnswerID is the id on the screen of a member's answer in a turn; without a group it is the
// turn's.
func AnswerID(turn, sender string) string {
	if sender == "" {
		return turn
	}
	return turn + memberMark + sender
}

// Pane is what turns sent, with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
}

// NewPane returns the context of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h pane.Host) *Pane {
	return &Pane{Model: New(k, loc), fx: fx, host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	k := p.Keys.Sent
	return pane.About{Hints: []key.Binding{k.Open, k.All}}
}

// SetNow implements [pane.Pane].
func (p *Pane) SetNow(time.Time) {}

// Load implements [pane.Pane]. The conversation selects the turn.
func (p *Pane) Load() tea.Cmd { return nil }

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		a, handled := p.Key(msg)
		return p.Do(a), handled
	case pane.Wheel:
		p.Wheel(int(msg))
	case pane.Click:
		return p.Do(p.Click(int(msg))), true
	case Step:
		return p.Do(p.choose(p.at + int(msg))), true
	default:
		return nil, false
	}
	return nil, true
}

// Number shows the turn that a number names, counted from 1; "" changes nothing.
func (p *Pane) Number(number string) tea.Cmd {
	if number == "" {
		return nil
	}
	n, err := strconv.Atoi(number)
	switch {
	case len(p.turns) == 0:
		p.host.Say(p.Words.Say("sent.none"))
	case err != nil || n < 1 || n > len(p.turns):
		p.host.Say(p.Words.Say("sent.turns", len(p.turns)))
	default:
		return p.Do(p.choose(n - 1))
	}
	return nil
}

// Do does what the model asks for.
func (p *Pane) Do(a Action) tea.Cmd {
	switch a.Do {
	case Load:
		tell := p.tell()
		if a.ID == "" {
			return tea.Batch(tell, p.host.Send(pane.Recall, recallpane.Answered{}))
		}
		read := func() (Detail, error) { return p.read(a.ID) }
		return tea.Batch(tell, pane.Then(p.fx.Look("package"), read, func(d Detail, err error) tea.Cmd {
			if err != nil {
				d = Detail{Problem: p.fx.Short(err)}
			}
			p.Show(a.ID, d)
			return tea.Batch(p.tell(), p.answered(a.ID, d))
		}))
	case Item:
		it := a.Memory
		it.ID = a.ID
		return p.host.Open(pane.All, it)
	case Source:
		return p.host.Send(pane.All, a.Evidence)
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

// tell tells the pane of the evidence which turn is shown.
func (p *Pane) tell() tea.Cmd { return p.host.Send(pane.Evidence, p.Shown()) }

// answered shows beside the answer what it used. The memories of a group's members are their
// own.
func (p *Pane) answered(id string, d Detail) tea.Cmd {
	if id != p.Turn() || d.Problem != "" || strings.Contains(id, memberMark) {
		return nil
	}
	return p.host.Send(pane.Recall, recallpane.NewAnswered(d.Package, d.Items))
}

// read reads what an answer was sent, with the memories that took part.
func (p *Pane) read(answer string) (Detail, error) {
	agent, turn := p.whose(answer)
	r, err := p.fx.Memory.Lookup().Package(p.fx.Ctx, agent, turn)
	if err != nil {
		return Detail{}, err
	}
	r.TurnID = answer
	d := Detail{Rendered: r, Items: map[string]memory.Item{}}
	for _, u := range r.Used {
		if it, err := p.fx.Memory.Lookup().Item(p.fx.Ctx, agent, u.ItemID); err == nil {
			d.Items[u.ItemID] = it
		}
	}
	if d.LeftOut, err = p.leftOut(agent, r.Package); err != nil || len(r.Citations) == 0 {
		return d, err
	}
	all, err := p.Sources([]memory.Package{r.Package})
	if err != nil {
		return Detail{}, err
	}
	d.Sources = all[answer]
	for _, s := range d.Sources {
		if it, err := p.fx.Memory.Lookup().Item(p.fx.Ctx, agent, s.ItemID); s.ItemID != "" && err == nil {
			d.Items[s.ItemID] = it
		}
	}
	return d, nil
}

// leftOut reads what a package left out of its evidence. A source in the window is cited all the
// same.
func (p *Pane) leftOut(agent string, pack memory.Package) (out []LeftOut, err error) {
	cited := func(id string) bool {
		return slices.ContainsFunc(pack.Citations, func(c memory.Citation) bool { return c.InWindow && c.RecordID == id })
	}
	known := memory.Package{AgentID: pack.AgentID, TurnID: pack.TurnID}
	var at []int // of the citations of known
	for _, d := range pack.Dropped {
		if d.Layer != memory.LayerEvidence || cited(d.What) {
			continue
		}
		if _, err := memory.IDTime(d.What); err == nil { // no count in words
			c, err := p.citation(agent, d.What)
			if err != nil {
				return nil, err
			}
			known.Citations, at = append(known.Citations, c), append(at, len(out))
		}
		out = append(out, LeftOut{What: d.What, Reason: d.Reason})
	}
	all, err := p.fx.Memory.Recall().Sources(p.fx.Ctx, agent, known)
	for i, s := range all[known.TurnID] {
		out[at[i]].Source = s
	}
	return out, err
}

// citation returns a message or a memory as a source. What was deleted was most likely a message.
func (p *Pane) citation(agent, id string) (memory.Citation, error) {
	r, err := p.fx.Memory.Lookup().Record(p.fx.Ctx, agent, id)
	if err == nil {
		return memory.Citation{
			Evidence: memory.Evidence{SessionID: r.SessionID, TurnID: r.TurnID, RecordID: id}, Role: r.Role, Time: r.Timestamp,
		}, nil
	}
	if !errors.Is(err, lookup.ErrNotFound) {
		return memory.Citation{}, err
	}
	it, err := p.fx.Memory.Lookup().Item(p.fx.Ctx, agent, id)
	switch {
	case err == nil:
		return memory.Citation{ItemID: id, Version: it.Version, Time: it.CreatedAt}, nil
	case errors.Is(err, lookup.ErrNotFound):
		return memory.Citation{Evidence: memory.Evidence{RecordID: id}}, nil
	}
	return memory.Citation{}, err
}

// whose is the agent that an answer's package is stored under, and its turn.
func (p *Pane) whose(answer string) (agent, turn string) {
	if turn, member, ok := strings.Cut(answer, memberMark); ok {
		return member, turn
	}
	return p.fx.Agent, answer
}

// Packages reads what the turns of a session sent; of a group what its members received.
func (p *Pane) Packages(session string) ([]memory.Package, error) {
	if len(p.fx.Chat.Members()) == 0 {
		return p.fx.Memory.Lookup().Packages(p.fx.Ctx, p.fx.Agent, session)
	}
	all, err := p.fx.Memory.Lookup().GroupPackages(p.fx.Ctx, p.fx.Agent, session)
	for i, sent := range all {
		all[i].TurnID = AnswerID(sent.TurnID, sent.AgentID)
	}
	return all, err
}

// Sources reads the sources of answers, each with what its agent remembers.
func (p *Pane) Sources(packs []memory.Package) (map[string][]recall.Source, error) {
	out := map[string][]recall.Source{}
	for _, pack := range packs {
		answer := pack.TurnID
		var agent string
		agent, pack.TurnID = p.whose(answer)
		found, err := p.fx.Memory.Recall().Sources(p.fx.Ctx, agent, pack)
		if err != nil {
			return nil, err
		}
		out[answer] = found[pack.TurnID]
	}
	return out, nil
}
