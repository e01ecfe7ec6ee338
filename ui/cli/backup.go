package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"memoria/memory/transfer"
	"memoria/memory/vault"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/export"
	"memoria/ui/words"
)

// backupFile writes a backup to a file of the user, or prints the help of the group.
func backupFile(ctx context.Context, in *input) (r actions.Result, err error) {
	if len(in.args) == 0 {
		return r, in.cmd.Help()
	}
	// A bare word is more likely a wrong command than a file.
	if name := filepath.Base(in.args[0]); !strings.Contains(name, ".") && slices.Contains(in.Program.Args, name) {
		return r, wrongUsage("usage.backup", name)
	}
	file, err := filepath.Abs(in.args[0])
	if err != nil {
		return r, err
	}
	over := in.on("yes")
	if _, err := os.Stat(file); err == nil && !over {
		if err := in.agree(ctx, false, in.Say("really.over", file)); err != nil {
			return r, err
		}
		over = true
	}
	e, err := in.encryption(ctx)
	if err != nil {
		return r, err
	}
	err = in.Program.with(ctx, func(o *app.App) error {
		in.app, in.Console = o, in.Program.console(o)
		r, err = in.writeBackup(ctx, file, over, e)
		return err
	})
	return r, err
}

func (in *input) writeBackup(ctx context.Context, file string, over bool, e transfer.Encryption) (actions.Result, error) {
	var b vault.Backup
	var done, total atomic.Int64
	err := actions.Watched(func() error {
		return export.To(file, over, func(w io.Writer) error {
			sealed, err := e.Writer(w)
			if err != nil {
				return err
			}
			b, err = in.Memory.Vault().WriteBackup(ctx, sealed, func(n, of int64) {
				done.Store(n)
				total.Store(of)
			})
			return errors.Join(err, sealed.Close())
		})
	}, func() { in.remark("backup.progress", words.Bytes(done.Load()), words.Bytes(total.Load())) })
	if err != nil {
		return actions.Result{}, in.Unwritten(err)
	}
	b.Path = file
	if info, err := os.Stat(file); err == nil {
		b.Bytes = info.Size()
	}
	said := in.Say("backup.written", file, words.Bytes(b.Bytes))
	return actions.Result{Data: b, Lines: []string{said}, Notes: []string{in.Say("backup.written.restore", file)}}, nil
}

// restored is what restore --json prints.
type restored struct {
	Restored bool      `json:"restored"`
	Time     time.Time `json:"time"` // of the backup
	Items    int       `json:"memories"`
	Messages int       `json:"messages"`
	Deleted  int       `json:"deleted"` // left out, because it was deleted here since
	Kept     string    `json:"kept"`    // where the memory is that was here before
}

// restore replaces the memory by a backup, when the user agrees.
func restore(ctx context.Context, in *input) (actions.Result, error) {
	s, err := in.Setup()
	if err != nil {
		return actions.Result{}, err
	}
	r, err := in.prepareRestore(ctx, s.DataDir)
	if err != nil {
		return actions.Result{}, err
	}
	what := in.Say("gone.extent", in.lang().Count(r.Messages, "message"), in.lang().Count(r.Items, "memory"))
	if r.Deleted > 0 {
		in.remark("restore.without", r.Deleted)
	}
	if r.Partial {
		in.remark("restore.partial")
	}
	at := words.Moment(r.Time, in.Console.Now().Location())
	if err := in.ask(ctx, in.Say("really.restore", at, what), "nothing.changed"); err != nil {
		return actions.Result{}, errors.Join(err, r.Discard())
	}
	data := restored{Restored: true, Time: r.Time, Items: r.Items, Messages: r.Messages, Deleted: r.Deleted}
	if data.Kept, err = r.Apply(); err != nil {
		return actions.Result{}, err
	}
	if data.Kept == "" {
		return in.result(data, "backup.restored", at, what), nil
	}
	return in.result(data, "backup.restored.kept", at, what, data.Kept), nil
}

// prepareRestore opens the file of a backup, decrypts it and checks it.
func (in *input) prepareRestore(ctx context.Context, dir string) (r *vault.Restoration, err error) {
	f, err := os.Open(in.args[0])
	if err != nil {
		return nil, in.unread(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, in.unread(err)
	}
	if !info.Mode().IsRegular() {
		return nil, in.unread(fs.ErrInvalid)
	}
	plain, size, err := transfer.Decrypt(f, info.Size(), in.secret(ctx))
	if err == nil {
		r, err = vault.PrepareRestore(ctx, dir, plain, size, in.Console.Now)
	}
	if errors.Is(err, vault.ErrNoBackup) || errors.Is(err, vault.ErrNewer) {
		err = actions.Refusal(in.Say("restore.refused", in.args[0], err))
	}
	return r, err
}

// unread says why a file that an argument names cannot be read.
func (in *input) unread(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("reading %s: %w", in.args[0], err)
}
