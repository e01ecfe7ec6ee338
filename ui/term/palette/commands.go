package palette

import (
	"cmp"
	"slices"
	"strings"

	"memoria/ui/config"
	"memoria/ui/words"
)

// Group is a heading of the palette and the names of the commands under it.
type Group struct {
	Title    string
	Commands []string
}

// Groups returns the groups of the commands in their order. A command in none is in the last.
func Groups(w words.Words) []Group {
	return []Group{
		{w.Say("palette.talk"), []string{
			"new", "stop", "retry", "regenerate", "answers", "edit-message", "undo-turn", "fork", "overrule", "find", "copy", "code",
			"editor", "thoughts", "top", "end", "rename", "keep", "export", "delete session", "temp", "erase-secret",
		}},
		{w.Say("tab.memory"), []string{"recall", "memories", "calendar", "inactive", "add",
			"delete", "undo", "inbox", "accept", "reject", "profile"}},
		{w.Say("tab.turn"), []string{"context", "working", "edit working", "evidence"}},
		{w.Say("tab.history"), []string{"sessions", "resume", "archive", "journal"}},
		{w.Say("tab.setup"), []string{
			"model", "found", "search-tool", "agent", "agents", "add agent", "group", "add group", "settings", "set", "unset", "theme",
			"mouse", "health", "rebuild", "compact", "backup",
		}},
		{w.Say("palette.program"), []string{"panel", "help", "quit"}},
	}
}

// Synonyms returns other words that people look for a command with, in every language.
func Synonyms(command string) string {
	id := "palette.find." + strings.ReplaceAll(command, " ", "-")
	if !words.Has(id) {
		return ""
	}
	return words.English.Say(id) + " " + words.Chinese.Say(id)
}

// settingID is what the id of a setting in the palette begins with.
const settingID = "setting "

// Setting returns the key of the setting with an id of the palette. ok is false for another command.
func Setting(id string) (key string, ok bool) { return strings.CutPrefix(id, settingID) }

// Settings are the settings in the palette. They are found by what they are for, in every
// language.
func Settings(w words.Words) (rows []Command) {
	for _, s := range config.Settings() {
		found := []string{s.Key, strings.NewReplacer(".", " ", "_", " ").Replace(s.Key), s.Help}
		for _, l := range []config.Language{config.LanguageEnglish, config.LanguageChinese} {
			in := words.In(l)
			said := in.Setting(s)
			found = append(found, in.Say("palette.setting", "", ""), said.Title, said.Help)
		}
		said := w.Setting(s)
		rows = append(rows, Command{
			ID: settingID + s.Key, Name: w.Say("palette.setting", cmp.Or(said.Title, s.Key), said.Help),
			Words: strings.Join(found, " "), Quiet: true,
		})
	}
	return rows
}

// Changes reports whether a command of the palette changes something at once, or ends the
// program.
func Changes(name string) bool {
	return slices.Contains([]string{
		"undo", "undo-turn", "retry", "regenerate", "edit-message", "fork", "export", "temp", "keep", "overrule", "erase-secret",
		"stop", "quit", "mouse", "search-tool", "found", "rebuild", "compact", "backup",
	}, name)
}
