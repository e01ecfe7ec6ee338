package policy_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/policy"
)

// shelf keeps items the way a manager would, so that tests read as conversations.
type shelf struct {
	p     *policy.Policy
	items []memory.Item
	log   []policy.Upsert
}

// hear applies everything in a text.
func (s *shelf) hear(text string) {
	for _, c := range s.p.Extract(text) {
		s.apply(c)
	}
}

func (s *shelf) apply(c policy.Candidate) policy.Plan {
	plan := s.p.PlanUpsert(c, s.active())
	s.log = append(s.log, plan.Action)
	if plan.Action == policy.Skip {
		return plan
	}
	a := s.p.Admit(plan.Candidate, memory.TrustUser)
	if a.Verdict != policy.Active {
		return plan
	}
	it := a.Candidate.Item()
	it.ID, it.State = fmt.Sprint(len(s.items)), memory.StateActive
	for i := range s.items {
		if s.items[i].ID != plan.TargetID || plan.Action == policy.Insert {
			continue
		}
		if plan.Action == policy.Update {
			it.ID = plan.TargetID
			s.items[i] = it
			return plan
		}
		s.items[i].State = memory.StateInactive
		it.Supersedes = plan.TargetID
	}
	s.items = append(s.items, it)
	return plan
}

func (s *shelf) active() []memory.Item {
	return slices.DeleteFunc(slices.Clone(s.items), func(it memory.Item) bool { return !it.IsActive() })
}

func (s *shelf) contents() string {
	var out []string
	for _, it := range s.active() {
		out = append(out, it.Content)
	}
	return strings.Join(out, " ")
}

// P4: saying a thing again confirms, both-true things stay, a contradiction supersedes.
func TestConversations(t *testing.T) {
	for _, test := range []struct {
		says []string
		want string
		log  string
	}{
		{[]string{"I like tea", "I really love tea!"}, "Likes tea.", "insert update"},
		{[]string{"我喜欢茶", "我很喜欢喝茶。"}, "喜欢茶", "insert update"},
		{[]string{"I like tea", "I like coffee"}, "Likes tea. Likes coffee.", "insert insert"},
		{[]string{"I like tea", "I don't like tea anymore"}, "Dislikes tea.", "insert supersede"},
		{[]string{"我喜欢香菜", "我不喜欢香菜了"}, "不喜欢香菜", "insert supersede"},
		{[]string{"I prefer npm over pnpm", "I prefer pnpm over npm"}, "Prefers pnpm over npm.", "insert supersede"},
		{[]string{"I prefer dark mode", "I prefer light mode"}, "Prefers light mode.", "insert supersede"},
		{[]string{"I live in Rome", "I moved to Oslo"}, "Lives in Oslo.", "insert supersede"},
		{[]string{"我住在北京", "我搬到了成都"}, "住在成都", "insert supersede"},
		{[]string{"My name is Bo", "Actually my name is Rob, not Bo"}, "Name is Rob.", "insert supersede"},
		{[]string{"My sister lives in Paris", "Actually it's Lyon, not Paris"}, "Sister lives in Lyon.", "insert supersede"},
		{[]string{"我的生日是5月3日", "不对，是5月4日，不是5月3日"}, "生日是5月4日", "insert supersede"},
		{[]string{"I want to run a marathon", "I want to run a marathon by June", "I want to run a marathon"}, "Wants to run a marathon by June.", "insert supersede update"},
		{[]string{"I'm allergic to nuts", "I'm not allergic to nuts"}, "Is not allergic to nuts.", "insert supersede"},
		{[]string{"I'm vegetarian", "I'm vegan now"}, "Is vegan.", "insert supersede"},
		{[]string{"Please answer in German", "Please answer in English"}, "Answer in English.", "insert supersede"},
		{[]string{"Remember that the key is under the pot", "Don't forget: the key is under the pot."}, "The key is under the pot.", "insert update"},
		{[]string{"Actually it's Lyon, not Paris"}, "Lyon, not Paris.", "insert"},
	} {
		s := &shelf{p: newPolicy()}
		for _, text := range test.says {
			s.hear(text)
		}
		var log []string
		for _, u := range s.log {
			log = append(log, string(u))
		}
		if got := strings.Join(log, " "); s.contents() != test.want || got != test.log {
			t.Errorf("%q: left %q after %q, want %q after %q", test.says, s.contents(), got, test.want, test.log)
		}
	}
}

