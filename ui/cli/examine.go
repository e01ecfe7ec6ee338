package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memoria/ui/app"

	"memoria/chat/model"
	"memoria/ui/config"
)

// modesMatter says whether files have modes here: on Windows they do not.
const modesMatter = filepath.Separator == '/'

// The modes of what belongs to the user alone (D4).
const (
	ownFolder fs.FileMode = 0o700
	ownFile   fs.FileMode = 0o600
)

// The rights of others: any at all, and that to write.
const (
	anyRight   fs.FileMode = 0o077
	writeRight fs.FileMode = 0o022
)

// examineModes looks for files that others may read, and for a configuration
// that others may change, and mends them.
func examineModes(p *Program, d *diagnosis, s app.Setup, repair bool) {
	if !modesMatter {
		return
	}
	const name = "permissions"
	var open []string
	var fault error
	for root, right := range map[string]fs.FileMode{s.DataDir: anyRight, filepath.Dir(s.LogPath): anyRight, s.Path: writeRight} {
		found, err := openToOthers(root, right)
		open, fault = append(open, found...), errors.Join(fault, err)
	}
	slices.Sort(open)
	if repair && len(open) > 0 {
		left, err := closeToOthers(open)
		if n := len(open) - len(left); n > 0 {
			d.Repaired = append(d.Repaired, fmt.Sprintf("permissions: %s now the owner's alone", many(n, "file or folder is", "files and folders are")))
		}
		open, fault = left, errors.Join(fault, err)
	}
	switch {
	case fault != nil:
		d.add(name, stateWrong, "Check the owner of the folder.", "%s", oneLine(fault.Error()))
	case len(open) > 0:
		d.add(name, stateWrong, "memoria doctor --repair", "others can get at %s, such as %s",
			many(len(open), "file or folder", "files and folders"), open[0])
	default:
		d.add(name, stateOK, "", "what is remembered is readable by its owner alone")
	}
}

// openToOthers lists where others have a right, at root and below; nothing where
// there is no root. Links below are not followed.
func openToOthers(root string, right fs.FileMode) (out []string, err error) {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone meanwhile, or never there
		}
		if err != nil {
			return err
		}
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&right != 0:
			out = append(out, path)
		}
		return nil
	})
	return out, err
}

// closeToOthers gives files and folders to their owner alone and returns those
// where that failed.
func closeToOthers(paths []string) (left []string, err error) {
	for _, path := range paths {
		mode := ownFile
		info, lerr := os.Lstat(path)
		if lerr == nil && info.IsDir() {
			mode = ownFolder
		}
		if lerr == nil {
			lerr = os.Chmod(path, mode)
		}
		if lerr != nil && !errors.Is(lerr, fs.ErrNotExist) {
			left, err = append(left, path), errors.Join(err, lerr)
		}
	}
	return left, err
}

// examineEndpoint asks the model's server whether it is there, and whether it
// has the model.
func examineEndpoint(ctx context.Context, p *Program, d *diagnosis, s app.Setup) {
	const name = "endpoint"
	cfg := s.Config.Model
	names, offline, err := p.Offered(ctx, s)
	var config *config.Error
	switch {
	case errors.As(err, &config):
		d.add(name, stateWrong, "memoria config show", "%s", config.Error())
	case err != nil:
		what, fix := endpointFault(err)
		d.add(name, stateWrong, fix, "%s (%s)", what, cfg.BaseURL)
	case offline != "":
		local := p.Discover(ctx)
		do := "Set " + cfg.APIKeyEnv + ", or base_url to a server of your own."
		if cfg.APIKeyEnv == "" {
			do = "Set base_url to a server of your own, or api_key_env to the variable with your key."
		}
		if len(local) > 0 {
			do = fmt.Sprintf("%s runs on this computer; to use it: MEMORIA_MODEL_BASE_URL=%s", local[0].Name, local[0].BaseURL)
		}
		d.add(name, stateWarn, do, "%s; answers come from memory alone", offline)
	case !slices.Contains(names, cfg.Name):
		d.add(name, stateWarn, nearModel(cfg, names), "%s is there, but does not list the model %s", cfg.BaseURL, cfg.Name)
	default:
		d.add(name, stateOK, "", "%s has the model %s", cfg.BaseURL, cfg.Name)
	}
}

// nearModel says which model was probably meant.
func nearModel(cfg model.Config, names []string) string {
	do := "'memoria models' lists what it has."
	if near := config.Nearest(cfg.Name, names); near != "" {
		do = "Did you mean " + near + "? " + do
	}
	return do
}

// examineTerminal says what the terminal program would find.
func examineTerminal(p *Program, d *diagnosis) {
	const name = "terminal"
	kind := config.Lookup(p.Env, "TERM")
	locale := ""
	for _, v := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set counts
		if locale == "" {
			locale = config.Lookup(p.Env, v)
		}
	}
	folded := strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	switch {
	case !isTerminal(p.Stdin) || !isTerminal(p.Stdout):
		d.add(name, stateOK, "", "not looked at: input or output is not a terminal")
	case kind == "", strings.EqualFold(kind, "dumb"):
		d.add(name, stateWarn, "Use another terminal, or: memoria --screen-reader", "TERM is %q: the terminal program cannot run here", kind)
	case locale != "" && !strings.Contains(folded, "utf8"):
		d.add(name, stateWarn, "Choose a locale that ends in UTF-8.", "the locale %s is not UTF-8: Chinese may not be shown", locale)
	default:
		d.add(name, stateOK, "", "%s", kind)
	}
}

// embeddingTime is how long doctor waits for a vector.
const embeddingTime = 10 * time.Second

// examineEmbedding asks the embedding model for the vector of one word.
func examineEmbedding(ctx context.Context, p *Program, d *diagnosis, s app.Setup) {
	const name = "embeddings"
	if !s.Config.Embedding.On() {
		return
	}
	ctx, stop := context.WithTimeout(ctx, embeddingTime)
	defer stop()
	by, size, err := p.Embedded(ctx, s)
	var fault *model.Error
	var faulty *config.Error
	switch {
	case errors.As(err, &faulty):
		d.add(name, stateWrong, "memoria config show", "%s", err)
	case ctx.Err() != nil:
		d.add(name, stateWarn, "", "%s did not answer within %s; memories are found by their words alone", by, embeddingTime)
	case errors.As(err, &fault):
		what, fix := endpointFault(fault)
		d.add(name, stateWarn, fix, "%s; memories are found by their words alone", what)
	case err != nil:
		d.add(name, stateWarn, "Set the key, or embedding.base_url to a server of your own.", "%s; memories are found by their words alone", err)
	default:
		d.add(name, stateOK, "", "%s makes vectors of %d numbers", by, size)
	}
}
