package manager_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/agents"
	"memoria/memory/manager/doors"
	"memoria/memory/manager/imported"
	"memoria/memory/manager/importer"
	"memoria/memory/manager/journals"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/portable"
	"memoria/memory/manager/profiles"
	"memoria/memory/manager/trash"
	"memoria/memory/manager/write"
	"memoria/memory/transfer"
	"memoria/memory/transfer/foreign"
)

// undoing is a row of the table "Undo" in doc.go.
type undoing struct {
	noun   string
	change string // methods of writers, with commas between
	undo   string // the method that undoes them; empty: none
	kind   string // of undo, or why there is none
	// within is the time limit of the undo; 0 means none. until names another limit.
	within time.Duration
	until  string
	// try prepares a store and returns the change, for each method of the row, and its
	// undo.
	try func(w *undoWorld) []trial
}

// trial is a change on a real store and its undo.
type trial struct{ change, undo func() error }

// limit words within and until.
func (u undoing) limit() string {
	switch {
	case u.undo == "":
		return ""
	case u.within == lookup.UndoTime:
		return "30 days"
	case u.within == write.DeletionUndoTime:
		return "10 s"
	case u.until != "":
		return u.until
	}
	return "always"
}

// The kinds of undo.
const (
	restoring  = "restored from the trash"
	ledgering  = "reversed by the ledger"
	versioned  = "version history"
	pathEnd    = "the branch ends elsewhere"
	overruling = "judged the other way"
	goingOn    = "going on rolls the end back"
	opposite   = "changed back"
)

// undoTable lists every method that writes. The comments in doc.go show it.
var undoTable = []undoing{
	{"item", "AddItem, EditItem", "Undo", ledgering, lookup.UndoTime, "", tryItems},
	{"item", "LearnTurn, Learn, Analyse", "UndoTurn", ledgering, lookup.UndoTime, "", tryLearning},
	{"item", "CorrectSaid, WithdrawSaid", "UndoLast", ledgering, lookup.UndoTime, "", trySaid},
	{"item", "Accept, AcceptEdited", "Undo", ledgering, lookup.UndoTime, "", tryAccept},
	{"item", "Propose, ProposeEdit", "Undo", ledgering, lookup.UndoTime, "", tryPropose},
	{"item", "Forget", "Undo", ledgering, lookup.UndoTime, "", tryForget},
	{"item", "ForgetPeriodically", "", "each run is a Forget", 0, "", nil},
	{"item", "DeleteItems, ClearItems, Reject, ForgetSaid, ForgetAnswered", "UndoDeletion", restoring, write.DeletionUndoTime, "", tryDeleteItems},
	{"generation", "Consolidate, Learn", "UndoGeneration", ledgering, lookup.UndoTime, "", tryGeneration},
	{"generation", "ProposeImported", "UndoGeneration", ledgering, lookup.UndoTime, "", tryProposeImported},
	{"generation", "ReadImported", "UndoGeneration", ledgering, lookup.UndoTime, "", tryReadImported},
	{"undo", "Undo, UndoTurn, UndoGeneration, UndoLast", "Undo", ledgering, lookup.UndoTime, "", tryUndo},
	{"message", "KeepIncoming, KeepUnsaved", "DropIncoming", opposite, 0, "the turn begins", tryIncoming},
	{"message", "DropIncoming", "KeepIncoming", opposite, 0, "", tryDropIncoming},
	{"message", "CollectRecord", "CollectRecord", opposite, 0, "", tryCollect},
	{"message", "Withhold", "", "the user states it again", 0, "", nil},
	{"message", "DeleteRecords", "UndoDeletion", restoring, write.DeletionUndoTime, "", tryDeleteRecords},
	{"message", "Overrule", "Overrule", overruling, 0, "", tryOverrule},
	{"turn", "BeginTurn, FinishTurn, WriteUnsaved", "UndoLastTurn", pathEnd, 0, "the session ends", tryTurn},
	{"turn", "UndoLastTurn", "RedoTurn", pathEnd, 0, "the next message", tryUndoLastTurn},
	{"turn", "RedoTurn", "UndoLastTurn", pathEnd, 0, "the session ends", tryRedoTurn},
	{"turn", "RegenerateTurn", "StepBranch", pathEnd, 0, "", tryAnew},
	{"turn", "RetryTurn", "", "its message had no complete answer", 0, "", nil},
	{"turn", "SavePackage, SaveRound, SavePartial, Recover", "", "deleted with its message", 0, "", nil},
	{"branch", "StepBranch", "StepBranch", pathEnd, 0, "", tryStep},
	{"session", "Fork", "DeleteSession", opposite, 0, "", tryFork},
	{"session", "Import, Conversations", "DeleteSession", opposite, 0, "", tryImport},
	{"session", "ArchiveSession, Sweep", "BeginTurn", goingOn, 0, "", tryArchive},
	{"session", "RenameSession", "RenameSession", opposite, 0, "", tryRename},
	{"session", "KeepSession", "KeepSession", opposite, 0, "it is deleted", tryKeep},
	{"session", "DeleteSession", "UndoDeletion", restoring, write.DeletionUndoTime, "", tryDeleteSession},
	{"working memory", "EditWorking", "EditWorking", opposite, 0, "the session ends", tryWorking},
	{"profile", "SetProfile, UndoProfile", "UndoProfile", versioned, lookup.UndoTime, "", tryProfile},
	{"profile", "DeleteProfile", "UndoDeletion", restoring, write.DeletionUndoTime, "", tryDeleteProfile},
	{"profile", "Profile", "", "it follows the items, which are undone", 0, "", nil},
	{"agent", "CreateAgent", "DeleteAgent", opposite, 0, "", tryCreateAgent},
	{"agent", "EditAgent", "EditAgent", opposite, 0, "", tryEditAgent},
	{"agent", "DeleteAgent", "UndoAgentDeletion", restoring, write.DeletionUndoTime, "", tryDeleteAgent},
	{"agent", "UndoAgentDeletion", "DeleteAgent", opposite, 0, "", tryUndoAgentDeletion},
	{"agent", "ImportAgent", "DeleteAgent", opposite, 0, "", tryImportAgent},
	{"agent", "ExportAgent", "", "it notes which file it wrote", 0, "", nil},
	{"group", "AddGroup", "DeleteGroup", opposite, 0, "", tryAddGroup},
	{"group", "EditGroup", "EditGroup", opposite, 0, "", tryEditGroup},
	{"group", "DeleteGroup", "UndoDeletion", restoring, write.DeletionUndoTime, "", tryDeleteGroup},
	{"deletion", "UndoDeletion", "DeleteItems", opposite, 0, "", tryUndoDeletion},
	{"deletion", "Prolong", "", "the undo time is over", 0, "", nil},
	{"deletion", "PurgeExpired, PurgeExpiredIn, Resume", "", "the undo time is over", 0, "", nil},
	{"deletion", "Erase", "", "it is deleted for good", 0, "", nil},
	{"deletion", "Purge", "", "the user asks for it to be final", 0, "", nil},
	{"draft", "SaveDraft", "SaveDraft", opposite, 0, "", tryDraft},
	{"journal", "RunJournal", "", "derived from the messages", 0, "", nil},
	{"setting", "SetConfig", "SetConfig", opposite, 0, "", trySetting},
	{"setting", "SetJournalConfig", "SetJournalConfig", opposite, 0, "", tryJournalSetting},
	{"store", "DryRun", "", "its transaction is rolled back", 0, "", nil},
	{"store", "Close", "", "it removes empty indexes alone", 0, "", nil},
}

