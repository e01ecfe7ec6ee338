package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory/vault"
	"memoria/ui/app"
	"memoria/ui/config"
)

// state is how something is.
type state string

// The states of what doctor looks at.
const (
	stateOK    state = "ok"
	stateWarn  state = "warn"  // works, and the user should know something
	stateWrong state = "wrong" // does not work, or not as it should
)

// finding is one line of doctor.
type finding struct {
	Name  string `json:"name"`
	State state  `json:"state"`
	Text  string `json:"text"`
	Do    string `json:"do,omitempty"` // what to do about it
}

// diagnosis is what doctor --json prints.
type diagnosis struct {
	OK       bool      `json:"ok"` // nothing is wrong
	Findings []finding `json:"findings"`
	Repaired []string  `json:"repaired,omitempty"` // what --repair mended
}

func (d *diagnosis) add(name string, s state, do, format string, args ...any) {
	d.Findings = append(d.Findings, finding{Name: name, State: s, Text: fmt.Sprintf(format, args...), Do: do})
}

// doctoring is what the flags say.
type doctoring struct{ repair, discard, yes, json bool }

func doctorCommand(p *Program) *cobra.Command {
	var f doctoring
	c := &cobra.Command{
		Use: "doctor", Short: "Look for what is wrong, and say what to do about it", Args: cobra.NoArgs,
		Long: `Look at the configuration, the folders and who may read them, the memory's file, the
indexes, the backups, the model's endpoint and the terminal, and say what to do
about what is wrong. The exit code is 1 when something is.

--repair mends what can be mended: modes of files, and a damaged memory. Of that
everything readable is kept, record by record; what is missing comes from the newest
good backup; it says first what it can save, and asks. The damaged file is moved
aside, not deleted. Once all is well, a later --repair offers to remove what was
moved aside, with --discard also without asking: nothing that you delete is deleted
there.`,
		Example: `  memoria doctor
  memoria doctor --repair`,
		RunE: func(c *cobra.Command, _ []string) error {
			if (f.yes || f.discard) && !f.repair {
				return wrongUsage("--yes and --discard belong to --repair")
			}
			return doctor(c.Context(), p, f)
		},
	}
	c.Flags().BoolVar(&f.repair, "repair", false, "mend what can be mended")
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "mend without asking")
	c.Flags().BoolVar(&f.discard, "discard", false, "remove old damaged copies without asking, once all is well")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func doctor(ctx context.Context, p *Program, f doctoring) error {
	d := diagnosis{Findings: []finding{}}
	s, valid := examineConfig(p, &d)
	examineModes(p, &d, s, f.repair)
	report, err := vault.Check(ctx, s.DataDir)
	if err != nil {
		return err
	}
	switch {
	case f.repair && report.Repair:
		report, err = mend(ctx, p, &d, s, report, f)
	case f.repair && report.OK() && len(report.Replaced) > 0:
		report, err = removeReplaced(ctx, p, &d, s, report, f)
	}
	if err != nil {
		return err
	}
	addReport(&d, report)
	if valid {
		examineEndpoint(ctx, p, &d, s)
		examineEmbedding(ctx, p, &d, s)
	}
	examineTerminal(p, &d)
	d.OK = !slices.ContainsFunc(d.Findings, func(f finding) bool { return f.State == stateWrong })
	if f.json {
		if err := p.printJSON(d); err != nil {
			return err
		}
	} else {
		printDiagnosis(p, d)
	}
	if !d.OK {
		return errTold
	}
	return nil
}

func printDiagnosis(p *Program, d diagnosis) {
	for _, f := range d.Findings {
		p.print(fmt.Sprintf("%-6s %-14s %s\n", f.State, f.Name, oneLine(f.Text)))
		if f.Do != "" {
			p.print(strings.Repeat(" ", 22) + "→ " + oneLine(f.Do) + "\n")
		}
	}
	for _, what := range d.Repaired {
		p.print("mended " + oneLine(what) + "\n")
	}
	count := map[state]int{}
	for _, f := range d.Findings {
		count[f.State]++
	}
	if d.OK {
		p.say("nothing is wrong; %s", many(count[stateWarn], "remark", "remarks"))
	} else {
		p.say("%s wrong; %s", many(count[stateWrong], "thing is", "things are"), many(count[stateWarn], "remark", "remarks"))
	}
}

