package app

import (
	"os"
	"path/filepath"
)

// guideFile says, beside the log, that the first minute was shown to its end or skipped. It is
// empty.
const guideFile = "first-minute"

// Guided reports whether the user was guided through the first minute, or is not to be: in the
// demo, and where there is no log.
func (s *Session) Guided() bool {
	if s.Demo || s.LogPath == "" {
		return true
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(s.LogPath), guideFile))
	return err == nil
}

// SetGuided records that the guide is not shown again.
func (s *Session) SetGuided() error {
	if s.LogPath == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(filepath.Dir(s.LogPath), guideFile), nil, 0o600)
}
