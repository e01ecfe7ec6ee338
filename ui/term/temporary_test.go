package term

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
)

// U5: in a temporary chat without a model, the answer does not say that statements are kept.
func TestTemporaryOffline(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.see("Nothing is remembered yet")
	s.say("/temp")
	s.see("temporary chat: nothing is kept")
	s.say("My name is Bo.")
	s.ended(1)
	if frame := s.see("This chat is temporary: nothing of it is kept"); strings.Contains(frame, "Plain statements") {
		t.Errorf("the screen is\n%s", frame)
	}
	s.say("我喜欢喝绿茶。")
	s.see("这是临时会话：什么都不保留")
}

// U5: /temp opens a temporary chat, and the status line says what it keeps and reads;
// what is said and what is half written are in no byte below the data folder.
func TestTemporary(t *testing.T) {
	w := newWorld(t, "", modeltest.NewServer(t, modeltest.Step{Text: "I see."}, modeltest.Step{Text: "A quokka."}))
	s := w.show(80, 24)
	s.say("I like oolong tea")
	s.ended(1)
	s.say("/temp")
	s.see("temporary chat: nothing is kept; memories may be read")
	s.gone("I like oolong tea")
	s.say("my quokka is called Wobble")
	s.see("A quokka.", "my quokka is called Wobble", "temporary chat: nothing is kept; memories may be read")
	s.ended(2)
	s.gone("Remembered")
	s.tm.Type("half a zanzibar")
	s.see("half a zanzibar")
	s.press(tea.KeyEscape)
	for range len("half a zanzibar") {
		s.press(tea.KeyBackspace)
	}
	s.say("/temp")
	s.see("the temporary chat has ended", "I like oolong tea")
	s.gone("quokka")
	w.close()
	err := filepath.WalkDir(filepath.Dir(w.dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, word := range []string{"quokka", "wobble", "zanzibar"} {
			if bytes.Contains(bytes.ToLower(b), []byte(word)) {
				t.Errorf("%q is in %s", word, strings.TrimPrefix(path, w.dir))
			}
		}
		return err
	})
	must(t, err)
}
