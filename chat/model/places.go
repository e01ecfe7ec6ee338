package model

// Places are the commands that an answer names, in backquotes, as one types them where it is read.
type Places struct {
	Memories, Recall, Inbox, Archive string // list them, to look and to delete
	Undo                             string // undoes the last change
	Help                             string
	Models                           string // says how to connect a model
}

// PlacesFor returns the commands of the shell where a conversation ends with its answer, else those of a chat.
func PlacesFor(brief bool) Places {
	if brief {
		return Places{
			Memories: "`memoria memory list`", Recall: "`memoria recall`", Inbox: "`memoria inbox list`",
			Archive: "`memoria archive delete`", Undo: "`memoria memory undo --last`", Help: "`memoria help`",
			Models: "`memoria help model`",
		}
	}
	return Places{
		Memories: "`/memories`", Recall: "`/recall`", Inbox: "`/inbox`", Archive: "`/archive`", Undo: "`/undo`", Help: "`/help`",
		Models: "`/model`",
	}
}