// examineConfig looks at the configuration. The settings that it returns name
// the folders also when valid is false.
func examineConfig(p *Program, d *diagnosis) (s app.Setup, valid bool) {
	const name = "configuration"
	out := checkConfig(p)
	for _, f := range out.Faults {
		d.add(name, stateWrong, "Mend it there; config.example.toml explains every setting.", "%s",
			(&config.Error{File: f.File, Line: f.Line, Key: f.Setting, Text: f.Text}).Error())
	}
	if out.OK {
		s, _ = p.Setup()
		if out.Exists {
			d.add(name, stateOK, "", "%s", out.Path)
		} else {
			d.add(name, stateOK, "", "%s is not there; the defaults hold", out.Path)
		}
		return s, true
	}
	paths := p.Paths()
	s.Path, s.DataDir, s.LogPath, s.Config = paths.Config, paths.Data, paths.Log, config.Default()
	return s, false
}

// addReport takes over what the memory's own check found.
func addReport(d *diagnosis, r vault.Report) {
	as := map[string]state{"good": stateOK, "note": stateWarn, "bad": stateWrong}
	for _, a := range r.Areas {
		d.add(a.Name, as[string(a.Health)], a.Hint, "%s", a.Text)
	}
}

// mend makes a memory that is damaged whole again, record by record, when the user agrees
// to what can be saved, and looks again (K1).
func mend(ctx context.Context, p *Program, d *diagnosis, s app.Setup, r vault.Report, f doctoring) (vault.Report, error) {
	for _, a := range r.Areas {
		if string(a.Health) == "bad" {
			p.say("%s: %s", a.Name, a.Text)
		}
	}
	repair, err := vault.PrepareRepair(ctx, s.DataDir, p.Now)
	if errors.Is(err, vault.ErrNothingLeft) {
		p.say("nothing was changed: %v", vault.ErrNothingLeft)
		return r, nil
	} else if err != nil {
		return r, err
	}
	saved := repairText(p, repair)
	p.say("%s", saved)
	if err := p.agree(ctx, f.yes, "put that in the place of the damaged file, which is kept"); err != nil {
		err = errors.Join(err, repair.Discard())
		if errors.Is(err, errTold) {
			p.say("nothing was changed")
			return r, nil
		}
		return r, err
	}
	kept, err := repair.Apply()
	if err != nil {
		return r, err
	}
	d.Repaired = append(d.Repaired, "the memory: "+saved+"; what was there before is in "+kept)
	return vault.Check(ctx, s.DataDir)
}

// removeReplaced removes what earlier restores have set aside, when the user
// agrees and the memory that took its place is well.
func removeReplaced(ctx context.Context, p *Program, d *diagnosis, s app.Setup, r vault.Report, f doctoring) (vault.Report, error) {
	if !f.discard && (f.yes || !isTerminal(p.Stdin)) {
		return r, nil // it is listed; nothing is wrong with it
	}
	var bytes int64
	for _, old := range r.Replaced {
		bytes += old.Bytes
	}
	what := fmt.Sprintf("remove %s (%s) that a restore set aside; what only they hold is lost",
		many(len(r.Replaced), "old damaged copy", "old damaged copies"), size(bytes))
	if err := p.agree(ctx, f.discard, what); errors.Is(err, errTold) {
		p.say("nothing was removed")
		return r, nil
	} else if err != nil {
		return r, err
	}
	for _, old := range r.Replaced {
		if err := old.Remove(); err != nil {
			return r, err
		}
		d.Repaired = append(d.Repaired, "removed what was set aside in "+old.Path)
	}
	return vault.Check(ctx, s.DataDir)
}
