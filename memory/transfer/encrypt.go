package transfer

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
)

// Errors of an encrypted export.
var (
	// ErrEncrypted says that the export is encrypted and no secret was given.
	ErrEncrypted = errors.New("the export is encrypted")
	// ErrSecret says that the passphrase or the key does not open the export.
	ErrSecret = errors.New("this passphrase or key does not open the export")
)

// Secret returns what opens an encrypted export. It is called only for one.
type Secret func() ([]age.Identity, error)

// Passphrase returns the secret of an export that was encrypted with a passphrase.
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
		return []age.Identity{id}, nil
	}
}

// Identities returns the secret of an export that was encrypted for a recipient, from a
// file of age identities.
func Identities(file io.Reader) Secret {
	return func() ([]age.Identity, error) { return age.ParseIdentities(file) }
}

// EncryptWithPassphrase returns a writer that encrypts to w. Closing it ends the
// encryption and leaves w open.
func EncryptWithPassphrase(w io.Writer, phrase string) (io.WriteCloser, error) {
	r, err := age.NewScryptRecipient(phrase)
	if err != nil {
		return nil, err
	}
	return age.Encrypt(w, r)
}

// EncryptFor returns a writer that encrypts to w for recipients, one per line or
// separated by commas ("age1…"). Closing it ends the encryption and leaves w open.
func EncryptFor(w io.Writer, recipients string) (io.WriteCloser, error) {
	rs, err := age.ParseRecipients(strings.NewReader(strings.ReplaceAll(recipients, ",", "\n")))
	if err != nil {
		return nil, err
	}
	return age.Encrypt(w, rs...)
}

const ageHeader = "age-encryption.org/v1\n"

// decrypt returns the archive inside the file, which is the file itself if that is not
// encrypted. Nothing decrypted is written.
func decrypt(file io.ReaderAt, size int64, secret Secret) (io.ReaderAt, int64, error) {
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
