package owner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// placeFile is the file in the data folder that says where its owner listens.
const placeFile = "owner.json"

// maxPlace bounds placeFile, in bytes.
const maxPlace = 4 << 10

// place says where the owner of a data folder listens, and how to prove that one may read the
// folder.
type place struct {
	PID     int    `json:"pid"`
	Version string `json:"version"`
	Address string `json:"address"` // of the socket or pipe
	Nonce   []byte `json:"nonce"`
}

// readPlace returns the place of a data folder. The error is fs.ErrNotExist if there is none,
// or if others than the user could have written it.
func readPlace(dir string) (place, error) {
	f, err := os.Open(filepath.Join(dir, placeFile))
	if err != nil {
		return place{}, err
	}
	defer func() { _ = f.Close() }()
	if err := ownFile(f); err != nil {
		return place{}, errors.Join(fs.ErrNotExist, err)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxPlace))
	if err != nil {
		return place{}, err
	}
	var p place
	if err := json.Unmarshal(b, &p); err != nil || len(p.Nonce) != challengeSize || p.Address == "" {
		return place{}, fmt.Errorf("%s: %w", placeFile, errors.Join(fs.ErrNotExist, err))
	}
	return p, nil
}

// write replaces the place of a data folder. Only the holder of the store's lock calls it.
func (p place) write(dir string) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+placeFile+"-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, placeFile))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// removePlace removes the place of a data folder.
func removePlace(dir string) error { return os.Remove(filepath.Join(dir, placeFile)) }
