package pane

import "memoria/ui/words"

// ID names a pane. The order is the order on the screen.
type ID int

// The panes.
const (
	Recall ID = iota
	All
	Inbox
	Profile
	Package
	Working
	Evidence
	Sessions
	Archive
	Journal
	Agents
	Settings
	Health
)

// Tab is a group of panes with one name in the panel. Its panes are called views there.
type Tab struct {
	name  string // in the catalogue
	Views []ID
}

// Name returns the name of the tab.
func (t Tab) Name(w words.Words) string { return w.Say(t.name) }

// Names returns the names of the views.
func (t Tab) Names(w words.Words) []string {
	var names []string
	for _, id := range t.Views {
		names = append(names, id.Name(w))
	}
	return names
}

// Tabs returns the tabs in the order on the screen. Each pane is a view of one tab.
func Tabs() []Tab {
	return []Tab{
		{"tab.memory", []ID{Recall, All, Inbox, Profile}},
		{"tab.turn", []ID{Package, Working, Evidence}},
		{"tab.history", []ID{Sessions, Archive, Journal}},
		{"tab.setup", []ID{Agents, Settings, Health}},
	}
}

// Name returns the name of the pane as a view.
func (id ID) Name(w words.Words) string {
	return w.Say([...]string{
		Recall: "view.recall", All: "view.all", Inbox: "view.inbox", Profile: "view.profile",
		Package: "view.package", Working: "view.working", Evidence: "view.evidence",
		Sessions: "view.sessions", Archive: "view.archive", Journal: "view.journal",
		Agents: "view.agents", Settings: "view.settings", Health: "view.health",
	}[id])
}

// Tab returns the index of the pane's tab.
func (id ID) Tab() int {
	switch {
	case id >= Agents:
		return 3
	case id >= Sessions:
		return 2
	case id >= Package:
		return 1
	}
	return 0
}
