package kv

import (
	"fmt"
	"runtime/debug"
)

// guard runs fn, which touches mapped pages, and turns a panic of bbolt or a
// fault of the memory map into [ErrDamaged]. Only code of this package and of
// bbolt runs inside it; a caller's panic is never caught.
func guard(doing string, fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			err = &faultError{doing: doing, cause: r}
		}
	}()
	return fn()
}

// faultError is an [ErrDamaged] that was caught as a panic.
type faultError struct {
	doing string
	cause any
}

func (e *faultError) Error() string {
	return fmt.Sprintf("%s: %v: %v", e.doing, ErrDamaged, e.cause)
}

func (e *faultError) Unwrap() error { return ErrDamaged }
