package manager_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/index/vector"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// subjects are what the test's embedder knows: a text that holds one of the words is
// about it.
var subjects = map[string][]string{
	"drink":   {"beverage", "tea", "thirsty", "茶", "口渴"},
	"home":    {"Lisbon", "apartment", "city", "城市", "里斯本"},
	"animals": {"cat", "furry", "猫"},
}

// meaningful makes vectors by the subject of a text.
type meaningful struct {
	local bool
	fail  error
	wait  time.Duration

	mu    sync.Mutex
	asked []string
}

func (e *meaningful) About() indexer.About {
	return indexer.About{Name: "meaningful", Key: "meaningful", Endpoint: "embed.example", Local: e.local, Batch: 16}
}

func (e *meaningful) Embed(ctx context.Context, purpose indexer.Purpose, texts []string) ([][]float32, error) {
	e.mu.Lock()
	fail, wait := e.fail, e.wait
	for _, t := range texts {
		if probeSubject(t) == "" {
			e.asked = append(e.asked, string(purpose)+": "+t)
		}
	}
	e.mu.Unlock()
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if fail != nil {
		return nil, fail
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		subject := probeSubject(t)
		for name, words := range subjects {
			if subject == "" && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(t, w) }) {
				subject = name
			}
		}
		if subject == "" {
			subject = "that of " + t
		}
		v := direction(t, 0.4)
		for j, x := range direction(subject, 1) {
			v[j] += x
		}
		for j, x := range direction("what all texts have in common", 0.5) {
			v[j] += x
		}
		_ = vector.Normalise(v)
		out[i] = v
	}
	return out, nil
}

func probeSubject(text string) string {
	for i, p := range retrieve.Probes() {
		if text == p.Question || text == p.Memory {
			return fmt.Sprint("probe ", i)
		}
	}
	return ""
}

func direction(of string, weight float32) []float32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(of))
	r := rand.New(rand.NewPCG(h.Sum64(), 5))
	v := make([]float32, 128)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	_ = vector.Normalise(v)
	for i := range v {
		v[i] *= weight
	}
	return v
}

func (e *meaningful) set(f func(*meaningful)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f(e)
}

func (e *meaningful) texts(prefix string) (out []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.asked {
		if s, ok := strings.CutPrefix(t, prefix+": "); ok {
			out = append(out, s)
		}
	}
	return out
}

func openVectors(t testing.TB, dir string, e indexer.Embedder, change func(*manager.Options)) *manager.Manager {
	t.Helper()
	o := manager.Options{
		Dir: dir, Config: write.DefaultConfig(), Now: newClock().Now, Embedder: e, Vectors: recall.DefaultVectors(),
	}
	o.Vectors.QueryTimeout = 5 * time.Second // the machine may be busy
	if change != nil {
		change(&o)
	}
	m, err := manager.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

var remembered = []string{
	"User drinks green tea every morning", "用户住在里斯本", "User has a cat named Miso", "User programs in Go",
	"User's deadline is in May", "User plays the cello", "User is allergic to peanuts", "User was born in August",
}

func rememberAll(t testing.TB, m *manager.Manager) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, content := range remembered {
		ids[content] = must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: content}))(t).ID
	}
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	return ids
}

func settleVectors(t testing.TB, m *manager.Manager) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := m.Recall().SettleVectors(ctx, luna); err != nil {
		t.Fatal(err)
	}
}

func recalls(t testing.TB, m *manager.Manager, q recall.Query) retrieve.Result {
	t.Helper()
	return must(m.Recall().Retrieve(t.Context(), luna, q))(t)
}