// methods splits the methods of a row.
func methods(list string) []string { return regexp.MustCompile(`\w+`).FindAllString(list, -1) }

// TestUndoTableIsComplete checks that each exported method that writes is in the
// table, that the table names methods alone, and that doc.go shows it.
func TestUndoTableIsComplete(t *testing.T) {
	rows := map[string]bool{}
	parts := []reflect.Type{
		reflect.TypeFor[*manager.Manager](), reflect.TypeFor[*agents.Writer](), reflect.TypeFor[*journals.Writer](),
		reflect.TypeFor[*importer.Writer](), reflect.TypeFor[*portable.Writer](), reflect.TypeFor[*doors.Writer](),
		reflect.TypeFor[*learning.Writer](), reflect.TypeFor[*imported.Writer](), reflect.TypeFor[*imported.Reading](), reflect.TypeFor[*profiles.Writer](), reflect.TypeFor[*trash.Writer](),
	}
	for _, u := range undoTable {
		names := methods(u.change)
		if u.undo != "" {
			names = append(names, u.undo)
		}
		for _, name := range names {
			if !slices.ContainsFunc(parts, func(of reflect.Type) bool { _, ok := of.MethodByName(name); return ok }) {
				t.Errorf("%s: no writer has a method %s", u.noun, name)
			}
		}
		for _, name := range methods(u.change) {
			rows[name] = true
		}
		if (u.undo == "") != (u.try == nil) {
			t.Errorf("%s: %s has an undo and no trial, or a trial and no undo", u.noun, u.change)
		}
	}
	for _, name := range writers(t, ".") {
		if !rows[name] {
			t.Errorf("%s writes and is not in undoTable: say how it is undone, or why it is not", name)
		}
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "//\tnoun\tchange\tundo\tuntil\thow")
	for _, u := range undoTable {
		for i, line := range folded(u.change, 40) {
			if i > 0 {
				fmt.Fprintf(w, "//\t\t%s\t\t\t\n", line)
				continue
			}
			undo := u.undo
			if undo == "" {
				undo = "none"
			}
			fmt.Fprintf(w, "//\t%s\t%s\t%s\t%s\t%s\n", u.noun, line, undo, u.limit(), u.kind)
		}
	}
	_ = w.Flush()
	want := regexp.MustCompile(`(?m)^//  `).ReplaceAllString(table.String(), "//\t")
	want = regexp.MustCompile(`(?m) +$`).ReplaceAllString(want, "")
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), want) {
		t.Errorf("doc.go does not show this table:\n%s", want)
	}
}

// folded breaks a list at its commas into lines of at most n characters.
func folded(list string, n int) (lines []string) {
	line := ""
	for _, name := range strings.SplitAfter(list, ", ") {
		if line != "" && len(line)+len(strings.TrimSpace(name)) > n {
			lines, line = append(lines, strings.TrimSpace(line)), ""
		}
		line += name
	}
	return append(lines, strings.TrimSpace(line))
}

// undoWorld is a store in which a row is tried.
type undoWorld struct {
	*testing.T
	m      *manager.Manager
	c      *clock
	ctx    context.Context
	ignore map[string]bool // keys of a view that may differ
}

