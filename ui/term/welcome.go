package term

import "memoria/ui/clean"

// roomyWelcome is the height in lines from which on the whole welcome has room.
const roomyWelcome = 16

// welcome is what an empty conversation shows: on the first start what this is
// and what to try, later only that a session begins.
func (m view) welcome() []string {
	s, w := m.styles, m.keys.Words
	if own := m.conv.ownMemories(); own != "" {
		return []string{"", s.Accent.Render(clean.Line(m.conv.company())), "", w.Say("welcome.group"), "", s.Dim.Render(own)}
	}
	if m.conv.status.Items > 0 || m.conv.status.Sessions > 0 {
		come := w.Say("welcome.none")
		switch n := m.conv.status.Items - m.memories.Inactive(); {
		case n == 1:
			come = w.Say("welcome.one")
		case n > 1:
			come = w.Say("welcome.several", w.Count(n, "memory"))
		}
		return []string{"", s.Accent.Render(w.Say("welcome.again")), come, "", s.Dim.Render(w.Say("welcome.type"))}
	}
	if m.screen.Transcript.H < roomyWelcome {
		return m.shortWelcome()
	}
	out := []string{"", s.Strong.Render(w.Say("welcome.what")), ""}
	if m.info.Offline {
		out = append(out, w.Say("welcome.offline"), "")
		for _, id := range []string{"welcome.try.name", "welcome.try.remember", "welcome.try.ask"} {
			out = append(out, "   "+s.Accent.Render(w.Say(id)))
		}
		out = append(out, "", s.Dim.Render(w.Say("welcome.connect")))
	} else {
		to := clean.Line(m.info.Model)
		if m.info.Endpoint != "" {
			to = w.Say("top.model", to, clean.Line(m.info.Endpoint))
		}
		out = append(out, w.Say("welcome.model", s.Accent.Render(to)))
	}
	if !m.opts.Demo {
		out = append(out, "", w.Say("welcome.demo", s.Accent.Render(demoCommand)))
	}
	return append(out, "", s.Dim.Render(m.welcomeKeys()))
}

// demoCommand is the command that shows a memory to look around in.
const demoCommand = "memoria --demo"

// welcomeKeys name the keys to begin with.
func (m view) welcomeKeys() string {
	g := m.keys.Global
	return m.keys.Words.Say("welcome.keys", g.NextPane.Help().Key, g.Help.Help().Key)
}

// shortWelcome is the welcome of the first start where there is little room.
func (m view) shortWelcome() []string {
	s, w := m.styles, m.keys.Words
	out := []string{s.Strong.Render(w.Say("welcome.what.short")), ""}
	try := "   " + s.Accent.Render(w.Say("welcome.try.name"))
	if m.info.Offline {
		out = append(out, w.Say("welcome.offline.short"), try+"   "+s.Accent.Render(w.Say("welcome.try.ask")))
	} else {
		out = append(out, w.Say("welcome.model.short", s.Accent.Render(clean.Line(m.info.Model))), try)
	}
	out = append(out, "")
	if !m.opts.Demo {
		out = append(out, w.Say("welcome.demo.short", s.Accent.Render(demoCommand)))
	}
	return append(out, s.Dim.Render(m.welcomeKeys()))
}