// R3, R8: what words do not find, meaning does; the parts tell one from the other,
// and together they are the relevance that counts.
func TestMeaningFinds(t *testing.T) {
	e := &meaningful{}
	m := openVectors(t, filepath.Join(t.TempDir(), "data"), e, nil)
	rememberAll(t, m)
	settleVectors(t, m)
	for question, want := range map[string]string{
		"which beverage suits a thirsty person?": remembered[0],
		"recommend an apartment nearby":          remembered[1],
		"口渴了怎么办":                                 remembered[0],
		"my furry flatmate":                      remembered[2],
	} {
		res := recalls(t, m, recall.Query{Text: question})
		if res.Degraded != "" || res.Note != "" || len(res.Chosen) == 0 || res.Chosen[0].Item.Content != want {
			t.Errorf("%q recalls %s (%s%s)", question, shownAs(res.Chosen), res.Degraded, res.Note)
			continue
		}
		s := res.Chosen[0]
		if s.Parts.KeywordScore != 1 || s.Parts.VectorScore <= 0 || s.Parts.VectorScore > 1 {
			t.Errorf("%q: parts %+v", question, s.Parts)
		}
		if got := s.Contribution.KeywordScore + s.Contribution.VectorScore; got < 0.4-1e-9 || s.Contribution.VectorScore < s.Contribution.KeywordScore || !strings.Contains(s.Why, "its meaning is near") {
			t.Errorf("%q: the meaning contributes %v of %v: %s", question, s.Contribution.VectorScore, got, s.Why)
		}
	}
	both := recalls(t, m, recall.Query{Text: "is green tea a good beverage?"}).Chosen
	if len(both) == 0 || both[0].Parts.KeywordScore <= 0 || both[0].Parts.VectorScore <= 0 {
		t.Errorf("words and meaning together: %+v", both)
	}
	sum := both[0].Contribution
	total := sum.KeywordScore + sum.VectorScore + sum.CategoryBoost + sum.RecencyScore + sum.FrequencyScore + sum.Confidence
	if d := total - both[0].Score; d > 1e-9 || d < -1e-9 {
		t.Errorf("the parts give %v, the score is %v", total, both[0].Score)
	}
}

func shownAs(list []retrieve.Scored) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Item.Content)
	}
	return fmt.Sprintf("%q", out)
}

// R5: messages that have nothing to do with any memory recall nothing for their
// meaning either.
func TestMeaninglessRecallsNothing(t *testing.T) {
	e := &meaningful{}
	m := openVectors(t, filepath.Join(t.TempDir(), "data"), e, nil)
	rememberAll(t, m)
	settleVectors(t, m)
	strays := 0
	const asked = 200
	for i := range asked {
		res := recalls(t, m, recall.Query{Text: fmt.Sprintf("zork%d quux%d blip%d", i, i*7, i*13)})
		if res.Degraded != "" {
			t.Fatal(res.Degraded)
		}
		if len(res.Chosen) > 0 {
			strays++
		}
	}
	t.Logf("%d of %d unrelated messages recall something", strays, asked)
	if strays > asked/20 {
		t.Errorf("%d of %d unrelated messages recall something", strays, asked)
	}
}

// R3: without an embedding model nothing is asked of anybody, and what is recalled
// is to the byte what it is with one that is of no help.
func TestWithoutEmbeddings(t *testing.T) {
	failing := &meaningful{fail: fmt.Errorf("%w: no connection", indexer.ErrUnavailable)}
	var all [][]byte
	for name, e := range map[string]indexer.Embedder{"off": nil, "failing": failing} {
		m := openVectors(t, filepath.Join(t.TempDir(), name), e, func(o *manager.Options) {
			o.Now = func() time.Time { return start }
			o.IDs = memory.NewIDs(rand.NewChaCha8([32]byte{1}))
		})
		rememberAll(t, m)
		var answers []retrieve.Result
		for _, q := range []string{"green tea", "猫 Miso", "what do I play?", "里斯本的天气", "when is my deadline in May", "hello", "zork"} {
			res := recalls(t, m, recall.Query{Text: q})
			if e == nil && (res.Degraded != "" || res.Note != "") {
				t.Errorf("%q: %s%s", q, res.Degraded, res.Note)
			}
			res.Took, res.Degraded = 0, ""
			answers = append(answers, res)
		}
		b, err := json.Marshal(answers)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "vector_score") {
			t.Errorf("%s: a part for vectors is shown", name)
		}
		all = append(all, b)
		d := must(m.Recall().IndexStatus(t.Context(), luna))(t)
		if has := len(d) == 3; has != (e != nil) {
			t.Errorf("%s: what is derived is %+v", name, d)
		}
		if err := m.Recall().RebuildVectors(luna); (err == nil) != (e != nil) {
			t.Errorf("%s: rebuilding vectors says %v", name, err)
		}
	}
	if string(all[0]) != string(all[1]) {
		t.Errorf("retrieval differs:\n%s\n%s", all[0], all[1])
	}
}

