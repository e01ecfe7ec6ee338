package manager_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/doors"
	"memoria/memory/manager/write"
)

// private is a word that only one agent knows.
const private = "quezalcanary"

// secrets gives an agent a private life: items, also in the inbox, a profile, working
// memory, a summary, a package, a draft, a deleted memory, a message that waits. It
// returns every id by which something of it is known.
func secrets(t *testing.T, m *manager.Manager, agent string) (ids []string) {
	t.Helper()
	ctx := t.Context()
	ended, _ := say(t, m, agent, "", "Remember that my "+private+" lives in the attic")
	say(t, m, agent, ended.Session.ID, "I like "+private+" tea, and my phone is +49 170 5550123 "+private)
	if err := m.ArchiveSession(ctx, agent, ended.Session.ID); err != nil {
		t.Fatal(err)
	}
	if err := m.Learning().Learn(ctx, agent, nil); err != nil {
		t.Fatal(err)
	}
	turn, changes := say(t, m, agent, "", "The "+private+" again")
	id := lookup.TextID("Be " + private + ".")
	_, err := m.SavePackage(ctx, memory.Package{
		AgentID: agent, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Keywords: []string{private}, Blocks: []memory.Block{
			{Layer: memory.LayerPersona, Role: memory.RoleSystem, Parts: []memory.Ref{{Kind: memory.KindText, ID: id}}},
			{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
		},
	}, map[string]string{id: "Be " + private + "."})
	if err != nil {
		t.Fatal(err)
	}
	must(m.EditWorking(ctx, agent, turn.Session.ID, func(w *memory.Working) { w.CurrentTopic = private }))(t)
	must(m.Profiles().SetProfile(ctx, agent, 0, "- breeds "+private+" birds\n"))(t)
	if err := m.SaveDraft(ctx, agent, memory.Draft{AgentID: agent, Text: private}); err != nil {
		t.Fatal(err)
	}
	in := must(m.KeepIncoming(ctx, agent, private, nil, ""))(t)
	gone := must(m.Learning().AddItem(ctx, agent, memory.Item{Content: "Once owned a " + private}))(t)
	d := must(m.DeleteItems(ctx, agent, gone.ID))(t)
	ids = append(ids, ended.Session.ID, ended.Record.ID, ended.Record.TurnID, turn.Session.ID, turn.Record.ID, turn.Record.TurnID, id, in.ID, gone.ID, d.ID)
	for _, c := range changes {
		ids = append(ids, c.ID, c.ItemID)
	}
	for _, it := range must(m.Lookup().Items(ctx, agent, lookup.ItemFilter{All: true}))(t).Items {
		ids = append(ids, it.ID, it.Generation)
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == "" })
}

// noDoor are methods that lead to no agent's memory, or end the manager.
var noDoor = []string{
	"Close", "Purge", "Backup", "Backups", "ForgetInBackups", "Replaced", "RemoveReplaced", "Watch", "Policy", "Dir",
	"Probe", "DryRun", "HoldRequests", "Exclude",
}

// tryDoors calls every method of the manager and its reader that takes an agent, or an owner in what it
// takes, as one agent with the ids of another, and returns all that it says.
func tryDoors(t *testing.T, m *manager.Manager, as string, ids []string, only ...string) (said map[string]string, tried int) {
	t.Helper()
	said = map[string]string{}
	methods := methodsOf(m)
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		method := methods[name]
		if slices.Contains(noDoor, name) || len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		for _, id := range append([]string{""}, ids...) { // none: of everything
			args, ok := arguments(t.Context(), method.Type(), as, id)
			if !ok {
				break
			}
			tried++
			out := call(method, args)
			if strings.Contains(out, private) {
				said[name] = out
			}
		}
	}
	return said, tried
}

// methodsOf returns the exported methods of the manager and of its parts, by name, without
// those that the writers share.
func methodsOf(m *manager.Manager) map[string]reflect.Value {
	methods := map[string]reflect.Value{}
	for _, part := range []any{m, m.Learning(), m.Agents(), m.Profiles(), m.Journals(), m.Trash(), doors.New(m.Core), m.Recall(), m.Lookup()} {
		v := reflect.ValueOf(part)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			if _, shared := reflect.TypeFor[*write.Core]().MethodByName(name); !shared || part == any(m.Lookup()) {
				methods[name] = v.Method(i)
			}
		}
	}
	return methods
}

