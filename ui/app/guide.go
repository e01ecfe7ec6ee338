package app

import (
	"os"
	"path/filepath"
)

// guideFile says that the first minute was shown to its end or skipped. It is empty.
const guideFile = "first-minute"

// Guided reports whether the user was guided through the first minute, or is not to be, as in
// the demo.
func (s *Session) Guided() bool {
	if s.Demo || s.StateDir == "" {
		return true
	}
	_, err := os.Stat(filepath.Join(s.StateDir, guideFile))
	return err == nil
}

// SetGuided records that the guide is not shown again.
func (s *Session) SetGuided() error {
	if s.StateDir == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(s.StateDir, guideFile), nil, 0o600)
}
