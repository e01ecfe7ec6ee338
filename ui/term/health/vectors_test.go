package health

import (
	"strings"
	"testing"

	"memoria/ui/term/cells"
)

// R9: how many vectors there are, by which model, and how far behind.
func TestVectors(t *testing.T) {
	m := newPane(72, 40)
	r := report()
	r.Indexes = []Index{{Name: "vectors", State: Ready, Behind: 3, Count: 1214, Model: "bge-small\x1b[31m", Endpoint: "embed.example", Bytes: 1_240_000, Reason: "the model makes no vector of 2"}}
	m.Show(r)
	text := view(t, m)
	for _, want := range []string{"vectors", "3 changes behind", cells.Number(1214) + " by bge-small", "embed.example", "the model makes no vector of 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b[31m") {
		t.Error("what a server calls its model reaches the terminal as it is")
	}
}
