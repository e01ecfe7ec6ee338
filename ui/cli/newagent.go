package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// tellNewAgent says that the agent has no memory when it is one that nobody
// configured either: its name may be a slip of the fingers.
func (p *Program) tellNewAgent(ctx context.Context, o *open) error {
	id := o.agent.ID
	configured := slices.Sorted(maps.Keys(o.cfg.Agents))
	if usual := cmp.Or(o.usual, DefaultAgent); !slices.Contains(configured, usual) {
		configured = append(configured, usual)
	}
	if p.demo.on || o.group != nil || slices.Contains(configured, id) {
		return nil
	}
	known, err := o.manager.Agents(ctx)
	if err != nil || slices.Contains(known, id) {
		return err
	}
	verb := "are"
	if len(configured) == 1 {
		verb = "is"
	}
	text := fmt.Sprintf("agent %q is new: it has no memory yet; configured %s %s", id, verb, strings.Join(configured, ", "))
	if near := nearest(id, append(configured, known...)); near != "" {
		text += "; did you mean " + near + "?"
	}
	p.say("%s", text)
	return nil
}