// R3: an embedding model that fails, is slow, or tells nothing apart leaves the
// words, and that is said.
func TestMeaningDegraded(t *testing.T) {
	e := &meaningful{}
	m := openVectors(t, filepath.Join(t.TempDir(), "data"), e, func(o *manager.Options) { o.Vectors.QueryTimeout = 300 * time.Millisecond })
	rememberAll(t, m)
	settleVectors(t, m)
	e.set(func(e *meaningful) { e.fail = errors.New("boom") })
	res := recalls(t, m, recall.Query{Text: "a beverage like tea"})
	if !strings.Contains(res.Degraded, "only words were compared") || len(res.Chosen) != 1 || res.Chosen[0].Parts.VectorScore != 0 {
		t.Errorf("a failing model: %+v", res)
	}
	e.set(func(e *meaningful) { e.fail = nil })
	res = recalls(t, m, recall.Query{Text: "another beverage like tea"})
	if !strings.Contains(res.Degraded, "a moment ago") || len(res.Chosen) != 1 {
		t.Errorf("right after a failure: %+v", res)
	}
}

// R3: a model that cannot tell what belongs together is not listened to.
func TestUselessModel(t *testing.T) {
	m := openVectors(t, filepath.Join(t.TempDir(), "data"), random{}, nil)
	rememberAll(t, m)
	settleVectors(t, m)
	res := recalls(t, m, recall.Query{Text: "green tea"})
	if !strings.Contains(res.Note, "English") || len(res.Chosen) != 1 || res.Chosen[0].Parts.VectorScore != 0 {
		t.Errorf("%+v", res)
	}
	d := must(m.Recall().IndexStatus(t.Context(), luna))(t)[2]
	if d.State != "ready" || !strings.Contains(d.Reason, "does not tell what belongs together") {
		t.Errorf("%+v", d)
	}
}

// random makes vectors of no meaning.
type random struct{}

func (random) About() indexer.About { return indexer.About{Name: "random", Key: "random", Batch: 16} }

func (random) Embed(_ context.Context, _ indexer.Purpose, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = direction(t, 1)
	}
	return out, nil
}

// D4: what is still being typed goes to no other computer; what is sent does.
func TestTypingStaysHere(t *testing.T) {
	for _, local := range []bool{false, true} {
		e := &meaningful{local: local}
		m := openVectors(t, filepath.Join(t.TempDir(), "data"), e, nil)
		rememberAll(t, m)
		settleVectors(t, m)
		res := recalls(t, m, recall.Query{Text: "a thirsty secret", Typing: true})
		asked := e.texts("query")
		switch {
		case local && (len(asked) != 1 || res.Note != "" || len(res.Chosen) == 0):
			t.Errorf("a server on this computer: asked %q, %+v", asked, res)
		case !local && (len(asked) != 0 || !strings.Contains(res.Note, "embed.example")):
			t.Errorf("another computer: asked %q, %+v", asked, res)
		}
		recalls(t, m, recall.Query{Text: "a thirsty secret"})
		if asked := e.texts("query"); len(asked) != 1 {
			t.Errorf("after sending: asked %q", asked)
		}
	}
}

