package manager_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/vault"
)

func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// ledger is what one agent's process acknowledged before it died, upon what was
// there when it began.
type ledger struct {
	records  map[string]string // id → fingerprint
	versions map[string]int    // items that must exist, at least
	gone     map[string]bool   // items and messages that must not be there
	maybe    []map[string]bool // items deleted together: all or none must exist
	either   map[string]bool   // what was about to be taken away
	erased   []map[string]bool // messages and turns of a session: all or none must exist
	packages map[string]string // turn → hash
	partials map[string]string // turn → text
	turns    map[string]string // item → the turn that taught it, in all lives
	silent   map[string]bool   // turns whose items may have been deleted, in all lives
}

func newLedger() *ledger {
	return &ledger{
		records: map[string]string{}, versions: map[string]int{}, gone: map[string]bool{}, either: map[string]bool{},
		packages: map[string]string{}, partials: map[string]string{}, turns: map[string]string{}, silent: map[string]bool{},
	}
}

// note takes one printed line down.
func (l *ledger) note(t *testing.T, what string, words []string) {
	switch what {
	case "incoming", "finished":
		l.records[words[0]] = words[1]
	case "drop?":
		l.either[words[0]] = true
	case "dropped":
		delete(l.records, words[0])
		l.gone[words[0]] = true
	case "begun":
		delete(l.either, words[0])
	case "kept up":
	case "package":
		l.packages[words[0]] = words[1]
	case "partial":
		l.partials[words[0]] = words[1]
	case "learned":
		n, err := strconv.Atoi(words[1])
		if err != nil {
			t.Fatal(err)
		}
		l.versions[words[0]] = max(n, l.versions[words[0]])
		if turn := words[2]; turn != "" {
			l.turns[words[0]] = turn
		}
	case "erase?":
		l.erased = append(l.erased, set(words))
		for _, id := range words {
			l.either[id], l.gone[id] = true, false
		}
	case "erased":
		l.erased = nil
		for _, id := range words {
			delete(l.either, id)
			delete(l.records, id)
			delete(l.packages, id)
			l.gone[id] = true
		}
	case "delete?":
		l.maybe = append(l.maybe, set(words))
		for _, id := range words {
			l.either[id] = true
			l.silent[l.turns[id]] = true
		}
	case "deleted", "back":
		l.maybe = nil
		for _, id := range words {
			delete(l.either, id)
			l.gone[id] = what == "deleted"
		}
	default:
		t.Fatalf("unknown line %s %v", what, words)
	}
}

func set(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}

// lives is how often a process is killed over one data folder.
const lives = 20

// Q3: after a kill at any moment no acknowledged write is lost, nothing is there
// twice or by half, and the index is equal to the store.
func TestKill(t *testing.T) { testKill(t, kills(t, 6), nil) }

