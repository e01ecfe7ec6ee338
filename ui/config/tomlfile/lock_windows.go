package tomlfile

import (
	"errors"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// tryLock opens a file beside the one to be changed. No other process can open it, and
// closing deletes it. taken says that another process holds the lock.
func tryLock(folder, name string) (release func(), taken bool) {
	path, err := windows.UTF16PtrFromString(filepath.Join(folder, "."+name+".lock"))
	if err != nil {
		return func() {}, false
	}
	const flags = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_FLAG_DELETE_ON_CLOSE
	h, err := windows.CreateFile(path, windows.GENERIC_WRITE|windows.DELETE, 0, nil, windows.OPEN_ALWAYS, flags, 0)
	switch {
	case err == nil:
		return func() { _ = windows.CloseHandle(h) }, false
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION):
		return nil, true
	}
	return func() {}, false
}
