package actions

import (
	"context"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/manager/profiles"
	"memoria/memory/profile"
)

// profileVersions is how many versions line mode says at most.
const profileVersions = 50

// aboutUser says the profile, or does something with it: the number of a line changes that line.
func aboutUser(ctx context.Context, c *Console, what string) (Result, error) {
	p, err := c.Memory.Profiles().Profile(ctx, c.Agent.ID)
	if err != nil {
		return Result{}, err
	}
	i, ok := number(what)
	switch strings.ToLower(what) {
	case "":
		return c.profilePage(p), nil
	case "undo", "撤销":
		return UndoProfile(ctx, c, 0)
	case "history", "历史":
		return ProfileHistory(ctx, c, profileVersions, 0)
	case "add", "edit", "添加":
		return c.addToProfile(p), nil
	}
	switch n := len(written(p)); {
	case !ok:
		return c.refuse("profile.what")
	case i < 0 || i >= n:
		return c.refuse("profile.numbers", n)
	}
	return c.editProfile(p, written(p)[i]), nil
}

// written are the places of the lines of the document that say something.
func written(p profiles.Profile) (at []int) {
	for i, l := range p.Shown() {
		if l.Text != "" {
			at = append(at, i)
		}
	}
	return at
}

func (c *Console) profilePage(p profiles.Profile) (r Result) {
	section := memory.SectionNone
	lines := written(p)
	for i, at := range lines {
		l := p.Shown()[at]
		if l.Section != section {
			section = l.Section
			r.Lines = append(r.Lines, c.Words.Named("section", string(section))+strings.TrimSpace(c.Say("sep.colon")))
		}
		r.Lines = append(r.Lines, c.Say("list.entry", i+1, c.Words.ProfileLine(l)))
	}
	if len(lines) == 0 {
		r.Lines = []string{c.Say("profile.none")}
	}
	r.Notes = c.Words.ProfileRemarks(p)
	if len(lines) > 0 {
		r.Notes = append(r.Notes, c.Say("profile.hint"))
	}
	return r
}

// ProfilePage is the profile as it is written, with headings in the user's language.
func (c *Console) ProfilePage(p profiles.Profile) string {
	return profile.MarkdownIn(p.Lines, func(s memory.Section) string { return c.Words.Named("section", string(s)) })
}

// ShowProfile shows the profile as it is written, or an earlier version of it.
func ShowProfile(ctx context.Context, c *Console, version int) (r Result, err error) {
	var p profiles.Profile
	if version > 0 {
		p, err = c.Memory.Profiles().ProfileVersion(ctx, c.Agent.ID, version)
	} else {
		p, err = c.Memory.Profiles().Profile(ctx, c.Agent.ID)
	}
	r = Result{Data: p, Notes: c.Words.ProfileRemarks(p)}
	if p.Markdown != "" {
		r.Lines = []string{strings.TrimSuffix(c.ProfilePage(p), "\n")}
	}
	if len(p.Shown()) == 0 {
		r.Notes = append([]string{c.Say("profile.none")}, r.Notes...)
	}
	return r, err
}

// UndoProfile undoes the last change of the profile, or what made a version.
func UndoProfile(ctx context.Context, c *Console, version int) (Result, error) {
	v, err := c.Memory.Profiles().UndoProfile(ctx, c.Agent.ID, version)
	return Result{Data: v, Lines: append([]string{c.Say("profile.undone", v.Undoes, v.Version)}, c.differences(v.Diff)...)}, err
}

// differences are the lines that came and left: with signs for a command, in words for line
// mode, where signs may not be heard.
func (c *Console) differences(diff []profile.Difference) (lines []string) {
	for _, d := range diff {
		if c.Mode == Shell {
			lines = append(lines, line(d.String()))
		} else {
			lines = append(lines, c.Words.Difference(d))
		}
	}
	return lines
}

// ProfileDiff says what differs between versions.
func ProfileDiff(c *Console, diff []profile.Difference) Result {
	r := Result{Data: diff, Lines: c.differences(diff)}
	if len(diff) == 0 {
		r.Notes = []string{c.Say("profile.same")}
	}
	return r
}

// ProfileHistory lists the versions of the profile with what each changed.
func ProfileHistory(ctx context.Context, c *Console, limit, offset int) (Result, error) {
	h, err := c.Memory.Profiles().ProfileHistory(ctx, c.Agent.ID, limit, offset)
	r := Result{Data: h}
	for _, v := range h.Versions {
		row := c.Words.ProfileVersion(v, c.Now())
		if c.Mode == Shell {
			row.Sentence = row.Columns
		}
		r.Lines = append(r.Lines, row.Sentence)
	}
	r.Notes = []string{c.Say("profile.versions", len(h.Versions), c.Words.Count(h.Total, "version"))}
	return r, err
}

// editProfile asks what a line should say.
func (c *Console) editProfile(p profiles.Profile, at int) Result {
	lines := p.Shown()
	return Result{
		Lines: []string{c.Say("ask.now", line(profile.Said(lines[at].Text))), c.Say("profile.ask")},
		Ask: &Question{Prompt: c.Say("ask.text"), Dropped: c.Say("nothing.changed"), Answer: func(ctx context.Context,
			text string) (Result, error) {
			switch text = strings.TrimSpace(text); text {
			case "":
				return c.note("nothing.changed"), nil
			case "-", "－":
				lines = slices.Delete(lines, at, at+1)
			default:
				lines[at] = memory.ProfileLine{Section: lines[at].Section, Text: "- " + profile.Said(text)}
			}
			return SetProfile(ctx, c, p.Version, profile.Markdown(lines))
		}},
	}
}

// addToProfile asks for a section and a line.
func (c *Console) addToProfile(p profiles.Profile) (r Result) {
	for i, section := range memory.Sections() {
		r.Lines = append(r.Lines, c.Say("list.entry", i+1, section))
	}
	ask := func(prompt string, answer func(context.Context, string) (Result, error)) *Question {
		return &Question{Prompt: prompt, Dropped: c.Say("nothing.added"), Answer: answer}
	}
	r.Ask = ask(c.Say("profile.ask.section", len(memory.Sections())), func(_ context.Context, n string) (Result, error) {
		i, ok := number(strings.TrimSpace(n))
		if !ok || i < 0 || i >= len(memory.Sections()) {
			return c.note("nothing.added"), nil
		}
		return Result{Ask: ask(c.Say("profile.ask.line"), func(ctx context.Context, text string) (Result, error) {
			if strings.TrimSpace(text) == "" {
				return c.note("nothing.added"), nil
			}
			added := memory.ProfileLine{Section: memory.Sections()[i], Text: "- " + profile.Said(text)}
			return SetProfile(ctx, c, p.Version, profile.Markdown(append(p.Shown(), added)))
		})}, nil
	})
	return r
}

// SetProfile writes the profile. shown is the version that the user saw; 0 is any.
func SetProfile(ctx context.Context, c *Console, shown int, text string) (Result, error) {
	before, err := c.Memory.Profiles().Profile(ctx, c.Agent.ID)
	if err != nil {
		return Result{}, err
	}
	now, err := c.Memory.Profiles().SetProfile(ctx, c.Agent.ID, shown, text)
	if err != nil {
		return Result{}, err
	}
	if now.Version == before.Version {
		r := c.note("nothing.changed")
		r.Data = now
		return r, nil
	}
	return Result{Data: now, Lines: append([]string{c.Say("profile.saved", now.Version)},
		c.differences(profile.Diff(before.Profile, now.Profile))...)}, nil
}
