package recall

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// R3, R8: what the meaning adds to a score is shown beside what the words add, and
// only where there is something; what was left out on purpose is said.
func TestMeaning(t *testing.T) {
	r := result()
	m := filled(64, 24)
	m.SetTyping(true)
	m.SetPreview(r)
	if v := view(t, m); strings.Contains(v, "meaning") {
		t.Errorf("without embeddings:\n%s", v)
	}
	r.Chosen[1].Contribution.KeywordScore, r.Chosen[1].Contribution.VectorScore = 0, .17
	r.Note = "by words alone: what you type goes to embed.example only when you send it"
	m.SetPreview(r)
	golden.RequireEqual(t, []byte(view(t, m)))
}
