package kv

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"syscall"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// translate turns errors of bbolt and write errors of the system into this package's,
// so that callers need to know neither. The original stays in the chain; other errors
// pass unchanged.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return ErrClosed
	case errors.Is(err, bolterrors.ErrTxClosed):
		return ErrTxDone
	case errors.Is(err, bolterrors.ErrTxNotWritable), errors.Is(err, bolterrors.ErrDatabaseReadOnly):
		return ErrReadOnly
	case errors.Is(err, bolterrors.ErrKeyRequired):
		return fmt.Errorf("%w: empty", ErrKey)
	case errors.Is(err, bolterrors.ErrKeyTooLarge):
		return fmt.Errorf("%w: longer than %d bytes", ErrKey, bolt.MaxKeySize)
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch),
		errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrInvalidMapping),
		errors.Is(err, bolterrors.ErrIncompatibleValue):
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return Refusal(err)
}

// Refusal turns a system error about a refused write into [ErrFull] or [ErrUnwritable].
// Other errors pass unchanged.
func Refusal(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrFull), errors.Is(err, ErrUnwritable):
		return err
	case is(err, fullErrors()):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case is(err, []error{syscall.EROFS, fs.ErrPermission}):
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return err
}

func fullErrors() []error {
	full := []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}
	if runtime.GOOS == "windows" {
		full = append(full, syscall.Errno(112)) // ERROR_DISK_FULL
	}
	return full
}

// is reports whether err is one of any. When growing the file fails, bbolt keeps only
// the error's text.
func is(err error, any []error) bool {
	text := err.Error()
	grow := strings.HasPrefix(text, "file resize error: ") || strings.HasPrefix(text, "file sync error: ")
	for _, e := range any {
		if errors.Is(err, e) || grow && strings.HasSuffix(text, e.Error()) {
			return true
		}
	}
	return false
}