// P4: confirming raises confidence and superseding raises importance; neither leaves 0–1.
func TestConfidenceAndImportance(t *testing.T) {
	s := &shelf{p: newPolicy()}
	s.hear("I like tea")
	first := s.items[0]
	for range 50 {
		s.hear("I like tea")
	}
	last := s.items[0]
	if len(s.items) != 1 || last.Confidence <= first.Confidence || last.Confidence > 1 {
		t.Errorf("%d items, confidence %v after %v", len(s.items), last.Confidence, first.Confidence)
	}
	s.hear("I don't like tea")
	if won := s.items[1]; won.Importance <= last.Importance || won.Importance > 1 || won.Supersedes != "0" {
		t.Errorf("importance %v after %v, supersedes %q", won.Importance, last.Importance, won.Supersedes)
	}
	// P5: another name is a large change of identity and is less sure, unless it is said to be a correction.
	s.hear("My name is Bo")
	s.hear("My name is Rob")
	if it := s.items[len(s.items)-1]; it.Confidence >= 0.9 || !it.IsActive() {
		t.Errorf("a changed name has confidence %v", it.Confidence)
	}
	s.hear("Correction: my name is Robert")
	if it := s.items[len(s.items)-1]; it.Confidence < 0.9 || it.Content != "Name is Robert." {
		t.Errorf("a corrected name: %q, confidence %v", it.Content, it.Confidence)
	}
}

// P4: an inference overrules what the user said only when he agrees; said by a model without a key it is found by its words.
func TestInferenceAgainstStatement(t *testing.T) {
	s := &shelf{p: newPolicy()}
	s.hear("I like tea")
	plan := s.p.PlanUpsert(policy.Candidate{
		Type: memory.TypePreference, Key: "preference/tea", Content: "Hates tea.", Source: memory.SourceInferred, Confidence: 0.6,
	}, s.items)
	if plan.Action != policy.Supersede || plan.Hold == "" || plan.TargetID != s.items[0].ID {
		t.Errorf("plan %+v, want one that waits for the user", plan)
	}
	plan = s.apply(policy.Candidate{Type: memory.TypePreference, Key: "likes-tea", Content: "likes TEA", Source: memory.SourceInferred, Confidence: 0.6})
	if plan.Action != policy.Update || plan.Candidate.Key != "preference/tea" || plan.Candidate.Source != memory.SourceUserStated {
		t.Errorf("plan %+v, want an update of the item", plan)
	}
}

// P4: for any order of statements, hearing the last one again changes nothing but confidence.
func TestHearingAgainIsIdempotent(t *testing.T) {
	noRace(t)
	says := []string{
		"I like tea", "I don't like tea", "My name is Bo", "我叫小明", "I live in Rome", "我搬到了成都", "I prefer npm over pnpm",
		"I'm allergic to nuts", "我对花生过敏", "My dog is called Rex", "我最喜欢的颜色是蓝色", "My goal is to read 20 books by June",
		"Remember that the key is under the pot", "Please answer in German", "我们分手了", "I never work on Sundays",
	}
	rapid.Check(t, func(t *rapid.T) {
		s := &shelf{p: newPolicy()}
		for _, text := range rapid.SliceOfN(rapid.SampledFrom(says), 1, 8).Draw(t, "says") {
			s.hear(text)
			before, n := s.contents(), len(s.items)
			s.hear(text)
			if s.contents() != before || len(s.items) != n {
				t.Fatalf("%q heard again: %q became %q", text, before, s.contents())
			}
			seen := map[string]bool{}
			for _, it := range s.active() {
				if seen[it.Key] {
					t.Fatalf("two active items have the key %q", it.Key)
				}
				seen[it.Key] = true
			}
		}
	})
}