// Q3: the same when the index loses files between two lives.
func TestKillAndIndexLost(t *testing.T) {
	noRace(t)
	testKill(t, kills(t, 2), func(rnd *rand.Rand, dir string) {
		files, err := filepath.Glob(filepath.Join(dir, "index", "*", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if rnd.IntN(2) == 0 {
				if err := os.Remove(f); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func testKill(t *testing.T, rounds int, between func(rnd *rand.Rand, dir string)) {
	rnd := rand.New(rand.NewPCG(seedOf(t), 0))
	dir := ""
	ledgers := map[string]*ledger{}
	acked, cut := 0, 0
	for round := range rounds {
		if round%lives == 0 {
			dir = filepath.Join(t.TempDir(), "data")
			for _, a := range killAgents {
				ledgers[a] = newLedger()
			}
		}
		acked += killRound(t, dir, rnd, ledgers, round%3 == 2)
		if between != nil {
			between(rnd, dir)
		}
		cut += wantAfterKill(t, dir, ledgers)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	if acked < rounds {
		t.Errorf("only %d writes in %d rounds: nothing was proven", acked, rounds)
	}
	t.Logf("%d rounds, %d acknowledged writes, %d answers and messages cut off", rounds, acked, cut)
}

// killRound lets a process live and kills it: by the clock, so that opening is hit
// too, or soon after some writes.
func killRound(t *testing.T, dir string, rnd *rand.Rand, ledgers map[string]*ledger, early bool) (acked int) {
	t.Helper()
	v := newVictim(t, "__kill", dir)
	writes := 2 + rnd.IntN(80)
	if early {
		writes = -1
		v.kill(80 * time.Millisecond)
	}
	v.live(t, func(line string) {
		words := strings.Split(line, "\t")
		ledgers[words[1]].note(t, words[0], words[2:])
		if !strings.HasSuffix(words[0], "?") {
			acked++
		}
		if acked == writes {
			v.kill(4 * time.Millisecond)
			writes = -1
		}
	})
	return acked
}

// wantAfterKill does what the next start does, holds what it finds against the
// ledgers, and makes them those of the next round.
func wantAfterKill(t *testing.T, dir string, ledgers map[string]*ledger) (cut int) {
	t.Helper()
	m, err := openReal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, agent := range killAgents {
		cut += resume(ctx, t, m, agent, ledgers[agent])
		wantLedger(ctx, t, m, agent, ledgers[agent])
		wantProfile(ctx, t, m, agent) // written with its items, or not at all
		must(m.Recall().RetrieveArchive(ctx, agent, recall.ArchiveQuery{Text: "parcel"}))(t)
		if err := m.Recall().Settle(ctx, agent); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	wantWholeBackups(t, dir)
	for _, agent := range killAgents {
		ledgers[agent] = wantWhole(ctx, t, dir, agent, ledgers[agent])
	}
	return cut
}

// wantWholeBackups checks that the backups are complete and have no leftover files beside
// them (K3). It keeps two.
func wantWholeBackups(t *testing.T, dir string) {
	t.Helper()
	all := must(vault.Backups(dir))(t)
	entries, err := os.ReadDir(filepath.Join(dir, "backups"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if len(entries) != len(all) {
		t.Errorf("%d files lie where %d backups are: %v", len(entries), len(all), entries)
	}
	for i, b := range all {
		if err := vault.Verify(t.Context(), b.Path); err != nil || b.Partial {
			t.Errorf("%s is not whole: %v", filepath.Base(b.Path), err)
		}
		if i >= 2 {
			_ = os.Remove(b.Path)
		}
	}
}

// resume answers interrupted and incoming messages, and learns.
func resume(ctx context.Context, t *testing.T, m *manager.Manager, agent string, l *ledger) (cut int) {
	t.Helper()
	incoming := must(m.Lookup().Incoming(ctx, agent))(t)
	for _, r := range incoming {
		if _, err := m.Lookup().Record(ctx, agent, r.ID); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("message %s is incoming and in a session: %v", r.ID, err)
		}
		if l.gone[r.ID] {
			t.Errorf("message %s was taken back and is there", r.ID)
		}
	}
	replies := must(m.Recover(ctx, agent))(t)
	for _, r := range replies {
		if want := l.partials[r.TurnID]; !strings.HasPrefix(r.Content, want) {
			t.Errorf("turn %s: of %q only %q was kept", r.TurnID, want, r.Content)
		}
	}
	for _, r := range incoming {
		turn := must(m.BeginTurn(ctx, agent, r.ID, manager.Place{}))(t)
		_, err := m.FinishTurn(ctx, memory.Record{
			AgentID: agent, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant,
			Content: "Sorry, where were we?", Status: memory.StatusComplete, Model: "test",
		}, true)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Learning().Learn(ctx, agent, nil); err != nil {
		t.Fatal(err)
	}
	if err := shelves(ctx, m, agent, nil); err != nil {
		t.Fatal(err)
	}
	return len(replies) + len(incoming)
}

// wantLedger compares every acknowledged write with the stored data.
func wantLedger(ctx context.Context, t *testing.T, m *manager.Manager, agent string, l *ledger) {
	t.Helper()
	for id, want := range l.records {
		r, err := m.Lookup().Record(ctx, agent, id)
		switch {
		case l.either[id] && errors.Is(err, lookup.ErrNotFound):
		case err != nil:
			t.Errorf("acknowledged message: %v", err)
		case fingerprint(r.Content) != want:
			t.Errorf("message %s is not as it was acknowledged: %.80q", id, r.Content)
		}
	}
	there := func(id string) bool {
		_, err := m.Lookup().Item(ctx, agent, id)
		if err != nil && !errors.Is(err, lookup.ErrNotFound) {
			t.Error(err)
		}
		return err == nil
	}
	for id, version := range l.versions {
		it, err := m.Lookup().Item(ctx, agent, id)
		switch {
		case l.gone[id], l.either[id]:
		case err != nil:
			t.Errorf("acknowledged item: %v", err)
		case it.Version < version:
			t.Errorf("item %s has version %d; %d was acknowledged", id, it.Version, version)
		}
	}
	for id := range l.gone {
		if l.gone[id] && !l.either[id] && there(id) {
			t.Errorf("item %s was deleted and is there", id)
		}
	}
	for _, together := range l.maybe {
		n := 0
		for id := range together {
			if there(id) {
				n++
			}
		}
		if n != 0 && n != len(together) {
			t.Errorf("of %d items deleted in one go, %d are there", len(together), n)
		}
	}
	said := func(id string) bool {
		_, err := m.Lookup().Record(ctx, agent, id)
		_, perr := m.Lookup().Package(ctx, agent, id)
		return err == nil || perr == nil
	}
	for id := range l.gone {
		if l.gone[id] && !l.either[id] && said(id) {
			t.Errorf("%s was deleted with its session and is there", id)
		}
	}
	for _, together := range l.erased {
		n := 0
		for id := range together {
			if said(id) {
				n++
			}
		}
		if n != 0 && n != len(together) {
			t.Errorf("of %d messages and turns of a deleted session, %d are there", len(together), n)
		}
	}
	for turn, hash := range l.packages {
		p, err := m.Lookup().Package(ctx, agent, turn)
		if l.either[turn] && errors.Is(err, lookup.ErrNotFound) {
			continue
		}
		if err != nil {
			t.Errorf("acknowledged package: %v", err)
			continue
		}
		forgotten := 0
		for _, b := range p.Rendered {
			forgotten += b.Forgotten
		}
		if p.Package.Hash != hash || !p.Exact && forgotten == 0 {
			t.Errorf("package of turn %s is not as it was sent (exact %v)", turn, p.Exact)
		}
	}
}
