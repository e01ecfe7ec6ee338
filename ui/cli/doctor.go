package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory/vault"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/words"
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
	// Erasing is the removal of what was deleted from the files; nil if there never was any.
	Erasing *vault.Erasing `json:"erasing,omitempty"`
}

// add adds a finding in a message of the catalogue; do is another one, or what to type.
func (d *diagnosis) add(name string, s state, do, id string, args ...any) {
	d.Findings = append(d.Findings, finding{Name: name, State: s, Text: words.Say(id, args...), Do: words.Say(do)})
}

func checkDoctor(_ context.Context, in *input) error {
	if in.given("yes", "discard") && !in.on("repair") {
		return wrongUsage("usage.repair")
	}
	return nil
}

func doctor(ctx context.Context, in *input) (r actions.Result, err error) {
	d := diagnosis{Findings: []finding{}}
	s, valid := examineConfig(in.Program, &d)
	examineModes(&d, s, in.on("repair"))
	report, err := vault.Check(ctx, s.DataDir)
	if err != nil {
		return r, err
	}
	switch {
	case in.on("repair") && report.Repair:
		report, err = in.mend(ctx, &d, s, report)
	case in.on("repair") && report.OK() && len(report.Replaced) > 0:
		report, err = in.removeReplaced(ctx, &d, s, report)
	}
	if err != nil {
		return r, err
	}
	as := map[string]state{"good": stateOK, "note": stateWarn, "bad": stateWrong}
	for _, a := range report.Areas {
		d.add(a.Name, as[string(a.Health)], a.Hint, "said", a.Text)
	}
	d.Erasing = report.Erasing
	if valid {
		examineEndpoint(ctx, in.Program, &d, s)
		examineEmbedding(ctx, in.Program, &d, s)
		examineLearning(ctx, in.Program, &d)
	}
	examineTerminal(in.Program, &d)
	d.OK = !slices.ContainsFunc(d.Findings, func(f finding) bool { return f.State == stateWrong })
	r = d.result()
	r.Data = d
	return r, nil
}

// result is the diagnosis in words. That something is wrong is a failure.
func (d *diagnosis) result() (r actions.Result) {
	count := map[state]int{}
	for _, f := range d.Findings {
		count[f.State]++
		r.Lines = append(r.Lines, fmt.Sprintf("%-6s %-14s %s", f.State, f.Name, oneLine(f.Text)))
		if f.Do != "" {
			r.Lines = append(r.Lines, strings.Repeat(" ", 22)+"→ "+oneLine(f.Do))
		}
	}
	for _, what := range d.Repaired {
		r.Lines = append(r.Lines, words.Say("doctor.mended", oneLine(what)))
	}
	remarks := words.Count(count[stateWarn], "remark")
	if d.OK {
		r.Notes = []string{words.Say("doctor.well", remarks)}
	} else {
		r.Notes, r.Failed = []string{words.Say("doctor.wrong", words.Count(count[stateWrong], "thing is"), remarks)}, errTold
	}
	return r
}

// examineConfig looks at the configuration. The settings that it returns name
// the folders also when valid is false.
func examineConfig(p *Program, d *diagnosis) (s app.Setup, valid bool) {
	const name = "configuration"
	out := checkConfig(p)
	for _, f := range out.Faults {
		d.add(name, stateWrong, "doctor.mend-config", "said", f.told())
	}
	if out.OK {
		s, _ = p.Setup()
		said := "said"
		if !out.Exists {
			said = "config.defaults"
		}
		d.add(name, stateOK, "", said, out.Path)
		return s, true
	}
	paths := p.Paths()
	s.Path, s.DataDir, s.LogPath, s.Config = paths.Config, paths.Data, paths.Log, config.Default()
	return s, false
}

// mend makes a memory that is damaged whole again, record by record, when the user agrees
// to what can be saved, and looks again (K1).
func (in *input) mend(ctx context.Context, d *diagnosis, s app.Setup, r vault.Report) (vault.Report, error) {
	for _, a := range r.Areas {
		if string(a.Health) == "bad" {
			in.say("%s: %s", a.Name, a.Text)
		}
	}
	repair, err := vault.PrepareRepair(ctx, s.DataDir, in.Console.Now)
	if errors.Is(err, vault.ErrNothingLeft) {
		in.remark("doctor.nothing-left", vault.ErrNothingLeft)
		return r, nil
	} else if err != nil {
		return r, err
	}
	saved := repairText(repair, in.Console.Now().Location())
	in.say("%s", saved)
	if err := in.ask(ctx, in.Say("really.mend"), "nothing.changed"); err != nil {
		if err = errors.Join(err, repair.Discard()); errors.Is(err, errTold) {
			err = nil
		}
		return r, err
	}
	kept, err := repair.Apply()
	if err != nil {
		return r, err
	}
	d.Repaired = append(d.Repaired, in.Say("doctor.mended.memory", saved, kept))
	return vault.Check(ctx, s.DataDir)
}

// removeReplaced removes what earlier restores have set aside, when the user
// agrees and the memory that took its place is well.
func (in *input) removeReplaced(ctx context.Context, d *diagnosis, s app.Setup, r vault.Report) (vault.Report, error) {
	discard := in.on("discard")
	if !discard && (in.on("yes") || !isTerminal(in.Stdin)) {
		return r, nil // it is listed; nothing is wrong with it
	}
	var bytes int64
	for _, old := range r.Replaced {
		bytes += old.Bytes
	}
	what := in.Say("really.discard", words.Count(len(r.Replaced), "old damaged copy"), words.Bytes(bytes))
	if err := in.agree(ctx, discard, what); errors.Is(err, errTold) {
		in.remark("nothing.removed")
		return r, nil
	} else if err != nil {
		return r, err
	}
	for _, old := range r.Replaced {
		if err := old.Remove(); err != nil {
			return r, err
		}
		d.Repaired = append(d.Repaired, in.Say("doctor.removed", old.Path))
	}
	return vault.Check(ctx, s.DataDir)
}
