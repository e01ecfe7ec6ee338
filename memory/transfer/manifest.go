package transfer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Format is the value of "format" in a manifest.
const Format = "memoria-export"

// Version is the version of the format that this program writes, and the newest that it
// reads.
const Version = 1

const manifestName = "manifest.json"

// Manifest describes an archive.
type Manifest struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	ExportedAt time.Time `json:"exported_at"`
	// Program is the version of the program that wrote the archive.
	Program string  `json:"program"`
	Agents  []Agent `json:"agents"`
	Files   []File  `json:"files"`
}

// Agent is an exported agent with the numbers of what it has.
type Agent struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Counts map[string]int `json:"counts"`
}

// File is a file of an archive.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
}

// Errors of an archive that cannot be imported.
var (
	// ErrFormat says that the file is not an export of memoria.
	ErrFormat = errors.New("not an export of memoria")
	// ErrBackup says that the file is a backup of a whole memory, not an export of an agent.
	ErrBackup = errors.New("a backup of memoria, not an export")
	// ErrVersion says that a newer program wrote the export.
	ErrVersion = errors.New("a newer version of memoria wrote this export")
	// ErrDamaged says that the archive is not what was written.
	ErrDamaged = errors.New("the export is damaged")
	// ErrLarge says that the archive is larger than the limits.
	ErrLarge = errors.New("the export is larger than allowed")
)

// backupFormat is the format that package vault gives to the manifest of a backup.
const backupFormat = "memoria backup"

// sumOf returns the SHA-256 of a manifest's text, and so of all files of its archive.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (m Manifest) check() error {
	switch {
	case m.Format != Format:
		return ErrFormat
	case m.Version > Version:
		return fmt.Errorf("%w (its format is %d, known is %d)", ErrVersion, m.Version, Version)
	case m.Version < 1:
		return fmt.Errorf("%w: version %d", ErrFormat, m.Version)
	}
	seen := map[string]bool{manifestName: true}
	for _, f := range m.Files {
		if !fs.ValidPath(f.Name) || f.Name == "." || seen[f.Name] {
			return fmt.Errorf("%w: the manifest has the file %q", ErrDamaged, f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}