// ok reports an error of the preparation.
func (w *undoWorld) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// say has a turn and learns from it by rules.
func (w *undoWorld) say(session, text string) manager.Turn {
	w.Helper()
	turn, _ := say(w, w.m, luna, session, text)
	return turn
}

// newest returns the id of the newest change.
func (w *undoWorld) newest() string {
	w.Helper()
	return must(w.m.Lookup().Changes(w.ctx, luna, lookup.ChangeFilter{Limit: 1}))(w).Changes[0].ID
}

// undone is an error if an undo has left something.
func undone(u learning.Undone, err error) error {
	if err == nil && len(u.Did) == 0 {
		err = fmt.Errorf("nothing was undone: %+v", u.Left)
	}
	return err
}

// view is everything that a person sees of a store, without times, counts and versions.
func (w *undoWorld) view() map[string]string {
	w.Helper()
	out := map[string]string{}
	put := func(key, format string, args ...any) {
		if !w.ignore[strings.Fields(key)[0]] && !w.ignore[key] {
			out[key] = fmt.Sprintf(format, args...)
		}
	}
	put("setting", "%+v %+v", w.m.Config(), w.m.Journals().JournalConfig())
	for _, g := range must(w.m.Lookup().Groups(w.ctx))(w) {
		put("group "+g.ID, "%q %v %v", g.Name, g.Members, g.Left)
	}
	for _, a := range must(w.m.Lookup().Agents(w.ctx))(w) {
		put("agent "+a.ID, "%q %q %q %q", a.Name, a.Persona, a.Model, a.Color)
		w.viewOf(a.ID, put)
	}
	return out
}

func (w *undoWorld) viewOf(agent string, put func(key, format string, args ...any)) {
	w.Helper()
	for _, it := range must(w.m.Lookup().Items(w.ctx, agent, lookup.ItemFilter{All: true}))(w).Items {
		if it.State != memory.StateInactive {
			put("item "+it.ID, "%s %s %s %q %q %v", it.State, it.Type, it.Key, it.Content, it.SupersededBy, it.ValidTo)
		}
	}
	put("profile "+agent, "%s", must(w.m.Profiles().Profile(w.ctx, agent))(w).Markdown)
	for _, r := range must(w.m.Lookup().Incoming(w.ctx, agent))(w) {
		put("incoming "+r.Content, "%s", r.Status)
	}
	put("draft "+agent, "%s", must(w.m.Lookup().Draft(w.ctx, agent))(w).Text)
	sessions, _, err := w.m.Lookup().Sessions(w.ctx, agent, 0, 0)
	w.ok(err)
	for _, s := range sessions {
		put("session "+s.ID, "%s %q %v %v", s.State, s.Title, s.Keep, s.Question)
		if s.Summary != nil {
			put("summary "+s.ID, "%s", s.Summary.Line())
		}
		for i, r := range must(w.m.Lookup().Branch(w.ctx, agent, s.ID))(w).Records {
			put(fmt.Sprintf("record %s %d", s.ID, i), "%s %s %q %v %v", r.ID, r.Role, r.Content, r.Collected, r.NotForMemory)
		}
		if about, err := w.m.Lookup().Working(w.ctx, agent, s.ID); err == nil {
			put("working "+s.ID, "%q %v %q", about.CurrentTopic, about.ContextVariables, about.LastEmotion)
		} else if !errors.Is(err, lookup.ErrNotFound) {
			w.Fatal(err)
		}
	}
}

// newUndoWorld opens an empty store whose turns are read by a model too.
func newUndoWorld(t *testing.T) *undoWorld {
	c := newClock()
	m := openAt(t, filepath.Join(t.TempDir(), "data"), c, func(cfg *write.Config) { cfg.Analysis = write.AnalysisAuto })
	return &undoWorld{T: t, m: m, c: c, ctx: t.Context(), ignore: map[string]bool{}}
}

// TestUndoTable makes every change of the table and undoes it: at the end of the time limit
// the store is as before, and after it the change stays.
func TestUndoTable(t *testing.T) {
	noRace(t)
	for _, u := range undoTable {
		if u.try == nil {
			continue
		}
		late := []bool{false}
		if u.within > 0 && !testing.Short() {
			late = append(late, true)
		}
		for i, name := range methods(u.change) {
			for _, late := range late {
				t.Run(fmt.Sprintf("%s %s late=%v", u.noun, name, late), func(t *testing.T) { tryUndoing(t, u, i, late) })
			}
		}
	}
}

func tryUndoing(t *testing.T, u undoing, i int, late bool) {
	w := newUndoWorld(t)
	trials := u.try(w)
	if len(trials) != len(methods(u.change)) {
		t.Fatalf("%d trials", len(trials))
	}
	before := w.view()
	if err := trials[i].change(); err != nil {
		t.Fatal(err)
	}
	if cmp.Equal(before, w.view()) {
		t.Fatal("the change changes nothing")
	}
	switch {
	case late:
		w.c.Add(u.within + time.Second)
	case u.within > 0:
		w.c.Add(u.within - time.Second)
	}
	err := trials[i].undo()
	if diff := cmp.Diff(before, w.view()); (diff != "") != late || (err != nil) != late {
		t.Errorf("undone: %v (-before +after):\n%s", err, diff)
	}
}

