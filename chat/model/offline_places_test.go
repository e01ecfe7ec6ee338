package model

import (
	"strings"
	"testing"
)

// S13: an answer names the commands of the place where it is read, and no others.
func TestPlacesOfAnAnswer(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{"How is Ann?", "小安怎么样？"} {
		for _, brief := range []bool{false, true} {
			answer := strings.Join(offlineAnswer(Request{Asked: asked, Brief: brief, Waiting: 2}), "")
			shell, chat := strings.Contains(answer, "`memoria "), strings.Contains(answer, "`/")
			if shell != brief || chat == brief {
				t.Errorf("%q, brief %v: %s", asked, brief, answer)
			}
		}
	}
}
