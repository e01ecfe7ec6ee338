package rest

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// TokenFile is the name of the file in the data folder with the token that a request carries.
const TokenFile = "api.token"

const (
	tokenBytes = 32
	maxToken   = 1 << 10
)

// ErrToken reports a token file that cannot be trusted.
var ErrToken = errors.New("the token file cannot be used")

// Token reads the token of a data folder, and makes it if there is none. The file is
// accessible to its owner only. If other users could read it, notify says so and a new token
// takes its place.
func Token(dir string, notify func(format string, args ...any)) (string, error) {
	name := filepath.Join(dir, TokenFile)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return makeToken(name, os.Link)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: %s is not a file", ErrToken, name)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		notify("memoria: other users could read %s; it has a new token now", name)
		return makeToken(name, os.Rename)
	}
	return readToken(name)
}

func readToken(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	token := strings.TrimSpace(string(b))
	switch {
	case err != nil:
		return "", err
	case len(b) > maxToken, len(token) < tokenBytes, strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("%w: %s holds no token; delete it and a new one is made", ErrToken, name)
	}
	return token, nil
}

// makeToken writes a new token to a temporary file and puts it in its place, so that no
// program reads a part of one. If another program was first, its token is used.
func makeToken(name string, place func(from, to string) error) (string, error) {
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // never fails
	token := base64.RawURLEncoding.EncodeToString(secret)
	f, err := os.CreateTemp(filepath.Dir(name), ".api-token-*") // mode 0600
	if err != nil {
		return "", fmt.Errorf("making a token: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.WriteString(token + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = place(f.Name(), name)
	}
	if errors.Is(err, fs.ErrExist) {
		return readToken(name)
	}
	if err != nil {
		return "", fmt.Errorf("making a token: %w", err)
	}
	return token, nil
}
