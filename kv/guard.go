package kv

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// guard runs fn, which touches mapped pages, and turns a panic of bbolt or a fault of
// the memory map into [ErrDamaged]. Only code of this package and of bbolt runs inside
// it; it never recovers a caller's panic.
func guard(doing string, fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			err = &faultError{doing: doing, cause: faultKind(r)}
		}
	}()
	return fn()
}

// faultKind describes a panic without its value, which may hold stored text: the text
// of a runtime error, else the type.
func faultKind(v any) string {
	if e, ok := v.(runtime.Error); ok {
		return e.Error()
	}
	return fmt.Sprintf("panic of type %T", v)
}

// faultError is an [ErrDamaged] that was caught as a panic.
type faultError struct {
	doing string
	cause string
}

func (e *faultError) Error() string {
	return fmt.Sprintf("%s: %v: %s", e.doing, ErrDamaged, e.cause)
}

func (e *faultError) Unwrap() error { return ErrDamaged }
