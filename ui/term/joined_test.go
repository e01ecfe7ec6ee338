package term

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memoria/ui/clean"
)

// The "long family emoji are shown as written": in a terminal that says that it counts clusters
// (mode 2027). In any other the border would shift, and the parts are shown one by one.
func TestFamiliesAreWholeWhereTheTerminalCountsClusters(t *testing.T) {
	t.Cleanup(clean.Join())
	const family, parts = "👨\u200d👩\u200d👧\u200d👦", "👨👩👧👦"
	for name, report := range map[string]struct {
		msg  tea.Msg
		want string
	}{
		"clusters":    {tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset}, family},
		"code points": {tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeNotRecognized}, parts},
		"other mode":  {tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset}, parts},
		"silence":     {tea.FocusMsg{}, parts},
	} {
		end := clean.Split()
		m := still(t, 140, 40, func(o *Options) { o.joined = end })
		m.conv.session.Title = "us " + family
		m.Update(report.msg)
		if got := frame(t, m); !strings.Contains(got, "us "+report.want) {
			t.Errorf("%s:\n%s", name, got)
		}
		end()
	}
}