// P5, P10: what becomes of personal data, by policy, consent and trust.
func TestAdmit(t *testing.T) {
	plain, told := "My email is bo@example.org", "Remember that my email is bo@example.org"
	for _, test := range []struct {
		policy  policy.PIIPolicy
		text    string
		trust   memory.Trust
		want    policy.Verdict
		content string
	}{
		{policy.PIIAsk, plain, memory.TrustUser, policy.Held, "Email is bo@example.org."},
		{policy.PIIAsk, told, memory.TrustUser, policy.Active, "Email is bo@example.org."},
		{policy.PIIAsk, told, memory.TrustModel, policy.Held, "Email is bo@example.org."},
		{policy.PIIKeep, plain, memory.TrustUser, policy.Active, "Email is bo@example.org."},
		{policy.PIIKeep, plain, memory.TrustPasted, policy.Held, "Email is bo@example.org."},
		{policy.PIIRedact, plain, memory.TrustUser, policy.Active, "Email is •••."},
		{policy.PIIDrop, told, memory.TrustUser, policy.Dropped, ""},
		{policy.PIIAsk, "I like tea", memory.TrustUser, policy.Active, "Likes tea."},
		{policy.PIIAsk, "I like tea", memory.TrustModel, policy.Active, "Likes tea."},
		{policy.PIIAsk, "I like tea", memory.TrustPasted, policy.Held, "Likes tea."},
		{policy.PIIAsk, "Remember that I like tea", memory.TrustForeign, policy.Held, "Likes tea."},
	} {
		cfg := policy.Default()
		cfg.PIIPolicy = test.policy
		p := policy.New(cfg)
		cs := p.Extract(test.text)
		if len(cs) != 1 {
			t.Fatalf("%q gave %d candidates", test.text, len(cs))
		}
		a := p.Admit(cs[0], test.trust)
		if a.Verdict != test.want || a.Candidate.Content != test.content || a.Reason == "" {
			t.Errorf("%s, %q from %v: %s %q, want %s %q", test.policy, test.text, test.trust, a.Verdict, a.Candidate.Content, test.want, test.content)
		}
		if a.Candidate.Risk == policy.RiskPII && !cs[0].Explicit && a.Verdict == policy.Active && a.Candidate.Confidence >= 0.9 {
			t.Errorf("%q: personal data has confidence %v", test.text, a.Candidate.Confidence)
		}
		if test.policy == policy.PIIRedact && strings.Contains(string(a.Candidate.Value)+a.Candidate.Title+a.Candidate.Key, "example") {
			t.Errorf("redacted candidate still holds the address: %+v", a.Candidate)
		}
	}
}

// P5: secrets never become items, whoever proposes them and whatever the policy says.
func TestSecretsAreDropped(t *testing.T) {
	cfg := policy.Default()
	cfg.PIIPolicy = policy.PIIKeep
	p := policy.New(cfg)
	for _, text := range []string{
		"Remember that my password is hunter2", "记住我的密码是abc12345", "Remember: 4111 1111 1111 1111",
		"My API key is sk-proj-abcdEFGH1234567890abcd", "记住：我的银行卡号是 4111111111111111",
	} {
		for _, c := range p.Extract(text) {
			if a := p.Admit(c, memory.TrustUser); a.Verdict != policy.Dropped || c.Content != "" {
				t.Errorf("%q: %s with content %q", text, a.Verdict, c.Content)
			}
			if plan := p.PlanUpsert(c, nil); plan.Action != policy.Skip {
				t.Errorf("%q: plan %s", text, plan.Action)
			}
		}
		if r := p.Route(policy.Event{Record: memory.Record{Role: memory.RoleUser, Content: text}}); r.ToRecall || !r.ToArchival {
			t.Errorf("%q: route %+v", text, r)
		}
	}
	proposed := policy.Candidate{Type: memory.TypeFact, Key: "note", Content: "A token", Value: json.RawMessage(`{"k":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}`)}
	if a := p.Admit(proposed, memory.TrustModel); a.Verdict != policy.Dropped || len(a.Candidate.Value) > 0 {
		t.Errorf("a proposed secret: %+v", a)
	}
}

// P1, P2, P3: every message is archived; only what its user states goes to recall.
func TestRoute(t *testing.T) {
	p := newPolicy()
	for _, test := range []struct {
		record   memory.Record
		toRecall bool
	}{
		{memory.Record{Role: memory.RoleUser, Content: "I like tea"}, true},
		{memory.Record{Role: memory.RoleUser, Content: "Do I like tea?"}, false},
		{memory.Record{Role: memory.RoleUser, Content: "hello"}, false},
		{memory.Record{Role: memory.RoleAssistant, Content: "I like tea"}, false},
		{memory.Record{Role: memory.RoleTool, Content: "My name is Bo"}, false},
		{memory.Record{Role: memory.RoleAssistant, Model: memory.ModelOffline, Content: "I like tea"}, false},
		{memory.Record{Role: memory.RoleUser, Content: "I like tea", Spans: []memory.Span{{Length: 10, Kind: memory.SpanPasted}}}, false},
	} {
		r := p.Route(policy.Event{Record: test.record})
		if !r.ToArchival || r.ToRecall != test.toRecall || r.Reason == "" {
			t.Errorf("%s %q: %+v, want to recall %v", test.record.Role, test.record.Content, r, test.toRecall)
		}
	}
}

