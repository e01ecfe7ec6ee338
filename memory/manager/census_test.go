package manager_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

// census is everything that can be read of a memory, value by value. told is
// what was reported as damaged on the way.
type census struct {
	Values map[string]string
	told   []string
}

func (c *census) put(key string, v any, err error) {
	if err != nil {
		c.told = append(c.told, key+": "+err.Error())
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	c.Values[key] = string(b)
}

func takeCensus(ctx context.Context, m *manager.Manager) *census {
	c := &census{Values: map[string]string{}}
	for _, agent := range killAgents {
		page, err := m.Lookup().Items(ctx, agent, lookup.ItemFilter{All: true})
		if err != nil {
			c.told = append(c.told, err.Error())
		}
		profile, err := m.Profile(ctx, agent)
		c.put(agent+"/profile", profile, err)
		for _, it := range page.Items {
			c.put(agent+"/item/"+it.ID, it, nil)
			whole, err := m.Lookup().Item(ctx, agent, it.ID)
			c.put(agent+"/whole/"+it.ID, whole, err)
			changes, err := m.Lookup().History(ctx, agent, it.ID)
			if err != nil {
				c.told = append(c.told, err.Error())
			}
			for _, change := range changes {
				c.put(fmt.Sprintf("%s/history/%s/%d/%s", agent, it.ID, change.Version, change.Action), change, nil)
			}
		}
		sessions, _, err := m.Lookup().Sessions(ctx, agent, 0, 0)
		if err != nil {
			c.told = append(c.told, err.Error())
		}
		for _, s := range sessions {
			c.put(agent+"/session/"+s.ID, s, nil)
			c.session(ctx, m, agent, s.ID)
		}
		c.searches(ctx, m, agent)
	}
	st, err := m.Lookup().Status(ctx, killAgents[0])
	if err != nil || st.Damage != "" {
		c.told = append(c.told, fmt.Sprint(st.Damage, err))
	}
	return c
}

func (c *census) session(ctx context.Context, m *manager.Manager, agent, id string) {
	records, err := m.Lookup().Records(ctx, agent, id)
	if err != nil {
		c.told = append(c.told, err.Error())
	}
	for _, r := range records {
		if strings.HasPrefix(r.Content, "[this message's file") {
			c.told = append(c.told, r.ID+" "+r.Content)
			continue
		}
		c.put(agent+"/record/"+r.ID, r, nil)
		if r.Role != memory.RoleUser {
			continue
		}
		sent, err := m.Lookup().Package(ctx, agent, r.TurnID)
		if err == nil && !sent.Exact {
			err = errors.New("it is not what was sent")
		}
		c.put(agent+"/package/"+r.TurnID, sent, err)
	}
}

// searches asks the indexes, which are derived and so must be right or rebuilt.
func (c *census) searches(ctx context.Context, m *manager.Manager, agent string) {
	_, err := m.Recall().RetrieveArchive(ctx, agent, recall.ArchiveQuery{Text: "cello"}) // opens that index
	if err == nil {
		// Over a store that cannot be read an index never settles.
		settle, cancel := context.WithTimeout(ctx, 2*time.Second)
		err = m.Recall().Settle(settle, agent)
		cancel()
	}
	if err != nil {
		c.told = append(c.told, err.Error())
		return
	}
	for _, word := range []string{"cello", "Guadagnini", "大提琴", "concerto"} {
		var found []string
		res, err := m.Recall().Retrieve(ctx, agent, recall.Query{Text: word})
		for _, s := range res.Chosen {
			found = append(found, s.Item.ID)
		}
		if err == nil && res.Degraded != "" {
			err = errors.New(res.Degraded)
		}
		slices.Sort(found)
		c.put(agent+"/recall/"+word, found, err)
		found = nil
		hits, err := m.Recall().RetrieveArchive(ctx, agent, recall.ArchiveQuery{Text: word, Limit: 100})
		for _, h := range hits {
			found = append(found, h.Record.ID)
		}
		slices.Sort(found)
		c.put(agent+"/archive/"+word, found, err)
	}
}

// healthyFolder and healthyCensus are what [healthy] returns copies of.
var (
	healthyFolder folder
	healthyCensus *census
)

// healthy returns a copy of a data folder with several agents, sessions and turns, one
// too long for the store, with its indexes, and its census, which callers must not
// change.
func healthy(t *testing.T) (dir string, want *census) {
	t.Helper()
	dir = healthyFolder.copy(t, func(dir string) { healthyCensus = makeHealthy(t, dir) })
	return dir, healthyCensus
}

func makeHealthy(t *testing.T, dir string) *census {
	t.Helper()
	m, err := openReal(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for _, agent := range killAgents {
		for s := range 4 {
			session := ""
			for n := range 6 {
				text := fmt.Sprintf("I like cello concerto number %d of %d, 我喜欢大提琴第%d号 %s", n, s, n, strings.Repeat("by Guadagnini ", 1+n*n*3))
				if s == 1 && n == 2 {
					text += strings.Repeat(" and so on", memory.MaxContent/10)
				}
				turn, _ := say(t, m, agent, session, text)
				session = turn.Session.ID
				_, err := m.SavePackage(ctx, memory.Package{
					AgentID: agent, SessionID: session, TurnID: turn.Record.TurnID, Blocks: []memory.Block{{
						Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}},
					}},
				}, nil)
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		must(m.Learning().AddItem(ctx, agent, memory.Item{Key: "name", Content: "Name is Bo Guadagnini"}))(t)
		must(m.SetProfile(ctx, agent, 0, "- plays on his own cello\n"))(t)
		for n := range 30 {
			must(m.Learning().AddItem(ctx, agent, memory.Item{Content: fmt.Sprintf("Owns cello %d %s", n, strings.Repeat("by Guadagnini ", n%7))}))(t)
		}
	}
	want := takeCensus(ctx, m)
	if err := m.Close(); err != nil || len(want.told) > 0 || len(want.Values) < 200 {
		t.Fatalf("%v, %d values, told %v", err, len(want.Values), want.told)
	}
	return want
}