// finish has a turn and learns nothing from it yet.
func (w *undoWorld) finish(session, text string) manager.Turn {
	w.Helper()
	in := must(w.m.KeepIncoming(w.ctx, luna, text, nil, ""))(w)
	turn := must(w.m.BeginTurn(w.ctx, luna, in.ID, manager.Place{SessionID: session}))(w)
	w.answer(turn)
	return turn
}

// answer finishes a turn and returns the answer.
func (w *undoWorld) answer(turn manager.Turn) memory.Record {
	w.Helper()
	return must(w.m.FinishTurn(w.ctx, reply(turn), true))(w)
}

func reply(turn manager.Turn) memory.Record {
	return memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.",
		Status: memory.StatusComplete, Model: "test",
	}
}

// byRules lets no job wait for a model.
func (w *undoWorld) byRules() {
	w.Helper()
	cfg := w.m.Config()
	cfg.Analysis = write.AnalysisRules
	w.ok(w.m.SetConfig(cfg))
}

// undoNewest undoes the newest change of an item.
func (w *undoWorld) undoNewest() error { return undone(w.m.Learning().Undo(w.ctx, luna, w.newest())) }

func tryItems(w *undoWorld) []trial {
	it := must(w.m.Learning().AddItem(w.ctx, luna, memory.Item{Content: "Plays the cello."}))(w)
	return []trial{
		{func() error {
			_, err := w.m.Learning().AddItem(w.ctx, luna, memory.Item{Content: "Owns a bicycle."})
			return err
		}, w.undoNewest},
		{func() error {
			_, err := w.m.Learning().EditItem(w.ctx, luna, it.ID, func(it *memory.Item) { it.Content = "Plays the viola." })
			return err
		}, w.undoNewest},
	}
}

func tryLearning(w *undoWorld) []trial {
	w.ignore["working"] = true // it goes with UndoLastTurn
	turn := w.finish("", "I like oolong tea. Our depot occupies the fifth floor.")
	undo := func() error { return undone(w.m.Learning().UndoTurn(w.ctx, luna, turn.Record.TurnID)) }
	learn := func() error { return w.m.Learning().Learn(w.ctx, luna, nil) }
	return []trial{
		{func() error {
			_, err := w.m.Learning().LearnTurn(w.ctx, luna, turn.Record.TurnID)
			return err
		}, undo},
		{learn, undo},
		{func() error {
			return errors.Join(learn(), w.m.Learning().Analyse(w.ctx, luna, analyst(w, answering(depot)), nil))
		}, undo},
	}
}

func trySaid(w *undoWorld) []trial {
	w.ignore["working"], w.ignore["record"] = true, true // messages that instruct are marked
	turn := w.say("", "I live in Paris. Answer in German from now on.")
	session := turn.Session.ID
	asked := must(w.m.BeginTurn(w.ctx, luna, must(w.m.KeepIncoming(w.ctx, luna, "Where do I live?", nil, ""))(w).ID, manager.Place{SessionID: session}))(w)
	p := memory.Package{AgentID: luna, SessionID: session, TurnID: asked.Record.TurnID, Turn: asked.Working.TurnCount}
	for _, it := range inForce(w, w.m) {
		p.Blocks = append(p.Blocks, memory.Block{Layer: memory.LayerRecall, Parts: []memory.Ref{{Kind: memory.KindItem, ID: it.ID, Version: it.Version}}})
	}
	must(w.m.SavePackage(w.ctx, p, nil))(w)
	w.answer(asked)
	instructed := func(text string, do func(memory.Record, instruct.Instruction) error) trial {
		said := w.finish(session, text).Record
		return trial{func() error {
			in, ok, err := w.m.Learning().Instruction(w.ctx, said)
			if err != nil || !ok {
				return fmt.Errorf("%q is no instruction: %w", text, err)
			}
			return do(said, in)
		}, func() error { return undone(w.m.Learning().UndoLast(w.ctx, luna)) }}
	}
	return []trial{
		instructed("That's wrong, I live in Lyon, not in Paris.", func(r memory.Record, in instruct.Instruction) error {
			_, err := w.m.Learning().CorrectSaid(w.ctx, r, in)
			return err
		}),
		instructed("Stop answering in German.", func(r memory.Record, in instruct.Instruction) error {
			_, err := w.m.Learning().WithdrawSaid(w.ctx, r, in)
			return err
		}),
	}
}

func tryAccept(w *undoWorld) []trial {
	w.say("", email)
	held := shown(inbox(w, w.m)...)
	return []trial{
		{func() error {
			_, err := w.m.Learning().Accept(w.ctx, luna, held...)
			return err
		}, w.undoNewest},
		{func() error {
			_, err := w.m.Learning().AcceptEdited(w.ctx, luna, held[0], func(it *memory.Item) { it.Content = "Mail goes to bo@example.com." })
			return err
		}, w.undoNewest},
	}
}

func tryPropose(w *undoWorld) []trial {
	it := must(w.m.Learning().AddItem(w.ctx, luna, memory.Item{Content: "Plays the cello."}))(w)
	return []trial{
		{func() error {
			_, err := doors.New(w.m.Core).Propose(w.ctx, luna, "rest", memory.Item{Content: "Owns a bicycle."})
			return err
		}, w.undoNewest},
		{func() error {
			edit := func(it *memory.Item) { it.Content = "Plays the viola." }
			_, err := doors.New(w.m.Core).ProposeEdit(w.ctx, luna, "rest", it.ID, edit)
			return err
		}, w.undoNewest},
	}
}

