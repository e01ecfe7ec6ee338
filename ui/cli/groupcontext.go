package cli

import (
	"context"
	"fmt"
	"slices"

	"memoria/ui/app"

	"memoria/memory"
)

// groupContext is what context --json prints for a group: what a turn sent, of each
// member that was asked, in the order in which they answered.
type groupContext struct {
	Session  string    `json:"session"`
	Turn     string    `json:"turn"`
	Packages []weighed `json:"packages"`
}

// showGroupContext shows what a turn of a group's session sent to each member.
func showGroupContext(ctx context.Context, p *Program, o *app.App, args []string, asJSON bool) error {
	session, err := findSession(ctx, p, o, append(args, lastSession)[0])
	if err != nil {
		return err
	}
	sent, err := o.Memory.Lookup().GroupPackages(ctx, o.Group.ID, session.ID)
	if err != nil {
		return err
	}
	turn, err := turnOf(p, oneEach(sent), args, session.ID)
	if err != nil {
		return err
	}
	out := groupContext{Session: session.ID, Turn: turn}
	for _, pkg := range sent {
		if pkg.TurnID != turn {
			continue
		}
		r, err := o.Memory.Lookup().Package(ctx, pkg.AgentID, turn)
		if err != nil {
			return err
		}
		w, err := weigh(ctx, p, o, r)
		if err != nil {
			return err
		}
		out.Packages = append(out.Packages, w)
	}
	if asJSON {
		return p.printJSON(out)
	}
	for i, w := range out.Packages {
		if i > 0 {
			p.print("\n")
		}
		name := oneLine(o.Speaker(memory.Record{Sender: w.AgentID}))
		p.print(fmt.Sprintf("══ %s · %d of %d\n%s", name, i+1, len(out.Packages), describePackage(w, o.Config.Model)))
	}
	return nil
}

// oneEach are packages, one of each turn.
func oneEach(sent []memory.Package) (out []memory.Package) {
	for _, pkg := range sent {
		if !slices.ContainsFunc(out, func(o memory.Package) bool { return o.TurnID == pkg.TurnID }) {
			out = append(out, pkg)
		}
	}
	return out
}
