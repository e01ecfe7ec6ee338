package guard_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"memoria/memory/guard"
)

func TestDoCatchesAPanicAndKeepsItsWordsToItself(t *testing.T) {
	const secret = "I live in Lisbon"
	var index []int
	for kind, f := range map[string]func() error{
		"string":              func() error { panic(secret) },
		"*errors.errorString": func() error { panic(errors.New(secret)) },
		"index out of range":  func() error { index[len(secret)]++; return nil },
		"*fmt.wrapError":      func() error { panic(fmt.Errorf("%s: %w", secret, errors.New("x"))) },
	} {
		var log bytes.Buffer
		err := guard.Do(slog.New(slog.NewTextHandler(&log, nil)), "counting", f)
		if !errors.Is(err, guard.ErrFault) || !strings.HasPrefix(err.Error(), "counting: ") {
			t.Errorf("%s: error %v", kind, err)
		}
		if !strings.Contains(log.String(), kind) || !strings.Contains(log.String(), "guard_test.go") {
			t.Errorf("%s: the log does not say what and where: %s", kind, log.String())
		}
		if strings.Contains(log.String()+err.Error(), "Lisbon") {
			t.Errorf("%s: the words went out: %v, %s", kind, err, log.String())
		}
	}
}

func TestDoPassesErrorsOn(t *testing.T) {
	want := errors.New("full disk")
	var log bytes.Buffer
	if err := guard.Do(slog.New(slog.NewTextHandler(&log, nil)), "counting", func() error { return want }); !errors.Is(err, want) || log.Len() > 0 {
		t.Errorf("error %v, log %q", err, log.String())
	}
}