// P1, P7: consolidation at the end, or past the threshold, and never twice.
func TestShouldConsolidate(t *testing.T) {
	p := newPolicy()
	for _, test := range []struct {
		s       memory.Session
		covered int
		want    bool
	}{
		{memory.Session{State: memory.SessionActive, Turns: 20}, 0, false},
		{memory.Session{State: memory.SessionActive, Turns: 21}, 0, true},
		{memory.Session{State: memory.SessionActive, Turns: 41}, 21, false},
		{memory.Session{State: memory.SessionArchiving, Turns: 1}, 0, true},
		{memory.Session{State: memory.SessionArchived, Turns: 5, Generation: "g"}, 0, false},
		{memory.Session{State: memory.SessionArchiving, Turns: 5}, 5, false},
	} {
		if d := p.ShouldConsolidate(test.s, test.covered); d.Yes != test.want || d.Reason == "" {
			t.Errorf("%s, %d turns, %d covered: %+v, want %v", test.s.State, test.s.Turns, test.covered, d, test.want)
		}
	}
}

// P1, R9: only what can be recalled is embedded, and nothing that holds a secret.
func TestShouldEmbed(t *testing.T) {
	p := newPolicy()
	active := memory.Item{State: memory.StateActive, Content: "Likes tea."}
	held, empty := active, active
	held.State, empty.Content = memory.StateHeld, "…"
	if !p.ShouldEmbed(active).Yes || p.ShouldEmbed(held).Yes || p.ShouldEmbed(empty).Yes {
		t.Error("want active items with words to be embedded, and no others")
	}
	secret := active
	secret.Content = "The key is sk-live-4242424242424242abcdefAB"
	if d := p.ShouldEmbed(secret); d.Yes || d.Reason == "" {
		t.Errorf("a secret: %+v", d)
	}
}

// P8: what becomes of an item with time.
func TestForget(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	base := memory.Item{State: memory.StateActive, Importance: 0.3, Confidence: 0.9, CreatedAt: ago(400), UpdatedAt: ago(400)}
	with := func(change func(*memory.Item)) memory.Item {
		it := base
		change(&it)
		return it
	}
	for name, test := range map[string]struct {
		it   memory.Item
		want policy.Action
	}{
		"unused":             {base, policy.Decay},
		"important":          {with(func(it *memory.Item) { it.Importance = 0.9 }), policy.Keep},
		"used":               {with(func(it *memory.Item) { it.LastAccessed = ago(3) }), policy.Keep},
		"decayed yesterday":  {with(func(it *memory.Item) { it.UpdatedAt = ago(1) }), policy.Keep},
		"hardly sure":        {with(func(it *memory.Item) { it.Confidence = 0.2 }), policy.Deactivate},
		"expired":            {with(func(it *memory.Item) { it.ValidTo, it.Importance = ago(1), 1 }), policy.Deactivate},
		"superseded":         {with(func(it *memory.Item) { it.SupersededBy, it.Importance = "x", 1 }), policy.Deactivate},
		"muted":              {with(func(it *memory.Item) { it.State = memory.StateMuted }), policy.Keep},
		"written by hand":    {with(func(it *memory.Item) { it.Origin = memory.OriginUser }), policy.Keep},
		"held":               {with(func(it *memory.Item) { it.State = memory.StateHeld }), policy.Keep},
		"inactive 29 days":   {with(func(it *memory.Item) { it.State, it.UpdatedAt = memory.StateInactive, ago(29) }), policy.Keep},
		"inactive 30 days":   {with(func(it *memory.Item) { it.State, it.UpdatedAt = memory.StateInactive, ago(30) }), policy.Delete},
		"inactive, no times": {memory.Item{State: memory.StateInactive}, policy.Keep},
	} {
		if f := newPolicy().Forget(test.it, now); f.Action != test.want || f.Reason == "" {
			t.Errorf("%s: %+v, want %s", name, f, test.want)
		}
	}
	if f := newPolicy().Forget(base, now); math.Abs(f.Confidence-0.81) > 1e-9 {
		t.Errorf("decayed confidence %v, want 0.81", f.Confidence)
	}
}

func TestConfigValidate(t *testing.T) {
	if err := policy.Default().Validate(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	for name, change := range map[string]func(*policy.Config){
		"pii_policy":        func(c *policy.Config) { c.PIIPolicy = "maybe" },
		"consolidate_turns": func(c *policy.Config) { c.ConsolidateTurns = -1 },
		"forget_importance": func(c *policy.Config) { c.ForgetImportance = math.NaN() },
		"forget_floor":      func(c *policy.Config) { c.ForgetFloor = 2 },
		"forget_unused":     func(c *policy.Config) { c.ForgetUnused = 0 },
		"delete_after":      func(c *policy.Config) { c.DeleteAfter = time.Hour },
	} {
		cfg := policy.Default()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
