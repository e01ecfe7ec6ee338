package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
)

const (
	// agent remembers messages outside groups.
	agent = "eval"
	// group holds the conversations without a user.
	group = "eval-group"
	// maxText is the maximum length of an item's content in bytes, as accepted by the
	// manager.
	maxText = 19_000
	// between is the time between consecutive messages of a session for which the set
	// gives the same time.
	between = time.Second
)

// moment is the time of all events in a set without times.
var moment = time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)

// memories is one conversation in its own manager.
type memories struct {
	*manager.Manager
	dir     string
	agent   string            // the owner of the memory
	records map[string]string // maps ids of items or messages to the set's ids
	clock   clock
	asked   time.Time // default time of questions
}

// clock is set by the measuring goroutine and also read by those of the manager.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time   { return time.Unix(0, c.at.Load()).UTC() }
func (c *clock) set(at time.Time) { c.at.Store(at.UnixNano()) }

// remember fills a memory with a conversation, for the layer.
func remember(ctx context.Context, c Conversation, o Options) (*memories, error) {
	dir, err := os.MkdirTemp(o.Temp, "eval")
	if err != nil {
		return nil, err
	}
	cfg := write.DefaultConfig()
	cfg.MaxContent, cfg.TopN = maxText, o.Top
	if o.Configure != nil {
		o.Configure(&cfg)
	}
	m := &memories{dir: dir, agent: agent, records: map[string]string{}, asked: moment}
	if last := c.last(); !last.IsZero() && (o.Ages.Own || o.Layer != LayerRecall) {
		m.asked = last.AddDate(0, 0, 1)
	}
	m.Manager, err = manager.Open(ctx, manager.Options{
		Dir: dir, Config: cfg, Now: m.clock.now, NoSync: true,
	})
	if err != nil {
		return nil, err
	}
	if o.Layer == LayerRecall {
		err = m.addItems(ctx, age(c, m.asked, o))
	} else {
		err = m.addMessages(ctx, c)
	}
	m.clock.set(m.asked)
	if err == nil && o.Layer != LayerRecall { // the first search opens the archive's index
		_, err = m.Recall().SearchArchive(ctx, m.agent, recall.ArchiveQuery{Text: agent})
	}
	if err == nil {
		err = m.Recall().Settle(ctx, m.agent)
	}
	if err != nil {
		return nil, errors.Join(err, m.forget())
	}
	return m, nil
}

func (m *memories) forget() error {
	return cmp.Or(m.Close(), os.RemoveAll(m.dir))
}

// addItems makes an item of each record.
func (m *memories) addItems(ctx context.Context, records []aged) error {
	for _, r := range records {
		m.clock.set(r.at)
		it, err := m.Learning().AddItem(ctx, m.agent, memory.Item{Content: clip(r.Text)}, r.apply)
		if err != nil {
			return fmt.Errorf("record %s: %w", r.ID, err)
		}
		m.records[it.ID] = r.ID
	}
	return nil
}

func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxText)], "") }

// addMessages replays every record, session by session, at its own time: messages of
// the user and the assistant in a conversation with one agent, messages of others in a
// group.
func (m *memories) addMessages(ctx context.Context, c Conversation) error {
	names, err := m.people(ctx, c)
	if err != nil {
		return err
	}
	sessions, last := map[string]memory.Session{}, ""
	for _, r := range said(c.Records) {
		at := manager.Place{SessionID: sessions[r.Session].ID}
		if r.Session != last {
			at.Archive = sessions[last].ID
		}
		last = r.Session
		if at := m.clock.now().Add(between); at.After(r.Time) {
			m.clock.set(at)
		} else {
			m.clock.set(r.Time)
		}
		s, id, err := m.say(ctx, r, at, names[r.Speaker])
		if err != nil {
			return fmt.Errorf("record %s: %w", r.ID, err)
		}
		sessions[r.Session], m.records[id] = s, r.ID
	}
	return nil
}

// said returns the records in order of time; those without one come first.
func said(records []Record) []Record {
	out := slices.Clone(records)
	slices.SortStableFunc(out, func(a, b Record) int { return a.Time.Compare(b.Time) })
	return out
}

// people makes a group of the speakers other than a user and an assistant, and maps
// their names to ids.
func (m *memories) people(ctx context.Context, c Conversation) (map[string]string, error) {
	m.clock.set(moment)
	if first := said(c.Records)[0].Time; !first.IsZero() {
		m.clock.set(first.Add(-time.Hour))
	}
	ids := map[string]string{}
	for _, r := range c.Records {
		if r.Speaker == SpeakerUser || r.Speaker == SpeakerAssistant || ids[r.Speaker] != "" {
			continue
		}
		id, err := m.NewAgentID(ctx, r.Speaker)
		if err == nil {
			_, err = m.CreateAgent(ctx, memory.Agent{ID: id, Name: r.Speaker})
		}
		if err != nil {
			return nil, fmt.Errorf("speaker %s: %w", r.Speaker, err)
		}
		ids[r.Speaker] = id
	}
	if len(ids) < memory.MinMembers {
		return ids, nil
	}
	var members []string
	for _, id := range ids {
		members = append(members, id)
	}
	m.agent = group
	_, err := m.AddGroup(ctx, memory.Group{ID: group, Name: group, Members: slices.Sorted(slices.Values(members))})
	return ids, err
}

// opening begins a session without a first message of the user.
const opening = "…"

// say writes one message and returns its session and its id.
func (m *memories) say(ctx context.Context, r Record, at manager.Place, sender string) (memory.Session, string, error) {
	mine := r.Speaker == SpeakerUser
	if mine || at.SessionID == "" {
		words := opening
		if mine {
			words = clip(r.Text)
		}
		in, err := m.NewIncoming(m.agent, words, nil)
		if err != nil {
			return memory.Session{}, "", err
		}
		if at.SessionID == "" {
			at.NewID = m.NewID()
		}
		if err := m.WriteUnsaved(ctx, manager.UnsavedTurn{Message: in, Place: at}); err != nil || mine {
			return memory.Session{ID: cmp.Or(at.SessionID, at.NewID)}, in.ID, err
		}
		at.SessionID = at.NewID
	}
	reply, err := m.FinishTurn(ctx, memory.Record{
		AgentID: m.agent, SessionID: at.SessionID, TurnID: m.NewID(), Role: memory.RoleAssistant,
		Content: clip(r.Text), Sender: sender, Status: memory.StatusComplete,
	}, false)
	return memory.Session{ID: at.SessionID}, reply.ID, err
}
