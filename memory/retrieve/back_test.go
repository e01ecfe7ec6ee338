package retrieve

import (
	"strings"
	"testing"
)

// R6: the topic alone brings memories to a message that has a subject or points
// back, and to no greeting.
func TestTopicAlone(t *testing.T) {
	for message, want := range map[string]bool{
		"hi there": false, "ln": false, "thanks": false, "thanks, that's it": false, "ok then": false, "good morning!": false,
		"what should I do today?": false, "你好": false, "谢谢": false, "今天好累": false, "就这样吧": false, "": false, "wri": true,
		"and then?": true, "how big is it?": true, "What's that?": true, "它多大？": true, "那个呢": true, "后来呢？": true, "然后呢": true,
		"which glaze is best": true, "釉料怎么选": true, "gla*": true,
	} {
		q := Analyse(message, "bowl")
		if q.TopicAlone != want {
			t.Errorf("%q: %v, want %v (distinctive %q)", message, q.TopicAlone, want, q.Distinctive)
		}
		if len(q.Keywords) == 0 && q.Empty() == want {
			t.Errorf("%q: empty is %v", message, q.Empty())
		}
	}
}

// R6: a question whose answer is stored under another word, or about plans, needs no topic.
func TestTopicOfAnotherQuestion(t *testing.T) {
	for _, message := range []string{"what can I not eat?", "where do I live?", "what's on in December?", "我不能吃什么"} {
		if q := AnalyseAt(message, "dentist", thursday); q.TopicAlone {
			t.Errorf("%q: the topic alone recalls something", message)
		}
	}
}

// R6: an item that only the topic found stands behind what holds the message's
// own distinctive words, however much speaks for it, and its score still shows
// the boost.
func TestTopicBehindWords(t *testing.T) {
	q := Analyse("what tea do I like", "pottery")
	tea := Candidate{Head: fresh("tea"), Relevance: 0.4, Distinctive: true, Own: true}
	bowl := Candidate{Head: fresh("bowl"), Relevance: 0.5, Topic: 0.5, OnTopic: true, Distinctive: true}
	bowl.Head.Confidence, bowl.Head.AccessCount = 1, 100
	weak := Candidate{Head: fresh("weak"), Relevance: 0.1}
	got := Rank(q, Found{Candidates: []Candidate{bowl, weak, tea}, Distinctive: true}, DefaultConfig(), now)
	if got[0].ID != "tea" || got[1].ID != "bowl" || got[2].ID != "weak" || !got[1].Chosen {
		t.Errorf("order %s %s %s", got[0].ID, got[1].ID, got[2].ID)
	}
	if got[1].Score <= got[0].Score || got[1].Parts.TopicBoost != topicBoost || !strings.Contains(got[1].Why, "the topic's words match") {
		t.Errorf("%+v", got[1])
	}
	// What matches both is lifted as ever.
	both := bowl
	both.Own, both.Topic = true, 0.2
	if got := Rank(q, Found{Candidates: []Candidate{both, tea}, Distinctive: true}, DefaultConfig(), now); got[0].ID != "bowl" {
		t.Error("what is asked for and about the topic does not come first")
	}
}

// R6: nothing comes for the topic alone where nothing calls for it, and the topic
// gives everyday words no footing.
func TestTopicNotCalledFor(t *testing.T) {
	bowl := Candidate{Head: fresh("bowl"), Relevance: 0.5, Topic: 0.5, OnTopic: true, Distinctive: true}
	faint := Candidate{Head: fresh("faint"), Relevance: 0.6, Topic: 0.5, OnTopic: true, Distinctive: true}
	for _, r := range Rank(Analyse("a nice day", "bowl"), Found{Candidates: []Candidate{bowl, faint}}, DefaultConfig(), now) {
		if r.Chosen || r.Why == "" {
			t.Errorf("%+v", r)
		}
	}
	if got := Rank(Analyse("and then?", "bowl"), Found{Candidates: []Candidate{bowl}, Distinctive: true}, DefaultConfig(), now); !got[0].Chosen {
		t.Errorf("%+v", got[0])
	}
}