// call calls a method and returns all that it returns, in words; a fault of one that is
// not made for such arguments says nothing.
func call(method reflect.Value, args []reflect.Value) (out string) {
	defer func() {
		if v := recover(); v != nil {
			out = fmt.Sprint(v)
		}
	}()
	results := method.Call(args)
	for _, r := range results {
		if err, is := r.Interface().(error); is {
			out += err.Error()
			continue
		}
		b, err := json.Marshal(r.Interface())
		if err != nil {
			b = []byte(fmt.Sprintf("%+v", r.Interface()))
		}
		out += string(b)
	}
	return out
}

// arguments fills a method's parameters: the agent where it wants its first text, ids
// of the other in all others, and a question where it wants one.
func arguments(ctx context.Context, of reflect.Type, as, id string) (args []reflect.Value, ok bool) {
	first, limit := true, 50
	n := of.NumIn()
	if of.IsVariadic() {
		n--
	}
	for i := range n {
		in := of.In(i)
		switch {
		case in == reflect.TypeFor[context.Context]():
			args = append(args, reflect.ValueOf(ctx))
		case in.Kind() == reflect.String && first:
			args, first = append(args, reflect.ValueOf(as).Convert(in)), false
		case in.Kind() == reflect.String:
			args = append(args, reflect.ValueOf(id).Convert(in))
		case in.Kind() == reflect.Struct:
			v := reflect.New(in).Elem()
			owned := fill(v, as, id)
			if first && !owned {
				return nil, false // nobody's
			}
			first = false
			args = append(args, v)
		case in.Kind() == reflect.Int: // limit and offset, mostly
			args = append(args, reflect.ValueOf(limit).Convert(in))
			limit = 0
		case in.Kind() == reflect.Bool:
			args = append(args, reflect.ValueOf(true).Convert(in))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	if of.IsVariadic() && of.In(n).Elem().Kind() == reflect.String {
		args = append(args, reflect.ValueOf(id))
	}
	return args, !first
}

// fill sets every text of a value that names an owner to the agent, what asks to a
// question and all others to the id.
func fill(v reflect.Value, as, id string) (owned bool) {
	for i := range v.NumField() {
		f := v.Field(i)
		name := v.Type().Field(i).Name
		switch {
		case !f.CanSet():
		case f.Kind() == reflect.String && name == "AgentID":
			f.SetString(as)
			owned = true
		case f.Kind() == reflect.String && name == "Text" && id != "":
			f.SetString("attic tea phone") // all of which ann's memories speak of
		case f.Kind() == reflect.String && (strings.HasSuffix(name, "ID") || name == "Generation"):
			f.SetString(id)
		case f.Kind() == reflect.Struct && f.Type() != reflect.TypeFor[time.Time]():
			owned = fill(f, as, id) || owned
		}
	}
	return owned
}

// S9, D2: what one member remembers by itself is behind a wall: no method of the memory
// says a word of it to another member or to the group, whatever ids it is given.
func TestGroupTriesEveryDoor(t *testing.T) {
	noRace(t)
	m, _, _ := openGroup(t)
	turn := talk(t, m, "", "Hello you three", said{"ann", "Hello."}, said{"bo", "Hi."})
	ids := append(secrets(t, m, "ann"), turn.Session.ID, turn.Record.ID, turn.Record.TurnID)
	learnAll(t, m)
	for _, id := range three {
		if err := m.Recall().Settle(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for _, as := range []string{"bo", trio, "cy"} {
		said, tried := tryDoors(t, m, as, ids)
		for name, words := range said {
			t.Errorf("%s learns by %s: %s", as, name, words)
		}
		if tried < 40*len(ids) {
			t.Errorf("only %d doors were tried", tried)
		}
	}
	reading := []string{
		"Items", "Item", "Records", "Profile", "SearchArchive", "Retrieve", "Package", "Packages", "Sessions", "Session", "Draft", "Inbox",
		"Changes", "Working", "Summaries", "Incoming", "FindSessions", "Record", "LastRecords", "LearnedFrom", "TurnChanges",
	}
	own, _ := tryDoors(t, m, "ann", ids, reading...) // she reads it by these
	for _, name := range reading {
		if own[name] == "" {
			t.Errorf("ann herself learns nothing by %s: nothing is proven of it", name)
		}
	}
	if t.Failed() {
		return
	}
	// What is written for another holds nothing of it either.
	if in := files(t, filepath.Join(m.Vault().Dir(), "index", "bo"), private); len(in) > 0 {
		t.Errorf("bo's index holds it: %v", in)
	}
}
