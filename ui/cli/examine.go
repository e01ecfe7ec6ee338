package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memoria/chat/model"
	"memoria/memory/learn"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/words"
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
func examineModes(d *diagnosis, s app.Setup, repair bool) {
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
			d.mended("doctor.mended.modes", files(n), map[bool]string{true: "is", false: "are"}[n == 1])
		}
		open, fault = left, errors.Join(fault, err)
	}
	switch {
	case fault != nil:
		d.add(name, stateWrong, "doctor.owner", "said", words.Sentence(oneLine(fault.Error())))
	case len(open) > 0:
		d.add(name, stateWrong, "memoria doctor --repair", "doctor.modes", files(len(open)), open[0])
	default:
		d.add(name, stateOK, "", "doctor.modes.well")
	}
}

// files is a number of files and folders.
func files(n int) words.Message {
	if n == 1 {
		return words.Later("doctor.file")
	}
	return words.Later("doctor.files", n)
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
		d.add(name, stateWrong, "memoria config show", "said", config)
	case err != nil:
		what, fix := endpointFault(err)
		d.add(name, stateWrong, fix, "doctor.endpoint", words.Sentence(what), cfg.BaseURL)
	case offline != "":
		local := p.Discover(ctx)
		do := words.Later("doctor.set-key", cfg.APIKeyEnv)
		if cfg.APIKeyEnv == "" {
			do = words.Later("doctor.set-variable")
		}
		if len(local) > 0 {
			do = words.Later("doctor.local", local[0].Name, local[0].BaseURL)
		}
		d.tell(name, stateWarn, do, words.Later("doctor.offline", words.Sentence(offline)))
	case !slices.Contains(names, cfg.Name):
		d.tell(name, stateWarn, nearModel(cfg, names), words.Later("doctor.no-model", cfg.BaseURL, cfg.Name))
	default:
		d.add(name, stateOK, "", "doctor.model", cfg.BaseURL, cfg.Name)
	}
}

// nearModel says which model was probably meant.
func nearModel(cfg model.Config, names []string) words.Message {
	if near := config.Nearest(cfg.Name, names); near != "" {
		return words.Later("doctor.nearest", near)
	}
	return words.Later("doctor.models")
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
		d.add(name, stateOK, "", "doctor.no-terminal")
	case kind == "", strings.EqualFold(kind, "dumb"):
		d.add(name, stateWarn, "doctor.other-terminal", "doctor.terminal", kind)
	case locale != "" && !strings.Contains(folded, "utf8"):
		d.add(name, stateWarn, "doctor.other-locale", "doctor.locale", locale)
	default:
		d.add(name, stateOK, "", "said", kind)
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
		d.add(name, stateWrong, "memoria config show", "said", err)
	case ctx.Err() != nil:
		d.add(name, stateWarn, "", "doctor.embedding.late", by, embeddingTime)
	case errors.As(err, &fault):
		what, fix := endpointFault(fault)
		d.add(name, stateWarn, fix, "doctor.embedding.off", words.Sentence(what))
	case err != nil:
		d.add(name, stateWarn, "doctor.embedding.key", "doctor.embedding.off", err)
	default:
		d.add(name, stateOK, "", "doctor.embedding", by, size)
	}
}

// examineLearning says if the model's answers about turns could not be used.
func examineLearning(ctx context.Context, p *Program, d *diagnosis) {
	o, ok := p.Peek(ctx, completionWait)
	if !ok {
		return // the memory's own findings say why
	}
	st, err := o.Memory.Lookup().Status(ctx, o.Setup.Agent.ID)
	if errors.Join(err, o.Close()) != nil || st.Asked.Failing < learn.MaxFailing {
		return
	}
	d.add("learning", stateWarn, "doctor.learning.do", "doctor.learning", st.Asked.Failing, waitingTurns(st.Asked))
}
