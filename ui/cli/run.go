package cli

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memoria/index/text"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

// input is a command as it was called: its arguments, its flags, and the open memory.
type input struct {
	*Program
	*actions.Console          // without a memory for a bare command
	app              *app.App // nil for a bare command
	args             []string
	flags            *pflag.FlagSet
	cmd              *cobra.Command

	from, to time.Time // --since and --until; to does not belong to it
	read     string    // the file that a flag names
	versions []int
}

// runs lets a command check its flags, open the memory, do its work and print the result.
func (p *Program) runs(c *cobra.Command, does command) {
	c.RunE = func(c *cobra.Command, args []string) error {
		ctx := c.Context()
		p.alone = does.alone
		in := &input{Program: p, Console: p.console(nil), args: args, flags: c.Flags(), cmd: c}
		if !does.bare || does.opens { // before standard input is read
			if err := p.elsewhere(ctx, false); err != nil {
				return err
			}
		}
		in.locate()
		if err := in.check(ctx, does); err != nil {
			return err
		}
		if does.lasts && p.Lasts != nil {
			p.Lasts()
		}
		do := func(o *app.App) error {
			if o != nil {
				in.app, in.Console = o, p.console(o)
			}
			if o != nil {
				ctx = o.Scoped(ctx)
			}
			r, err := does.do(ctx, in)
			if err != nil {
				return err
			}
			return cmp.Or(p.show(r, in.flags.Lookup("json") != nil && in.on("json")), r.Failed)
		}
		if does.bare {
			return do(nil)
		}
		return p.with(ctx, do)
	}
}

// locate makes the files that the user named relative to the folder of the user's process.
func (in *input) locate() {
	if in.Dir == "" {
		return
	}
	at := func(name string) string {
		if name == stdinName {
			return name
		}
		return in.Path(name)
	}
	in.flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && strings.Contains(f.Usage, "`FILE`") && f.Value.Type() == "string" {
			_ = f.Value.Set(at(f.Value.String()))
		}
	})
	if in.cmd.Parent().Name() == "journal" { // a file of the journal
		return
	}
	for i, name := range strings.Fields(in.cmd.Use)[1:] {
		if i < len(in.args) && strings.Trim(name, "[]") == "FILE" {
			in.args[i] = at(in.args[i])
		}
	}
}

// check refuses flags and arguments that do not fit.
func (in *input) check(ctx context.Context, does command) (err error) {
	if flag := in.cmd.Annotations[wordsOf]; flag != "" && len(in.args) > 0 {
		err = in.flags.Set(flag, strings.TrimSpace(in.words()+" "+in.text(flag)))
	}
	in.flags.Visit(func(f *pflag.Flag) { err = cmp.Or(err, checkFlag(f)) })
	if err == nil {
		err = in.readTimes()
	}
	if err == nil && does.check != nil {
		err = does.check(ctx, in)
	}
	return err
}

// readTimes understands --since and --until.
func (in *input) readTimes() error {
	now := in.Program.Now().Local()
	for name, bound := range map[string]*time.Time{"since": &in.from, "until": &in.to} {
		if !in.given(name) {
			continue
		}
		value := in.text(name)
		rest, from, to, ok := text.Dates(value, now, time.Local)
		if !ok { // "march" alone: here nothing but a time can be meant
			rest, from, to, ok = text.Dates("in "+value, now, time.Local)
		}
		if *bound = from; name == "until" {
			*bound = to
		}
		if !ok || rest != "" || bound.IsZero() {
			return wrongUsage("usage.time", name, value)
		}
	}
	if !in.from.IsZero() && !in.to.IsZero() && !in.from.Before(in.to) {
		return wrongUsage("usage.times", in.text("since"), in.text("until"))
	}
	return nil
}

// timed reports whether a time was given.
func (in *input) timed() bool { return !in.from.IsZero() || !in.to.IsZero() }

// given reports whether one of these flags was given.
func (in *input) given(flags ...string) bool {
	for _, f := range flags {
		if in.flags.Changed(f) {
			return true
		}
	}
	return false
}

func (in *input) text(flag string) string    { return value(in.flags.GetString(flag)) }
func (in *input) list(flag string) []string  { return value(in.flags.GetStringSlice(flag)) }
func (in *input) number(flag string) float64 { return value(in.flags.GetFloat64(flag)) }
func (in *input) count(flag string) int      { return value(in.flags.GetInt(flag)) }
func (in *input) on(flag string) bool        { return value(in.flags.GetBool(flag)) }

// value is what a flag says; a flag that commands.txt does not declare is a mistake of ours.
func value[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// words are the arguments as one text.
func (in *input) words() string { return strings.Join(in.args, " ") }

// first is the first argument, or none when there is no argument.
func (in *input) first(none string) string { return append(in.args, none)[0] }

// console runs actions for a command.
func (p *Program) console(o *app.App) *actions.Console {
	c := &actions.Console{
		Session: &app.Session{Now: p.Now, Words: p.Words}, Mode: actions.Shell, Aside: func(text string) { p.say("%s", text) },
	}
	if o != nil {
		c.Memory, c.Agent, c.Speaker, c.Prices = o.Memory, o.Agent, o.Speaker, o.Config.Model
	}
	return c
}

// show prints what an action did: the answer to stdout, remarks to stderr.
func (p *Program) show(r actions.Result, asJSON bool) error {
	if each, ok := r.Data.(actions.Each); ok && asJSON {
		for _, v := range each {
			if err := p.printJSON(v); err != nil {
				return err
			}
		}
		return nil
	}
	if asJSON {
		return p.printJSON(r.Data)
	}
	if r.ID != "" {
		p.print(r.ID + "\n")
	}
	if r.Title != "" {
		p.print(r.Title + "\n\n")
	}
	for _, f := range r.Fields {
		p.print(words.Pad(f.Name, 12) + " " + f.Said + "\n")
	}
	if len(r.Fields) > 0 && len(r.Lines) > 0 {
		p.print("\n")
	}
	for _, l := range r.Lines {
		p.print(strings.TrimRight(l, "\n") + "\n")
	}
	if r.List != nil {
		for _, row := range r.List.Rows {
			p.print(row.Columns + "\n")
		}
	}
	for _, l := range r.Notes {
		p.say("%s", l)
	}
	if l := r.List; l != nil {
		p.remark("list.of", len(l.Rows), l.Total)
	}
	return nil
}