func tryForget(w *undoWorld) []trial {
	must(w.m.Learning().AddItem(w.ctx, luna, memory.Item{Content: "Is on leave.", ValidTo: start.Add(10 * day)}))(w)
	w.c.Add(11 * day)
	return []trial{{func() error {
		_, err := w.m.Learning().Forget(w.ctx, luna)
		return err
	}, w.undoNewest}}
}

// deleting is a trial of a deletion.
func (w *undoWorld) deleting(agent string, delete func() (write.Deletion, error)) trial {
	var d write.Deletion
	return trial{func() (err error) {
		d, err = delete()
		return err
	}, func() error {
		_, err := w.m.UndoDeletion(w.ctx, agent, d.ID)
		return err
	}}
}

func tryDeleteItems(w *undoWorld) []trial {
	it := must(w.m.Learning().AddItem(w.ctx, luna, memory.Item{Content: "Plays the cello."}))(w)
	turn := w.say("", "I like quezalcanary tea.")
	session := turn.Session.ID
	w.say(session, email)
	request := w.finish(session, "forget that I like quezalcanary tea").Record
	choice := w.finish(session, "1").Record
	w.ignore["record "+session+" 4"], w.ignore["record "+session+" 6"] = true, true // requests are marked
	w.ignore["session"] = true                                                      // its title is not restored
	in, ok := instruct.Read(request.Content, nil)
	if !ok {
		w.Fatal("no instruction")
	}
	liked := must(w.m.Lookup().LearnedFrom(w.ctx, luna, turn.Record.ID))(w)[0]
	return []trial{
		w.deleting(luna, func() (write.Deletion, error) { return w.m.DeleteItems(w.ctx, luna, it.ID) }),
		w.deleting(luna, func() (write.Deletion, error) { return w.m.ClearItems(w.ctx, luna) }),
		w.deleting(luna, func() (write.Deletion, error) { return w.m.Reject(w.ctx, luna, shown(inbox(w, w.m)...)...) }),
		w.deleting(luna, func() (write.Deletion, error) {
			out, _, err := w.m.ForgetSaid(w.ctx, request, in, 0)
			return out.Deletion, err
		}),
		w.deleting(luna, func() (write.Deletion, error) {
			q := memory.Question{Items: []string{liked.ID}, Asked: []string{request.ID}}
			out, err := w.m.ForgetAnswered(w.ctx, choice, q, instruct.Reply{Picks: []int{1}}, 0)
			return out.Deletion, err
		}),
	}
}

func tryGeneration(w *undoWorld) []trial {
	w.byRules()
	id := ""
	for _, text := range moving {
		id = w.say(id, text).Session.ID
	}
	w.ok(w.m.ArchiveSession(w.ctx, luna, id))
	w.ignore["session"], w.ignore["summary"] = true, true // they go when the session goes on
	undo := func() error {
		return undone(w.m.Learning().UndoGeneration(w.ctx, luna, session(w, w.m, id).Generation))
	}
	return []trial{
		{func() error {
			_, err := w.m.Learning().Consolidate(w.ctx, luna, id, nil, nil)
			return err
		}, undo},
		{func() error { return w.m.Learning().Learn(w.ctx, luna, nil) }, undo},
	}
}

func tryProposeImported(w *undoWorld) []trial {
	must(w.m.Importer().Conversations(w.ctx, luna, "chatgpt", []foreign.Conversation{pottery()}))(w)
	w.ignore["session"] = true // it stays marked as read
	var got imported.Proposed
	return []trial{{func() (err error) {
		got, err = w.m.Imported().ProposeImported(w.ctx, luna, nil)
		return err
	}, func() error { return undone(w.m.Learning().UndoGeneration(w.ctx, luna, got.Generation)) }}}
}

func tryReadImported(w *undoWorld) []trial {
	c := conversation("depot", 1, depotSaid)
	must(w.m.Importer().Conversations(w.ctx, luna, "chatgpt", []foreign.Conversation{c}))(w)
	w.ignore["session"] = true // it stays marked as read
	r, _ := reading(w, w.m, citing(map[string]string{"depot occupies the fifth floor": "New depot occupies the fifth floor"}))
	var got imported.Read
	return []trial{{func() (err error) {
		got, err = r.ReadImported(w.ctx, nil)
		return err
	}, func() error { return undone(w.m.Learning().UndoGeneration(w.ctx, luna, got.Generation)) }}}
}

func tryUndo(w *undoWorld) []trial {
	w.byRules()
	id := ""
	for _, text := range moving {
		id = w.say(id, text).Session.ID
	}
	w.ok(errors.Join(w.m.ArchiveSession(w.ctx, luna, id), w.m.Learning().Learn(w.ctx, luna, nil)))
	turn := w.say("", "I like oolong tea.")
	it := must(w.m.Learning().AddItem(w.ctx, luna, memory.Item{Content: "Plays the cello."}))(w)
	added := must(w.m.Lookup().History(w.ctx, luna, it.ID))(w)[0].ID
	undoing := func(do func() (learning.Undone, error)) trial {
		var u learning.Undone
		return trial{func() (err error) {
			u, err = do()
			return undone(u, err)
		}, func() error { return undone(w.m.Learning().Undo(w.ctx, luna, u.ID)) }}
	}
	return []trial{
		undoing(func() (learning.Undone, error) { return w.m.Learning().Undo(w.ctx, luna, added) }),
		undoing(func() (learning.Undone, error) { return w.m.Learning().UndoTurn(w.ctx, luna, turn.Record.TurnID) }),
		undoing(func() (learning.Undone, error) {
			return w.m.Learning().UndoGeneration(w.ctx, luna, session(w, w.m, id).Generation)
		}),
		undoing(func() (learning.Undone, error) { return w.m.Learning().UndoLast(w.ctx, luna) }),
	}
}

