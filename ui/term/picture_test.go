package term

import (
	"bytes"
	"flag"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/ui/app/demo"
	"memoria/ui/term/picture"
	"memoria/ui/term/theme"
)

// TestPicture compares the picture in README with what the program draws of the demo.
// With -update it writes it.
func TestPicture(t *testing.T) {
	noRace(t)
	dir := filepath.Join(t.TempDir(), "data")
	must(t, demo.Fill(t.Context(), demo.Options{Dir: dir, Agent: chat.Agent{ID: "luna", Name: "luna"}, Now: noon}))
	w := newWorld(t, dir, nil)
	w.opts.Config.Theme = theme.Dark
	w.opts.Demo = true
	s := w.show(100, 30)
	s.see("● saved", "Three things to try")
	s.press(tea.KeyEscape)
	s.gone("Three things to try")
	s.tm.Send(tea.PasteMsg{Content: "Which tea do I drink after 陶艺 on Wednesdays?"})
	s.see("would recall · ", "● saved")
	s.settled()
	got := picture.SVG(s.picture(t))
	const file = "testdata/screen.svg"
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		must(t, os.WriteFile(file, got, 0o644)) //nolint:gosec // a file of the repository
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if !bytes.Equal(estimate.ReplaceAll(got, nil), estimate.ReplaceAll(want, nil)) {
		t.Errorf("%s is not what the program draws; go test ./ui/term -run TestPicture -update writes it", file)
	}
}

// estimate matches the estimated size of a message: it depends a little on ids, which are random.
var estimate = regexp.MustCompile(`~[0-9]+ tokens`)

// picture takes a picture of the screen.
func (s *screen) picture(t *testing.T) picture.Screen {
	t.Helper()
	must(t, s.tm.Quit())
	s.tm.WaitFinished(t)
	v := s.root.View()
	out := picture.Screen{
		Title: "The terminal program: the conversation on the left, what the typed message would recall on the right",
		Lines: strings.Split(v.Content, "\n"), Width: s.root.width, Dark: true,
	}
	if v.Cursor != nil {
		out.Cursor = image.Pt(v.Cursor.X, v.Cursor.Y)
	}
	return out
}
