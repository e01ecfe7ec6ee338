package actions

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"memoria/chat/model"
	"memoria/chat/tools"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/words"
)

// settings says every setting, or those with these words; one alone with all there is to
// say about it.
func settings(_ context.Context, c *Console, text string) (Result, error) {
	all, note, err := c.allSettings()
	if err != nil {
		return Result{}, err
	}
	found := config.Match(all, text)
	if one, err := config.Find(text); err == nil {
		found = withKey(all, one.Key)
	}
	switch len(found) {
	case 0:
		return c.note("setting.no-match", line(text)), nil
	case 1:
		return c.setting(found[0]), nil
	}
	r := Result{Lines: note, List: &List{Total: len(found), What: "setting", Hint: c.Say("setting.hint")}}
	for _, i := range found {
		r.List.Rows = append(r.List.Rows, c.Words.SettingRow(i))
	}
	return r, nil
}

// allSettings are the settings; note names an error in the file.
func (c *Console) allSettings() (all []config.Setting, note []string, err error) {
	if c.Settings == nil {
		return nil, nil, Refusal(c.Say("setting.none"))
	}
	all, err = c.Settings.List()
	for i := range all {
		all[i] = c.Words.Setting(all[i])
	}
	if err == nil {
		return all, nil, nil
	}
	text := c.Say("setting.broken", line(c.Words.Error(err)))
	if len(all) == 0 {
		return nil, nil, Refusal(text)
	}
	return all, []string{text}, nil
}

// withKey is the setting with this key, if there is one.
func withKey(all []config.Setting, key string) []config.Setting {
	i := slices.IndexFunc(all, func(s config.Setting) bool { return s.Key == key })
	if i < 0 {
		return nil
	}
	return all[i : i+1]
}

func (c *Console) setting(i config.Setting) Result {
	return Result{Title: c.Say("setting.is", i.Key, line(i.Value)), Fields: c.Words.SettingFields(i)}
}

// set changes a setting: "rag_top_n 7". A name alone says it; undo undoes the last change.
func set(_ context.Context, c *Console, arg string) (Result, error) {
	all, _, err := c.allSettings()
	if err != nil {
		return Result{}, err
	}
	word, value, ok := config.Cut(arg)
	switch i, err := config.Find(word); {
	case word == "undo" || word == "撤销":
		return c.changed(c.Settings.Undo())
	case err != nil:
		return Result{}, Refusal(c.Words.Error(err))
	case !ok:
		var r Result
		if found := withKey(all, i.Key); len(found) > 0 {
			r = c.setting(found[0])
		}
		r.Notes = []string{c.Say("setting.change", i.Key)}
		return r, nil
	default:
		return c.changed(c.Settings.Set(i.Key, value))
	}
}

func unset(_ context.Context, c *Console, word string) (Result, error) {
	if _, _, err := c.allSettings(); err != nil {
		return Result{}, err
	}
	return c.changed(c.Settings.Unset(word))
}

// changed says what became of a change of a setting.
func (c *Console) changed(ch app.Change, err error) (Result, error) {
	if err != nil && !errors.Is(err, app.ErrNothing) {
		return Result{}, Refusal(c.Words.Error(err))
	}
	if err != nil {
		return c.note("setting.unchanged"), nil
	}
	return Result{Data: ch, Notes: []string{ch.In(c.Words.Language)}}, nil
}

// searchTool says whether the model may search by itself, or changes it.
func searchTool(_ context.Context, c *Console, how string) (Result, error) {
	on, ok := OnOff(how)
	switch {
	case c.Chat.Forgetful():
		return c.note("search.forgetful"), nil
	case ok:
		c.Chat.SetSearches(on)
	case how != "":
		return c.refuse("search.on-off")
	}
	if c.Chat.Searches() {
		return c.note("search.on", tools.Search), nil
	}
	return c.note("search.off"), nil
}

// switchModel says who answers and who could, or lets another model answer.
func switchModel(ctx context.Context, c *Console, name string) (Result, error) {
	switch {
	case c.Chat.Info().Offline:
		return c.useFound(ctx, name)
	case name == "":
		list, err := c.listModels(ctx)
		return Result{Lines: []string{c.Model()}, Then: &list}, err
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(c.last.models) {
		name = c.last.models[n-1]
	}
	client, err := c.Models.Use(name)
	return c.use(client, err)
}

func (c *Console) use(client model.Client, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	c.Chat.SetModelForAll(client)
	return Result{Awaits: ModelEvent}, nil
}

func (c *Console) listModels(ctx context.Context) (Result, error) {
	names, err := c.Models.List(ctx)
	if err != nil || len(names) == 0 {
		return c.note("model.none"), err
	}
	c.last.models = names
	l := &List{Total: len(names), What: "model", Hint: c.Say("model.hint")}
	for _, n := range names {
		l.Rows = append(l.Rows, words.Row{Sentence: line(n), Columns: line(n)})
	}
	return Result{List: l}, nil
}

// useFound offers the model servers of this computer, or uses one of them.
func (c *Console) useFound(ctx context.Context, name string) (Result, error) {
	found := c.Models.Discover(ctx)
	n, err := strconv.Atoi(name)
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case len(found) == 0:
		return c.note("model.not-found"), nil
	case name == "":
		r := c.note("model.hint")
		for i, f := range found {
			r.Lines = append(r.Lines, c.Say("list.entry", i+1, c.Say("model.found", line(f.Name), line(c.Words.List(f.Models)))))
		}
		return r, nil
	case err != nil || n < 1 || n > len(found):
		return c.refuse("number.range", len(found))
	}
	client, err := c.Models.Connect(found[n-1])
	return c.use(client, err)
}

// Model says who answers; in a group with several models, who is answered by which.
func (c *Console) Model() string {
	info := c.Chat.Info()
	if info.Offline {
		return c.Say("model.offline")
	}
	models, who := map[string]bool{}, []string{}
	for _, m := range c.Chat.Members() {
		name := line(c.Chat.InfoOf(m.ID).Model)
		models[name] = true
		who = append(who, c.Say("model.as", name, line(c.Chat.NameOf(m.ID))))
	}
	answers := line(info.Model)
	if len(models) == 1 {
		answers = line(c.Chat.InfoOf(c.Chat.Members()[0].ID).Model)
	} else if len(models) > 1 {
		answers = c.Words.List(who)
	}
	return c.Say("model.answers", answers, line(info.Endpoint))
}