func tryIncoming(w *undoWorld) []trial {
	w.say("", "Hello there!")
	late := must(w.m.NewIncoming(luna, "Later", nil))(w)
	keeping := func(keep func() (memory.Record, error)) trial {
		var r memory.Record
		return trial{func() (err error) {
			r, err = keep()
			return err
		}, func() error {
			_, err := w.m.DropIncoming(w.ctx, luna, r.ID)
			return err
		}}
	}
	return []trial{
		keeping(func() (memory.Record, error) { return w.m.KeepIncoming(w.ctx, luna, "And now?", nil, "") }),
		keeping(func() (memory.Record, error) { return late, w.m.KeepUnsaved(w.ctx, late) }),
	}
}

func tryDropIncoming(w *undoWorld) []trial {
	w.say("", "Hello there!")
	in := must(w.m.KeepIncoming(w.ctx, luna, "And now?", nil, ""))(w)
	return []trial{{func() (err error) {
		in, err = w.m.DropIncoming(w.ctx, luna, in.ID)
		return err
	}, func() error {
		_, err := w.m.KeepIncoming(w.ctx, luna, in.Content, in.Spans, "")
		return err
	}}}
}

func tryCollect(w *undoWorld) []trial {
	turn := w.say("", "Hello there!")
	collect := func(on bool) func() error {
		return func() error {
			_, err := w.m.CollectRecord(w.ctx, luna, turn.Record.ID, on)
			return err
		}
	}
	return []trial{{collect(true), collect(false)}}
}

func tryDeleteRecords(w *undoWorld) []trial {
	first := w.say("", "I like oolong tea.")
	w.say(first.Session.ID, "Hello there!")
	return []trial{w.deleting(luna, func() (write.Deletion, error) {
		return w.m.DeleteRecords(w.ctx, luna, true, first.Record.ID)
	})}
}

func tryOverrule(w *undoWorld) []trial {
	l := &life{m: w.m, ctx: w.ctx}
	old := must(l.say(manager.Place{}))(w)
	w.c.Add(time.Hour)
	r := judgedTurn(w, l, old.SessionID, true)
	overrule := func() error {
		_, err := w.m.Overrule(w.ctx, luna, r.ID)
		return err
	}
	return []trial{{overrule, overrule}}
}

func tryTurn(w *undoWorld) []trial {
	id := w.say("", "Hello there!").Session.ID
	said := must(w.m.NewIncoming(luna, "I like oolong tea.", nil))(w)
	undo := func() error {
		_, _, err := w.m.UndoLastTurn(w.ctx, luna, id)
		return err
	}
	begin := func() (manager.Turn, error) {
		if err := w.m.KeepUnsaved(w.ctx, said); err != nil {
			return manager.Turn{}, err
		}
		return w.m.BeginTurn(w.ctx, luna, said.ID, manager.Place{SessionID: id})
	}
	return []trial{
		{func() error {
			_, err := begin()
			return err
		}, undo},
		{func() error {
			turn, err := begin()
			if err == nil {
				_, err = w.m.FinishTurn(w.ctx, reply(turn), true)
			}
			return errors.Join(err, w.m.Learning().Learn(w.ctx, luna, nil))
		}, undo},
		{func() error {
			answer := reply(manager.Turn{Session: memory.Session{ID: id}, Record: said})
			late := manager.UnsavedTurn{Message: said, Place: manager.Place{SessionID: id}, Reply: &answer, Learn: true}
			return errors.Join(w.m.WriteUnsaved(w.ctx, late), w.m.Learning().Learn(w.ctx, luna, nil))
		}, undo},
	}
}

func tryUndoLastTurn(w *undoWorld) []trial {
	id := w.say("", "Hello there!").Session.ID
	w.say(id, "I like oolong tea.")
	var left manager.LeftTurns
	return []trial{{func() (err error) {
		left, _, err = w.m.UndoLastTurn(w.ctx, luna, id)
		return err
	}, func() error {
		_, err := w.m.RedoTurn(w.ctx, luna, left)
		return err
	}}}
}

func tryRedoTurn(w *undoWorld) []trial {
	undo := tryUndoLastTurn(w)[0]
	w.ok(undo.change())
	return []trial{{undo.undo, undo.change}}
}

func tryAnew(w *undoWorld) []trial {
	turn := w.say("", "Hello there!")
	var second memory.Record
	return []trial{{func() error {
		anew, err := w.m.RegenerateTurn(w.ctx, luna, turn.Record.ID, manager.Place{SessionID: turn.Session.ID})
		if err == nil {
			second, err = w.m.FinishTurn(w.ctx, reply(anew), true)
		}
		return err
	}, func() error {
		_, err := w.m.StepBranch(w.ctx, luna, turn.Session.ID, second.ID, -1)
		return err
	}}}
}

