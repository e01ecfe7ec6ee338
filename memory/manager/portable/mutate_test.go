package portable_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/manager/portable"
	"memoria/memory/store"
	"memoria/memory/transfer"
)

// rows returns all rows of a store as bytes.
func (w *world) rows() map[string]string {
	w.Helper()
	out := map[string]string{}
	err := w.Store.View(func(tx *store.Tx) error {
		for _, name := range store.BucketNames() {
			if name == "trash" { // of another version
				continue
			}
			for e, err := range kv.NewBucket(name, 1, kv.Bytes()).Scan(tx.KV(), nil) {
				if err != nil {
					return err
				}
				out[name+" "+string(e.Key)] = string(e.Value)
			}
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// mutated returns the archive with random changes to a few lines and right checksums.
func mutated(t testing.TB, archive []byte, random *rand.Rand) []byte {
	t.Helper()
	z := must(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	var out bytes.Buffer
	w := transfer.NewWriter(&out, transfer.Manifest{})
	for _, f := range z.File {
		if f.Name == "manifest.json" {
			continue
		}
		text := must(io.ReadAll(must(f.Open())(t)))(t)
		if strings.HasSuffix(f.Name, ".jsonl") && random.IntN(2) == 0 {
			lines := bytes.SplitAfter(text, []byte("\n"))
			switch i := random.IntN(len(lines)); random.IntN(4) {
			case 0:
				lines = slices.Delete(lines, i, i+1)
			case 1:
				lines = slices.Insert(lines, random.IntN(len(lines)), lines[i])
			default:
				lines[i] = mutateLine(lines[i], random)
			}
			text = bytes.Join(lines, nil)
		}
		if err := w.File(f.Name, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	must(w.Close(transfer.Agent{ID: luna}))(t)
	return out.Bytes()
}

// mutateLine gives a random field of a line another value.
func mutateLine(line []byte, random *rand.Rand) []byte {
	var row map[string]any
	if json.Unmarshal(line, &row) != nil {
		return line
	}
	values := []any{nil, "", "x", -1.0, 1e300, 5.0, true, []any{}, map[string]any{}, strings.Repeat("long ", 1000)}
	at := row
	if value, ok := row["value"].(map[string]any); ok && random.IntN(5) > 0 {
		at = value
	}
	var names []string
	for name := range at {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) > 0 {
		at[names[random.IntN(len(names))]] = values[random.IntN(len(values))]
	}
	out, err := json.Marshal(row)
	if err != nil {
		return line
	}
	return append(out, '\n')
}

// D1: a forged archive with right checksums is refused by Look, or imported into a store that
// is in order: an import never fails half way because of what is in the file.
func TestMutations(t *testing.T) {
	from := open(t)
	s := from.say("", "I like oolong tea. My name is Otto.")
	from.say(s.ID, "I live in Bonn.")
	from.archive(s)
	from.say("", "Always answer in English.")
	from.add(memory.Item{Content: "Plays the theremin", Type: memory.TypePreference})
	archive := must(os.ReadFile(from.export()))(t)
	random := rand.New(rand.NewPCG(7, 7))
	rounds, refused := 120, 0
	if testing.Short() {
		rounds = 20
	}
	to := open(t)
	for round := range rounds {
		if round%10 == 0 {
			to = open(t)
		}
		before := to.rows()
		a := must(transfer.Open(to.file(mutated(t, archive, random)), nil, transfer.Limits{}))(t)
		p := portable.New(to.Core)
		o := portable.Options{HoldRules: round%2 == 0}
		if _, err := p.Look(t.Context(), a, o, nil); err != nil {
			if !errors.Is(err, transfer.ErrDamaged) {
				t.Errorf("round %d: %v", round, err)
			}
			if diff := cmp.Diff(before, to.rows()); diff != "" {
				t.Errorf("round %d: a look changed something: %s", round, diff)
			}
			refused++
		} else if _, err := p.ImportAgent(t.Context(), a, o, nil); err != nil {
			t.Errorf("round %d: the import failed half way: %v", round, err)
		}
		_ = a.Close()
		complete := to.rows()
		if err := to.Store.Update(func(tx *store.Tx) error { return tx.Relink() }); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if diff := cmp.Diff(to.rows(), complete); diff != "" {
			t.Fatalf("round %d: index entries are not those of Relink (-relinked +written):\n%s", round, diff)
		}
	}
	if refused == 0 || refused == rounds {
		t.Errorf("%d of %d were refused", refused, rounds)
	}
}
