package journal

import (
	"errors"
	"strings"
	"testing"
	"time"

	"memoria/memory/store"
)

// J1, D2: a day's file has a title made of words that it says itself, or one that the user
// gave. Otherwise the title of an earlier day would outlive the message it was made of.
func TestHeadingOfOwnWords(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	w.say(s, "Quince wine for Marta")
	w.now = w.now.Add(24 * time.Hour)
	w.say(s, "The kiln is at 1050 degrees")
	w.archive(nil)
	if first, second := w.paths()[0], w.paths()[1]; !strings.Contains(w.read(first), "# Quince wine for") || strings.Contains(w.read(second), "Quince") ||
		strings.Contains(second, "quince") {
		t.Errorf("%s:\n%s\n%s:\n%s", first, w.read(first), second, w.read(second))
	}
	w.must(w.st.Update(func(tx *store.Tx) error {
		session, err := tx.Session(luna, s)
		if err != nil {
			return err
		}
		session.Title, session.Named = "Marta's workshop", true
		return tx.PutSession(session)
	}))
	w.now = w.now.Add(24 * time.Hour)
	w.say(s, "The glaze is ready")
	w.archive(nil)
	if third := w.read(w.paths()[2]); !strings.Contains(third, "# Marta's workshop") {
		t.Errorf("the name that the user gave is not there:\n%s", third)
	}
}

// D2: an edited file of a deleted session keeps what the user wrote, but not the session's name.
func TestEditedFileWithoutSession(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	id := w.say(s, "The kiln is at 1050 degrees")
	w.must(w.st.Update(func(tx *store.Tx) error {
		session, err := tx.Session(luna, s)
		session.Title, session.Named = "Zeppelin yard", true
		return errors.Join(err, tx.PutSession(session))
	}))
	w.archive(nil)
	p := w.one()
	w.write(p, strings.Replace(w.read(p), "# Zeppelin yard\n", "# Zeppelin yard\n\nMy own remark on glazes.\n", 1))
	w.archive(nil)
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, "D1", []string{s}, nil)
		return err
	}))
	w.purge()
	w.archive(nil)
	if got := w.read(w.one()); strings.Contains(got, "Zeppelin") || strings.Contains(got, id) || !strings.Contains(got, "My own remark on glazes.") {
		t.Errorf("the file is\n%s", got)
	}
}