// P1, D2: an item's vector comes and goes with it, and policy is asked which items
// have one. A deleted one is gone from the store and from backups.
func TestVectorsComeAndGo(t *testing.T) {
	e := &meaningful{}
	dir := filepath.Join(t.TempDir(), "data")
	m := openVectors(t, dir, e, func(o *manager.Options) { o.Backup = vault.DefaultConfig() })
	ids := rememberAll(t, m)
	// P5a: a secret that the user writes down is refused, and sent nowhere.
	var refused *write.SecretError
	_, err := m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "User's key is sk-live-4242424242424242abcdefAB"})
	if !errors.As(err, &refused) {
		t.Errorf("adding a secret: %v", err)
	}
	settleVectors(t, m)
	if got := len(e.texts("item")); got != len(remembered) || slices.ContainsFunc(e.texts("item"), func(s string) bool { return strings.Contains(s, "4242") }) {
		t.Errorf("vectors were asked for of %q", e.texts("item"))
	}
	if _, err := m.Vault().Backup(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := m.DeleteItems(t.Context(), luna, ids[remembered[0]]); err != nil {
		t.Fatal(err)
	}
	settleVectors(t, m)
	if n := vectorCount(t, m); n != len(remembered)-1 {
		t.Errorf("%d vectors after a deletion", n)
	}
	if res := recalls(t, m, recall.Query{Text: "which beverage suits a thirsty person?"}); len(res.Chosen) != 0 {
		t.Errorf("it is recalled: %s", shownAs(res.Chosen))
	}
	if err := m.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := m.Vault().ForgetInBackups(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	backups := must(vault.Backups(m.Vault().Dir()))(t)
	if len(backups) == 0 {
		t.Fatal("there is no backup")
	}
	for _, b := range backups {
		n := 0
		err := store.ViewFile(b.Path, nil, func(tx *store.Tx) error {
			for v, err := range tx.Vectors(luna) {
				if err != nil {
					return err
				}
				if n++; v.ItemID == ids[remembered[0]] {
					t.Error("the backup keeps the vector of what was deleted")
				}
			}
			return nil
		})
		if err != nil || n != len(remembered)-1 {
			t.Errorf("the backup has %d vectors: %v", n, err)
		}
	}
	if _, err := m.ClearItems(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	settleVectors(t, m)
	if n := vectorCount(t, m); n != 0 {
		t.Errorf("%d vectors of no items", n)
	}
}

func vectorCount(t testing.TB, m *manager.Manager) int {
	t.Helper()
	for _, d := range must(m.Recall().IndexStatus(t.Context(), luna))(t) {
		if d.Name == recall.DerivedVectors {
			return d.Count
		}
	}
	t.Fatal("vectors are not among what is derived")
	return 0
}

// P1: the decision which items have a vector can be replaced.
func TestShouldEmbedIsReplaceable(t *testing.T) {
	e := &meaningful{}
	cfg := write.DefaultConfig()
	m := openVectors(t, filepath.Join(t.TempDir(), "data"), e, func(o *manager.Options) {
		o.Decider = onlyTea{policy.New(cfg.Rules)}
	})
	rememberAll(t, m)
	settleVectors(t, m)
	if got := e.texts("item"); len(got) != 1 || got[0] != remembered[0] {
		t.Errorf("vectors were asked for of %q", got)
	}
}

type onlyTea struct{ *policy.Policy }

func (onlyTea) ShouldEmbed(it memory.Item) policy.Decision {
	return policy.Decision{Yes: strings.Contains(it.Content, "tea")}
}

// R9: requests for vectors make way for whoever needs the same server, and for
// nobody else.
func TestHoldRequests(t *testing.T) {
	e := &meaningful{}
	m := openVectors(t, filepath.Join(t.TempDir(), "data"), e, nil)
	release := m.Recall().HoldRequests("embed.example")
	rememberAll(t, m)
	if err := m.Recall().FollowVectors(luna); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := m.Recall().SettleVectors(ctx, luna); !errors.Is(err, context.DeadlineExceeded) || len(e.texts("item")) != 0 {
		t.Errorf("vectors are made all the same: %v, %q", err, e.texts("item"))
	}
	release()
	settleVectors(t, m)
	elsewhere := m.Recall().HoldRequests("chat.example")
	defer elsewhere()
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "User likes oranges"}))(t)
	settleVectors(t, m)
}