func tryStep(w *undoWorld) []trial {
	anew := tryAnew(w)[0]
	w.ok(anew.change())
	last, _, err := w.m.Lookup().LastSession(w.ctx, luna)
	w.ok(err)
	id := last.ID
	step := func(by int) func() error {
		return func() error {
			all := must(w.m.Lookup().Branch(w.ctx, luna, id))(w).Records
			_, err := w.m.StepBranch(w.ctx, luna, id, all[len(all)-1].ID, by)
			return err
		}
	}
	return []trial{{step(-1), step(1)}}
}

func tryFork(w *undoWorld) []trial {
	turn := w.say("", "Hello there!")
	var fork memory.Session
	return []trial{{func() (err error) {
		fork, err = w.m.Fork(w.ctx, luna, turn.Record.ID, "")
		return err
	}, func() error {
		_, err := w.m.DeleteSession(w.ctx, luna, fork.ID, false)
		return err
	}}}
}

func tryImport(w *undoWorld) []trial {
	w.say("", "Hello there!")
	var sessions []string
	importing := func(do func() (importer.Imported, error)) func() error {
		return func() error {
			got, err := do()
			sessions = got.Sessions
			return err
		}
	}
	undo := func() (err error) {
		for _, id := range sessions {
			_, derr := w.m.DeleteSession(w.ctx, luna, id, false)
			err = errors.Join(err, derr)
		}
		return err
	}
	return []trial{{importing(func() (importer.Imported, error) {
		name := filepath.Join(w.TempDir(), "export.jsonl")
		w.ok(os.WriteFile(name, []byte(`{"session":"tea","role":"user","text":"Green tea?"}`), 0o600))
		e, err := foreign.Open(name, foreign.Lines, foreign.Options{Now: w.c.Now()})
		if err != nil {
			return importer.Imported{}, err
		}
		defer e.Close()
		return w.m.Importer().Import(w.ctx, luna, "jsonl", e, nil)
	}), undo}, {importing(func() (importer.Imported, error) {
		return w.m.Importer().Conversations(w.ctx, luna, "chatgpt", []foreign.Conversation{pottery()})
	}), undo}}
}

func tryArchive(w *undoWorld) []trial {
	w.byRules()
	id := ""
	for _, text := range moving {
		id = w.say(id, text).Session.ID
	}
	goOn := func() error {
		in, err := w.m.KeepIncoming(w.ctx, luna, "One thing more.", nil, "")
		if err != nil {
			return err
		}
		turn, err := w.m.BeginTurn(w.ctx, luna, in.ID, manager.Place{SessionID: id})
		if err != nil {
			return err
		}
		p := memory.Package{AgentID: luna, SessionID: id, TurnID: turn.Record.TurnID, Turn: turn.Working.TurnCount}
		_, err = w.m.SavePackage(w.ctx, p, nil)
		_, _, undo := w.m.UndoLastTurn(w.ctx, luna, id) // the message itself
		return errors.Join(err, undo)
	}
	return []trial{
		{func() error {
			return errors.Join(w.m.ArchiveSession(w.ctx, luna, id), w.m.Learning().Learn(w.ctx, luna, nil))
		}, goOn},
		{func() error {
			w.c.Add(5 * time.Hour)
			_, err := w.m.Sweep(w.ctx, luna, time.Hour, 4*time.Hour)
			return errors.Join(err, w.m.Learning().Learn(w.ctx, luna, nil))
		}, goOn},
	}
}

func tryRename(w *undoWorld) []trial {
	s := w.say("", "Hello there!").Session
	rename := func(title string) func() error {
		return func() error {
			_, err := w.m.RenameSession(w.ctx, luna, s.ID, title)
			return err
		}
	}
	return []trial{{rename("Greetings"), rename(s.Title)}}
}

func tryKeep(w *undoWorld) []trial {
	cfg := w.m.Config()
	cfg.ArchivalDefault = false
	w.ok(w.m.SetConfig(cfg))
	s := w.say("", "Hello there!").Session
	keep := func(on bool) func() error {
		return func() error {
			_, err := w.m.KeepSession(w.ctx, luna, s.ID, on)
			return err
		}
	}
	return []trial{{keep(true), keep(false)}}
}

func tryDeleteSession(w *undoWorld) []trial {
	id := w.say("", "I like oolong tea.").Session.ID
	return []trial{w.deleting(luna, func() (write.Deletion, error) { return w.m.DeleteSession(w.ctx, luna, id, true) })}
}

func tryWorking(w *undoWorld) []trial {
	id := w.say("", "Hello there!").Session.ID
	was := must(w.m.Lookup().Working(w.ctx, luna, id))(w)
	edit := func(topic string) func() error {
		return func() error {
			_, err := w.m.EditWorking(w.ctx, luna, id, func(about *memory.Working) { about.CurrentTopic = topic })
			return err
		}
	}
	return []trial{{edit("greetings"), edit(was.CurrentTopic)}}
}

func tryProfile(w *undoWorld) []trial {
	w.say("", "I live in Paris.")
	before := must(w.m.Profiles().Profile(w.ctx, luna))(w).Markdown
	must(w.m.Profiles().SetProfile(w.ctx, luna, 0, before+"- collects stamps\n"))(w)
	newest := func() error {
		v := must(w.m.Profiles().ProfileHistory(w.ctx, luna, 1, 0))(w).Versions[0].Version
		_, err := w.m.Profiles().UndoProfile(w.ctx, luna, v)
		return err
	}
	return []trial{
		{func() error {
			_, err := w.m.Profiles().SetProfile(w.ctx, luna, 0, before+"- collects coins\n")
			return err
		}, newest},
		{newest, newest},
	}
}

