package transfer

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
)

// Errors of encryption.
var (
	// ErrEncrypted says that the file is encrypted and no secret was given.
	ErrEncrypted = errors.New("the file is encrypted")
	// ErrSecret says that the passphrase or the identity does not open the file.
	ErrSecret = errors.New("this passphrase or identity does not open the file")
	// ErrRecipient says that a recipient is not an age public key.
	ErrRecipient = errors.New("not an age recipient")
	// ErrIdentity says that an identity file has no age identity.
	ErrIdentity = errors.New("not a file of age identities")
)

// Logarithms of scrypt's work: of files written here, and the most that reading accepts,
// which needs 1 GB of memory.
const (
	defaultWork = 18
	maxWork     = 20
)

// Encryption says how a file is encrypted in the age format: with a passphrase, or for
// recipients. The zero value leaves it plain.
type Encryption struct {
	Passphrase string
	Recipients []string // "age1…"
	work       int      // scrypt's work factor for tests; 0 means defaultWork
}

// On reports whether anything is encrypted.
func (e Encryption) On() bool { return e.Passphrase != "" || len(e.Recipients) > 0 }

// Check returns an error that wraps [ErrRecipient] if a recipient is malformed.
func (e Encryption) Check() error {
	_, err := e.recipients()
	return err
}

func (e Encryption) recipients() ([]age.Recipient, error) {
	if e.Passphrase != "" {
		r, err := age.NewScryptRecipient(e.Passphrase)
		if err != nil {
			return nil, err
		}
		r.SetWorkFactor(defaultWork)
		if e.work > 0 {
			r.SetWorkFactor(e.work)
		}
		return []age.Recipient{r}, nil
	}
	var out []age.Recipient
	for _, text := range e.Recipients {
		r, err := age.ParseX25519Recipient(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("%w: %q", ErrRecipient, text)
		}
		out = append(out, r)
	}
	return out, nil
}

// Writer returns a writer that encrypts to w. Closing it ends the encryption and leaves w
// open.
func (e Encryption) Writer(w io.Writer) (io.WriteCloser, error) {
	if !e.On() {
		return plainWriter{w}, nil
	}
	rs, err := e.recipients()
	if err != nil {
		return nil, err
	}
	return age.Encrypt(w, rs...)
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// Secret returns what opens an encrypted file. It is called only for one.
type Secret func() ([]age.Identity, error)

// Passphrase returns the secret of a file that was encrypted with a passphrase.
func Passphrase(ask func() (string, error)) Secret {
	return func() ([]age.Identity, error) {
		phrase, err := ask()
		if err != nil {
			return nil, err
		}
		id, err := age.NewScryptIdentity(phrase)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSecret, err)
		}
		id.SetMaxWorkFactor(maxWork)
		return []age.Identity{id}, nil
	}
}

// Identities returns the secret of a file that was encrypted for a recipient, from the
// text of an age identity file.
func Identities(text string) Secret {
	return func() ([]age.Identity, error) {
		ids, err := age.ParseIdentities(strings.NewReader(text))
		if err != nil {
			return nil, ErrIdentity // its own text may quote the identity
		}
		return ids, nil
	}
}

const ageHeader = "age-encryption.org/v1\n"

// Decrypt returns the plain contents of a file and their size. A file that is not encrypted
// is returned as it is, without asking for the secret. Decrypted bytes are only held in
// memory, a piece at a time. Errors wrap [ErrEncrypted], [ErrSecret] or [ErrDamaged].
func Decrypt(file io.ReaderAt, size int64, secret Secret) (io.ReaderAt, int64, error) {
	start := make([]byte, len(ageHeader))
	if _, err := file.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	if string(start) != ageHeader {
		return file, size, nil
	}
	if secret == nil {
		return nil, 0, ErrEncrypted
	}
	ids, err := secret()
	if err != nil {
		return nil, 0, err
	}
	plain, plainSize, err := age.DecryptReaderAt(file, size, ids...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, 0, ErrSecret
	case err != nil:
		return nil, 0, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return plain, plainSize, nil
}
