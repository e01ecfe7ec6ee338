package index

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

type secretPanic string

// What a panic said is told neither in the log nor in the error.
func TestGuardKeepsWhatAPanicSaid(t *testing.T) {
	for kind, v := range map[string]any{"index.secretPanic": secretPanic("Lisbon"), "*errors.errorString": errors.New("Lisbon")} {
		var log bytes.Buffer
		err := func() (err error) {
			defer guard(slog.New(slog.NewTextHandler(&log, nil)), &err)()
			panic(v)
		}()
		if !errors.Is(err, ErrBroken) || !strings.Contains(log.String(), kind) || strings.Contains(log.String()+err.Error(), "Lisbon") {
			t.Errorf("error %v, log %s", err, log.String())
		}
	}
	var log bytes.Buffer
	err := func() (err error) {
		defer guard(slog.New(slog.NewTextHandler(&log, nil)), &err)()
		var none []int
		return fmt.Errorf("%d", none[len("Lisbon")])
	}()
	if !errors.Is(err, ErrBroken) || !strings.Contains(log.String(), "index out of range [6]") {
		t.Errorf("error %v, log %s", err, log.String())
	}
}
