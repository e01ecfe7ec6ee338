package cli

import (
	"context"
	"errors"
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

	said, do worded // Text and Do for the user
}

// diagnosis is what doctor --json prints.
type diagnosis struct {
	OK       bool      `json:"ok"` // nothing is wrong
	Findings []finding `json:"findings"`
	Repaired []string  `json:"repaired,omitempty"` // what --repair mended
	// Erasing is the removal of what was deleted from the files; nil if there never was any.
	Erasing *vault.Erasing `json:"erasing,omitempty"`

	repaired []words.Message // Repaired for the user
}

// worded is what is put into words for its reader: a [words.Message] or [words.Sentence].
type worded interface {
	In(l words.Language) string
}

// add adds a finding in a message of the catalogue; do is the id of another one, or what to
// type. The JSON is in English.
func (d *diagnosis) add(name string, s state, do, id string, args ...any) {
	if words.Has(do) {
		d.tell(name, s, words.Later(do), words.Later(id, args...))
		return
	}
	d.tell(name, s, words.Sentence(do), words.Later(id, args...))
}

// tell adds a finding.
func (d *diagnosis) tell(name string, s state, do, said worded) {
	d.Findings = append(d.Findings, finding{
		Name: name, State: s, Text: said.In(words.English), Do: do.In(words.English), said: said, do: do,
	})
}

// mended adds what was mended, in a message of the catalogue.
func (d *diagnosis) mended(id string, args ...any) {
	m := words.Later(id, args...)
	d.repaired, d.Repaired = append(d.repaired, m), append(d.Repaired, m.In(words.English))
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
		d.tell(a.Name, as[string(a.Health)], words.Sentence(a.Hint), words.Sentence(a.Text))
	}
	d.Erasing = report.Erasing
	if valid {
		examineEndpoint(ctx, in.Program, &d, s)
		examineEmbedding(ctx, in.Program, &d, s)
		examineLearning(ctx, in.Program, &d)
	}
	examineTerminal(in.Program, &d)
	d.OK = !slices.ContainsFunc(d.Findings, func(f finding) bool { return f.State == stateWrong })
	r = d.result(in.lang())
	r.Data = d
	return r, nil
}

// result is the diagnosis in words. That something is wrong is a failure.
func (d *diagnosis) result(w words.Words) (r actions.Result) {
	count := map[state]int{}
	for _, f := range d.Findings {
		count[f.State]++
		head := words.Pad(w.Named("finding", string(f.State)), 6) + " " + words.Pad(w.Named("area", f.Name), 14)
		r.Lines = append(r.Lines, head+" "+oneLine(f.said.In(w.Language)))
		if do := f.do.In(w.Language); do != "" {
			r.Lines = append(r.Lines, strings.Repeat(" ", 22)+"→ "+oneLine(do))
		}
	}
	for _, what := range d.repaired {
		r.Lines = append(r.Lines, w.Say("doctor.mended", oneLine(what.In(w.Language))))
	}
	remarks := w.Count(count[stateWarn], "remark")
	if d.OK {
		r.Notes = []string{w.Say("doctor.well", remarks)}
	} else {
		r.Notes, r.Failed = []string{w.Say("doctor.wrong", w.Count(count[stateWrong], "thing is"), remarks)}, errTold
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
			in.say("%s%s%s", in.lang().Named("area", a.Name), in.Say("sep.colon"), in.lang().Translate(a.Text))
		}
	}
	repair, err := vault.PrepareRepair(ctx, s.DataDir, in.Console.Now)
	if errors.Is(err, vault.ErrNothingLeft) {
		in.remark("doctor.nothing-left", vault.ErrNothingLeft)
		return r, nil
	} else if err != nil {
		return r, err
	}
	saved := in.repairText(repair, in.Console.Now().Location())
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
	d.mended("doctor.mended.memory", saved, kept)
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
	what := in.Say("really.discard", in.lang().Count(len(r.Replaced), "old damaged copy"), words.Bytes(bytes))
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
		d.mended("doctor.removed", old.Path)
	}
	return vault.Check(ctx, s.DataDir)
}
