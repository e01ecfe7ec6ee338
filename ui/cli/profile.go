package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"memoria/memory/manager/profiles"
	"memoria/memory/profile"
	"memoria/ui/actions"
	"memoria/ui/editor"
)

func profileShow(ctx context.Context, in *input) (actions.Result, error) {
	return actions.ShowProfile(ctx, in.Console, in.count("version"))
}

func checkProfileEdit(_ context.Context, in *input) error {
	if editor.Named(in.Env) == "" {
		return wrongUsage("usage.editor")
	}
	return nil
}

func profileEdit(ctx context.Context, in *input) (actions.Result, error) {
	now, err := in.Memory.Profiles().Profile(ctx, in.Agent.ID)
	if err != nil {
		return actions.Result{}, err
	}
	text, err := in.edited(ctx, in.ProfilePage(now))
	if err != nil {
		return actions.Result{}, err
	}
	return actions.SetProfile(ctx, in.Console, now.Version, text)
}

// edited lets the user's editor change a text.
func (in *input) edited(ctx context.Context, text string) (_ string, err error) {
	if in.Dir != "" && isTerminal(in.Stdin) {
		return "", wrongUsage("owner.no-editor")
	}
	t, err := editor.Begin(in.Memory.Vault().Dir(), text)
	if err != nil {
		return "", err
	}
	defer func() { _ = t.Close() }()
	command := editor.Named(in.Env)
	c := t.Command(ctx, command)
	c.Stdin, c.Stdout, c.Stderr, c.Env = in.Stdin, in.Stdout, in.Stderr, in.Env
	c.Dir = in.Dir
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w; nothing was changed", command, err)
	}
	return t.Read()
}

func readProfile(ctx context.Context, in *input) error {
	if in.text("file") == "" {
		return wrongUsage("usage.file")
	}
	return in.readFile(ctx, "file")
}

func profileSet(ctx context.Context, in *input) (actions.Result, error) {
	return actions.SetProfile(ctx, in.Console, 0, in.read)
}

// readFile reads the file that a flag names, or standard input when that is "-".
func (in *input) readFile(ctx context.Context, flag string) error {
	name := in.text(flag)
	b, err := interruptible(ctx, func() ([]byte, error) {
		if name == stdinName {
			return io.ReadAll(io.LimitReader(in.Stdin, maxStdin+1))
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		return io.ReadAll(io.LimitReader(f, maxStdin+1))
	})
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	if len(b) > maxStdin {
		return wrongUsage("usage.long", name, maxStdin>>20)
	}
	in.read = string(b)
	return nil
}

func profileHistory(ctx context.Context, in *input) (actions.Result, error) {
	return actions.ProfileHistory(ctx, in.Console, in.count("limit"), in.count("offset"))
}

// readVersions reads the numbers of versions that the arguments are.
func readVersions(_ context.Context, in *input) error {
	for _, s := range in.args {
		n, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
		if err != nil || n < 1 {
			return wrongUsage("usage.version", s)
		}
		in.versions = append(in.versions, n)
	}
	return nil
}

func profileDiff(ctx context.Context, in *input) (actions.Result, error) {
	if len(in.versions) == 0 {
		h, err := in.Memory.Profiles().ProfileHistory(ctx, in.Agent.ID, 1, 0)
		if err != nil || len(h.Versions) == 0 {
			return actions.ProfileDiff(in.Console, []profile.Difference{}), err
		}
		return actions.ProfileDiff(in.Console, h.Versions[0].Diff), nil
	}
	before, err := in.Memory.Profiles().ProfileVersion(ctx, in.Agent.ID, in.versions[0])
	if err != nil {
		return actions.Result{}, err
	}
	after, err := in.Memory.Profiles().Profile(ctx, in.Agent.ID)
	if err == nil && len(in.versions) == 2 {
		after, err = in.Memory.Profiles().ProfileVersion(ctx, in.Agent.ID, in.versions[1])
	}
	return actions.ProfileDiff(in.Console, profile.Diff(before.Profile, after.Profile)), err
}

func profileUndo(ctx context.Context, in *input) (actions.Result, error) {
	r, err := actions.UndoProfile(ctx, in.Console, append(in.versions, 0)[0])
	if v, ok := r.Data.(profiles.Change); ok {
		r.Notes = []string{in.Say("profile.redo", v.Version)}
	}
	return r, err
}

// profileCleared is what profile clear --json prints.
type profileCleared struct {
	Versions int `json:"versions"`
}

func profileClear(ctx context.Context, in *input) (actions.Result, error) {
	what := "really.profile"
	if in.on("history") {
		what = "really.profile.history"
	}
	if err := in.confirm(ctx, what); err != nil {
		return actions.Result{}, err
	}
	d, err := in.Memory.Profiles().DeleteProfile(ctx, in.Agent.ID, in.on("history"))
	if err == nil {
		err = in.finishDeletion(ctx)
	}
	return in.result(profileCleared{Versions: d.Profiles}, "profile.deleted", in.lang().Count(d.Profiles, "version")), err
}
