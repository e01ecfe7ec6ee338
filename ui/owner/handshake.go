package owner

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// protocol is the version of the protocol. It changes when frames change their meaning.
const protocol = 1

// VersionError says that the owner is another version of the program, which cannot run the
// command.
type VersionError struct {
	PID         int // of the owner
	Owner, Mine string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("process %d has the memory open and is memoria %s, this is %s", e.PID, e.Owner, e.Mine)
}

// errProof says that the other side does not know the nonce.
var errProof = errors.New("the other side does not know the nonce of the data folder")

// hello opens a connection; the owner sends it.
type hello struct {
	Protocol  int    `json:"protocol"`
	Challenge []byte `json:"challenge"`
}

// auth is the caller's answer.
type auth struct {
	Protocol  int    `json:"protocol"`
	Version   string `json:"version"`
	Challenge []byte `json:"challenge"`
	MAC       []byte `json:"mac"`
}

// welcome is the owner's proof.
type welcome struct {
	Version string `json:"version"`
	MAC     []byte `json:"mac"`
}

// refused says why the owner does not run commands of this caller.
type refused struct {
	Version string `json:"version"`
}

// challengeSize is the number of random bytes in a challenge and in a nonce.
const challengeSize = 32

func random() []byte {
	b := make([]byte, challengeSize)
	_, _ = rand.Read(b) // never fails
	return b
}

// proof is what only a side that knows the nonce can tell of the challenges. The role keeps
// one side from sending the other's own proof back.
func proof(nonce []byte, role string, owner, caller []byte, version string) []byte {
	m := hmac.New(sha256.New, nonce)
	for _, part := range [][]byte{[]byte("memoria" + strconv.Itoa(protocol)), []byte(role), owner, caller, []byte(version)} {
		_, _ = fmt.Fprintf(m, "%d:", len(part))
		_, _ = m.Write(part)
	}
	return m.Sum(nil)
}

// admit is the owner's side. It returns an error unless the caller has proven itself and is of
// the same version.
func admit(conn io.ReadWriter, nonce []byte, version string) error {
	h := hello{Protocol: protocol, Challenge: random()}
	if err := writeJSON(conn, kindHello, h); err != nil {
		return err
	}
	var a auth
	if err := readJSON(conn, kindAuth, maxProof, &a); err != nil {
		return err
	}
	if len(a.Challenge) != challengeSize || !hmac.Equal(a.MAC, proof(nonce, "caller", h.Challenge, a.Challenge, a.Version)) {
		return errProof
	}
	if a.Version != version || a.Protocol != protocol {
		err := fmt.Errorf("a caller is memoria %s", a.Version)
		return errors.Join(err, writeJSON(conn, kindRefused, refused{Version: version}))
	}
	return writeJSON(conn, kindWelcome, welcome{Version: version, MAC: proof(nonce, "owner", h.Challenge, a.Challenge, version)})
}

// introduce is the caller's side. The error is a [*VersionError] if the owner is another
// version.
func introduce(conn io.ReadWriter, nonce []byte, version string, pid int) error {
	var h hello
	if err := readJSON(conn, kindHello, maxProof, &h); err != nil {
		return err
	}
	a := auth{Protocol: protocol, Version: version, Challenge: random()}
	a.MAC = proof(nonce, "caller", h.Challenge, a.Challenge, version)
	if err := writeJSON(conn, kindAuth, a); err != nil {
		return err
	}
	var w welcome
	f, err := readFrame(conn, maxProof)
	switch {
	case err != nil:
		return err
	case f.kind == kindRefused:
		var r refused
		if err := f.into(&r); err != nil {
			return err
		}
		return &VersionError{PID: pid, Owner: r.Version, Mine: version}
	case f.kind != kindWelcome:
		return unexpected(f)
	}
	if err := f.into(&w); err != nil {
		return err
	}
	if !hmac.Equal(w.MAC, proof(nonce, "owner", h.Challenge, a.Challenge, version)) {
		return errProof
	}
	return nil
}
