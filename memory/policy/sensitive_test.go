package policy_test

import (
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
)

// P5, P5a, P5b: what is sensitive waits and says why, whoever proposes it; allergies and diets, what the user asked
// for, and who the user is do not wait.
func TestAdmitSensitive(t *testing.T) {
	note := func(key, content string) policy.Candidate {
		return policy.Candidate{Type: memory.TypeFact, Key: key, Content: content, Confidence: 0.9, Importance: 0.6}
	}
	told := note("health/diabetes", "Has diabetes.")
	told.Explicit = true
	for _, test := range []struct {
		c      policy.Candidate
		trust  memory.Trust
		want   policy.Verdict
		reason string
	}{
		{note("health/diabetes", "Has diabetes."), memory.TrustUser, policy.Held, "health: waits for your approval"},
		{note("fact/x", "有糖尿病。"), memory.TrustUser, policy.Held, "health: waits for your approval"},
		{note("fact/x", "Votes Labour."), memory.TrustModel, policy.Held, "politics: waits for your approval"},
		{note("fact/x", "是回族。"), memory.TrustModel, policy.Held, "ethnic origin: waits for your approval"},
		{note("fact/x", "Is pregnant."), memory.TrustForeign, policy.Held, ""},
		{told, memory.TrustUser, policy.Active, ""},
		{told, memory.TrustModel, policy.Held, "health: waits for your approval"},
		{note("allergy/peanut", "Allergic to peanuts."), memory.TrustUser, policy.Active, ""},
		{note("diet/lactose", "乳糖不耐受。"), memory.TrustUser, policy.Active, ""},
		{note("diet", "Vegetarian."), memory.TrustModel, policy.Active, ""},
		{note("birthday", "Birthday is 3 May."), memory.TrustUser, policy.Active, ""},
		{note("birthday", "生日是五月三号。"), memory.TrustUser, policy.Active, ""},
		{note("relation/wife/name", "Wife is called Faith."), memory.TrustUser, policy.Active, ""},
		{note("home", "Lives at 12 Baker Street."), memory.TrustUser, policy.Active, ""},
		{note("job", "Works as a pastor."), memory.TrustUser, policy.Active, ""},
		{note("relationship/status", "怀孕"), memory.TrustUser, policy.Held, "pregnancy: waits for your approval"},
		{note("home", "Lives in a hospice, has cancer."), memory.TrustUser, policy.Held, "health: waits for your approval"},
		{note("relation/wife/health", "Wife has cancer."), memory.TrustUser, policy.Held, "health: waits for your approval"},
		{note("relation/daughter/birthday", "Daughter's birthday is 9 July."), memory.TrustUser, policy.Held, "birthday: waits for your approval"},
		{note("episode/my-birthday-soon-3d399255-4d5d62c6", "Has many plans."), memory.TrustModel, policy.Active, ""},
		{note("name", "Name is hunter2, password: hunter2."), memory.TrustUser, policy.Dropped, "secrets are never remembered"},
	} {
		a := policy.New(policy.Default()).Admit(test.c, test.trust)
		if a.Verdict != test.want || test.reason != "" && a.Reason != test.reason {
			t.Errorf("%q from %v: %s, %q; want %s, %q", test.c.Content, test.trust, a.Verdict, a.Reason, test.want, test.reason)
		}
	}
}

// P5, P5a: the other ways to treat what is sensitive hold for words too; redact and drop also for who the user is.
func TestAdmitSensitiveByPolicy(t *testing.T) {
	for _, test := range []struct {
		policy       policy.PIIPolicy
		key, content string
		want         policy.Verdict
		left         string
	}{
		{policy.PIIKeep, "fact/x", "Was diagnosed with lupus in May.", policy.Active, "Was diagnosed with lupus in May."},
		{policy.PIIRedact, "fact/x", "Was diagnosed with lupus in May.", policy.Active, "•••."},
		{policy.PIIDrop, "fact/x", "Was diagnosed with lupus in May.", policy.Dropped, ""},
		{policy.PIIRedact, "birthday", "Birthday is 3 May.", policy.Active, "•••."},
		{policy.PIIDrop, "birthday", "Birthday is 3 May.", policy.Dropped, ""},
	} {
		cfg := policy.Default()
		cfg.PIIPolicy = test.policy
		a := policy.New(cfg).Admit(policy.Candidate{Key: test.key, Content: test.content}, memory.TrustUser)
		if a.Verdict != test.want || a.Candidate.Content != test.left {
			t.Errorf("%s, %q: %s %q, want %s %q", test.policy, test.content, a.Verdict, a.Candidate.Content, test.want, test.left)
		}
	}
}

// P5a: words for a summary or a title hold nothing sensitive but what the user accepted.
func TestSpeakable(t *testing.T) {
	p := policy.New(policy.Default())
	for _, test := range []struct {
		text     string
		accepted []string
		want     bool
	}{
		{"I like tea", nil, true},
		{"I have diabetes and like tea", nil, false},
		{"I have diabetes and like tea", []string{"Has type 1 diabetes."}, true},
		{"I have lupus", []string{"Has type 1 diabetes."}, false},
		{"我有糖尿病", []string{"有糖尿病。"}, true},
		{"My password is hunter2", nil, false},
		{"My password is [secret]", nil, true},
	} {
		if got := p.Speakable(test.text, test.accepted...); got != test.want {
			t.Errorf("Speakable(%q, %q) = %v", test.text, test.accepted, got)
		}
	}
}

// P5a: a secret is hidden wherever it is repeated.
func TestHideSecrets(t *testing.T) {
	said := "my password is hunter2. hunter2 is easy"
	for text, want := range map[string]string{
		said:                    "my password is [secret]. [secret] is easy",
		"Likes hunter2.":        "Likes [secret].",
		"the password: zebra-9": "the password: [secret]",
		"nothing here":          "nothing here",
	} {
		if got := sensitive.HideSecrets(text, said); got != want {
			t.Errorf("sensitive.HideSecrets(%q) = %q, want %q", text, got, want)
		}
	}
}

// P5a: sentences tell nothing sensitive, and mark secrets.
func TestSentencesOfSensitive(t *testing.T) {
	said := "My password is hunter2-X. I have epilepsy. We grow tomatoes on the roof."
	var got []string
	for _, s := range policy.New(policy.Default()).Sentences(said) {
		got = append(got, s.Text)
		if strings.Contains(s.Text, sensitive.Secret) && (s.Statement || s.Known) {
			t.Errorf("a memory may be made of %q", s.Text)
		}
	}
	if want := "My password is [secret].|We grow tomatoes on the roof."; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}