func tryDeleteProfile(w *undoWorld) []trial {
	w.say("", "I live in Paris.")
	must(w.m.Profiles().SetProfile(w.ctx, luna, 0, must(w.m.Profiles().Profile(w.ctx, luna))(w).Markdown+"- collects stamps\n"))(w)
	return []trial{w.deleting(luna, func() (write.Deletion, error) { return w.m.Profiles().DeleteProfile(w.ctx, luna, false) })}
}

func tryCreateAgent(w *undoWorld) []trial {
	return []trial{{func() error {
		_, err := w.m.Agents().CreateAgent(w.ctx, memory.Agent{ID: "sol"})
		return err
	}, func() error {
		_, err := w.m.DeleteAgent(w.ctx, "sol")
		return err
	}}}
}

func tryImportAgent(w *undoWorld) []trial {
	w.say("", "I like oolong tea.")
	name := filepath.Join(w.TempDir(), "luna.zip")
	file, err := os.Create(name)
	w.ok(err)
	_, err = portable.New(w.m.Core).ExportAgent(w.ctx, luna, "test", file, nil)
	w.ok(errors.Join(err, file.Close()))
	return []trial{{func() error {
		a, err := transfer.Open(name, nil, transfer.Limits{})
		if err != nil {
			return err
		}
		defer a.Close()
		_, err = portable.New(w.m.Core).ImportAgent(w.ctx, a, portable.Options{To: "sol"}, nil)
		return err
	}, func() error {
		_, err := w.m.DeleteAgent(w.ctx, "sol")
		return err
	}}}
}

func tryEditAgent(w *undoWorld) []trial {
	a := must(w.m.Agents().CreateAgent(w.ctx, memory.Agent{ID: "sol", Persona: "You are kind."}))(w)
	edit := func(persona string) func() error {
		return func() error {
			_, err := w.m.Agents().EditAgent(w.ctx, "sol", func(a *memory.Agent) { a.Persona = persona })
			return err
		}
	}
	return []trial{{edit("You are brief."), edit(a.Persona)}}
}

func tryDeleteAgent(w *undoWorld) []trial {
	w.say("", "I like oolong tea.")
	var d write.Deletion
	return []trial{{func() (err error) {
		d, err = w.m.DeleteAgent(w.ctx, luna)
		return err
	}, func() error {
		_, err := w.m.UndoAgentDeletion(w.ctx, luna, d.ID)
		return err
	}}}
}

func tryUndoAgentDeletion(w *undoWorld) []trial {
	deletion := tryDeleteAgent(w)[0]
	w.ok(deletion.change())
	return []trial{{deletion.undo, deletion.change}}
}

func tryAddGroup(w *undoWorld) []trial {
	return []trial{{func() error {
		_, err := w.m.AddGroup(w.ctx, memory.Group{ID: trio, Name: "Trio", Members: three})
		return err
	}, func() error {
		_, err := w.m.DeleteGroup(w.ctx, trio, false)
		return err
	}}}
}

func tryEditGroup(w *undoWorld) []trial {
	g := must(w.m.AddGroup(w.ctx, memory.Group{ID: trio, Name: "Trio", Members: three}))(w)
	edit := func(name string, members ...string) func() error {
		return func() error {
			_, err := w.m.EditGroup(w.ctx, trio, func(g *memory.Group) { g.Name, g.Members = name, members })
			return err
		}
	}
	return []trial{{edit("Three", "cy", "bo", "ann"), edit(g.Name, three...)}}
}

func tryDeleteGroup(w *undoWorld) []trial {
	must(w.m.AddGroup(w.ctx, memory.Group{ID: trio, Name: "Trio", Members: three}))(w)
	talk(w, w.m, "", "I like oolong tea.", said{"ann", "I see."}, said{"bo", "So do I."})
	return []trial{w.deleting(trio, func() (write.Deletion, error) { return w.m.DeleteGroup(w.ctx, trio, true) })}
}

func tryUndoDeletion(w *undoWorld) []trial {
	deletion := tryDeleteItems(w)[0]
	w.ok(deletion.change())
	return []trial{{deletion.undo, deletion.change}}
}

func tryDraft(w *undoWorld) []trial {
	save := func(text string) func() error {
		return func() error { return w.m.SaveDraft(w.ctx, luna, memory.Draft{Text: text}) }
	}
	w.say("", "Hello there!")
	w.ok(save("Today")())
	return []trial{{save("Tomorrow I"), save("Today")}}
}

func trySetting(w *undoWorld) []trial {
	was := w.m.Config()
	other := was
	other.SummaryLimit++
	return []trial{{func() error { return w.m.SetConfig(other) }, func() error { return w.m.SetConfig(was) }}}
}

func tryJournalSetting(w *undoWorld) []trial {
	was := journal.DefaultConfig()
	w.ok(w.m.Journals().SetJournalConfig(was))
	other := was
	other.Messages++
	return []trial{{func() error { return w.m.Journals().SetJournalConfig(other) }, func() error { return w.m.Journals().SetJournalConfig(was) }}}
}
