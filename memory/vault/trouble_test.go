package vault

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"memoria/kv"
	"memoria/memory/store"
)

// The kinds of trouble, however the system words them.
func TestTroubleOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want TroubleKind
	}{
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, TroubleFull},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}, TroubleFull},
		{errors.New("file resize error: truncate x: no space left on device"), TroubleFull},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.EROFS}, TroubleReadOnly},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, TroubleReadOnly},
		{kv.ErrGone, TroubleGone},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.EIO}, TroubleFailing},
		{store.ErrNotFound, ""}, {ErrDamaged, ""}, {errors.New("no space left on device"), ""}, {nil, ""},
	} {
		if got, ok := TroubleOf(test.err); got != test.want || ok != (test.want != "") {
			t.Errorf("%v is %q", test.err, got)
		}
	}
}
