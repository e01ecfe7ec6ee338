// Package term is memoria in a terminal: the conversation on the left, the memory on the
// right, the input below.
//
// # The root
//
// The root is the Bubble Tea model of the screen of one agent. It knows where the keyboard
// is, gives every pane its place, and holds what its components share: the input, the
// transcript, the time, the last line. Each component has state of its own and embeds the root:
//
//	conversation  the session that is shown: events, turn, queue, secrets, costs
//	lessons       what turns taught, under their messages
//	branches      other answers, edited messages, undone turns, forks
//	sources       what the answers shown may rest on
//	drafts        saving the text of the input
//	commands      what can be asked for by its name, and the palette
//	reader        finding and copying passages
//	switching     going to another agent or group
//	panel         the panes, one of which is shown
//	view          drawing
//
// The packages below draw: transcript (the conversation), composer (the input), status (the
// first and the last line), palette, help, and one package for each pane. What draws holds no
// service.
//
// # Panes
//
// Package pane declares what root and panes know of each other. A [pane.Pane] takes keys,
// draws itself, reads what it shows, and changes the memory by its own effects. It sees the
// root as a [pane.Host], which shows a text, opens another pane, or goes to a message. A few
// panes need more of it and declare that themselves, such as sessions.Host; the component that
// it is about implements it.
//
//	key ──> root.key ──> Pane.Update ──> tea.Cmd ──> the memory
//	                                                   │
//	        Pane <── pane.Callback <── pane.Result <───┘
//
// A new pane is a package with a Model (the state that is drawn), and a Pane in effects.go. It has a
// [pane.ID], a row in newPanel, and a key in package keys.
//
// # Effects
//
// Update does no I/O and reads no clock. Everything else happens in commands of a
// [pane.Effects]. A result comes back as a [pane.Result] with the time of its end, and nearly
// always holds a [pane.Callback], which Update runs. Results of the screen of another agent
// are dropped, and so are reads that were overtaken. Changes of the conversation happen in
// the order of the keys. A tick comes only while something on the screen counts.
//
// # Events
//
// The events of the conversation arrive in order on one channel. One command waits for one
// event and is started again when it has been handled (events.go). A gap in their numbers
// reloads the session.
//
// # Keys
//
// A question takes the key first, then an open dialog, then whatever has the focus, then what
// works everywhere (keyboard.go). In the input letters are letters.
//
// Typing never destroys anything (question.go). A command that only shows something leaves
// the keyboard in the input ([root.showPane]). A letter that changes something asks first; no
// key that types a character answers yes, nor does enter. A letter without a meaning at the
// focus goes to the input.
//
// # Agents
//
// Each agent has a root of its own. Going to another one saves the draft, lets package app
// leave the conversation, and replaces the root, whose effects end. During an answer, and
// while a message is queued, the conversation is not left. A change of the group in the
// conversation, or of its members, opens it again in the same way.
//
// In a group every answer of a turn has a package and sources of its own. On the screen it is
// a turn whose id also names the member ([sent.AnswerID]).
//
// # Drafts and messages
//
// A message counts as sent once it is on disk. Until then it is shown as being sent, and it
// returns to the input when that fails. The draft is written at most half a second after a
// change, and on every way out.
//
// # Limits
//
// Below 60×15 cells there is a notice; below 100 columns the panel takes the place of the
// conversation. Text from others passes ui/clean where it is drawn. A panic anywhere restores
// the terminal.
//
// # Files
//
//	term.go, root.go            Run, the root, Update
//	host.go, panel.go           the root as its panes see it, the panes
//	keyboard.go, mouse.go, question.go, overlay.go
//	layout.go, view.go, welcome.go, markdown.go
//	conversation.go, events.go  the session and its events
//	learned.go, judging.go, group.go, frame.go, secret.go, cost.go
//	branch.go, sources.go, drafts.go, reader.go, switching.go
//	commands.go, palette.go     commands by name, and lists to choose from
//	effects.go                  effects of the root and the conversation
package term
