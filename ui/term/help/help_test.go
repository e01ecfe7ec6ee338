package help

import (
	"fmt"
	"strings"
	"testing"

	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/theme"
)

// Every key can be read at every size.
func TestEverythingCanBeReached(t *testing.T) {
	groups := keys.Default().Groups()
	for _, size := range [][2]int{{60, 11}, {80, 20}, {140, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			m := New(groups, "The log lies in /var/log/memoria.log.")
			seen := ""
			for range 40 {
				lines := m.View(theme.Styles{}, size[0], size[1])
				if len(lines) != size[1] {
					t.Fatalf("%d lines", len(lines))
				}
				for _, l := range lines {
					if cells.Width(l) != size[0] {
						t.Fatalf("line %q", l)
					}
				}
				seen += strings.Join(lines, "\n")
				m.Page(1)
			}
			for _, g := range groups {
				for _, b := range g.Keys {
					if !strings.Contains(seen, b.Help().Key) {
						t.Errorf("%s is not told", b.Help().Key)
					}
				}
			}
			if !strings.Contains(seen, "memoria.log") {
				t.Error("the log is not told")
			}
			m.Open()
			if got := m.View(theme.Styles{}, size[0], size[1])[0]; !strings.Contains(got, "Writing") {
				t.Errorf("does not begin at the top: %q", got)
			}
		})
	}
}
