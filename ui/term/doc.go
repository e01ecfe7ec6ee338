// Package term implements the terminal interface: the conversation on the left, the panel
// with the panes of the memory on the right, the input below.
//
// # The root
//
// The root is the Bubble Tea model of one agent's screen. It holds the focus, the layout,
// and the state shared by its components: the input, the transcript, the time, the last
// line. Each component has its own state and embeds the root:
//
//	conversation  the session on the screen: events, turn, queue, secrets, costs
//	lessons       the memories learned from a turn, under its messages
//	branches      alternative answers, edited messages, undone turns, forks
//	sources       the evidence for the answers on the screen
//	drafts        saving the text of the input
//	commands      commands by name, and the palette
//	reader        finding and copying passages
//	switching     switching to another agent or group
//	typed         letters that are keys or the beginning of a message, and questions
//	guided        the guide through the first minute of a new memory (package guide)
//	panel         the panes, one of which is visible
//	view          drawing
//
// The packages below ui/term draw: transcript (the conversation), composer (the input),
// status (the first and the last line), palette, help, and one package for each pane. The
// models that draw do not access the memory. Package refresh lets the program draw seldom while
// nothing happens.
//
// # Tabs and panes
//
// The panel has four tabs ([pane.Tabs]). Each pane is a view of one tab; the last view of each
// tab is remembered while the program runs. The first line of the panel shows the tabs, the
// second the views of the open one. The two views of memories are panes of the same package.
//
// Package pane declares the interfaces between the root and the panes. A [pane.Pane]
// handles keys, draws itself, and reads and changes the memory by its own effects. It sees
// the root as a [pane.Host], which shows a notice, opens another pane, or goes to a message.
// A pane that needs more declares its own interface, such as sessions.Host, and a component
// of the root implements it.
//
//	key ──> root.key ──> Pane.Update ──> tea.Cmd ──> the memory
//	                                                   │
//	        Pane <── pane.Callback <── pane.Result <───┘
//
// A new pane is a package with a Model (its view state), and a Pane in effects.go. It needs a
// [pane.ID], a tab, a row in newPanel, and its keys in package keys.
//
// # Effects
//
// Update does no I/O and reads no clock. I/O happens in commands of a [pane.Effects]. A
// command returns a [pane.Result] with the time of its end, which usually holds a
// [pane.Callback] for Update to call. Results for another agent's screen are dropped, and so
// are stale reads. Changes of the conversation happen in the order of the keys. Ticks run only
// while the screen shows a running time.
//
// # Events
//
// The events of the conversation arrive in order on one channel. One command waits for one
// event and is started again when it has been handled (events.go). A gap in their numbers
// reloads the session.
//
// # Keys
//
// A key goes to the open question, then to the open dialog, then to the focus, then to the
// global keys (keyboard.go). In the input, letters are text. Elsewhere a letter alone is a key;
// letters that follow each other as in typing are a message and go to the input with what was
// typed before, and what they had opened is closed again (typed.go).
//
// In the panel, the numbers select tabs and the arrows views (panel.go). A form, a question
// and a search field take them first. So does an open page that uses the arrows.
//
// Enter opens the actions of a row as a menu, and a page ends with its menu (package list). The
// first action only shows something, so that enter and enter again change nothing.
//
// Typing never destroys anything (question.go). A command that only shows something leaves
// the focus in the input ([root.showPane]). A letter that changes something asks first: in a pane,
// the pane asks, below the row that it is about (package list); elsewhere, the last line.
// Neither enter nor a key that types a character answers yes; n alone and esc answer no, and any
// other letter goes to the input with the text that it begins. So does a letter that is not bound
// at the focus, and a sentence that was typed into a search when esc closes the search. After one
// or two such letters, enter may have been meant for the pane: the last line says that nothing is
// sent yet, and enter again sends it.
//
// # Agents
//
// Each agent has its own root. Switching to another agent saves the draft, closes the
// conversation through package app, cancels the root's effects and replaces the root. It is
// refused during an answer and while a message is queued or unsaved. If the open group or one of its
// members changes, it is reopened in the same way.
//
// In a group every answer of a turn has its own package and sources. The screen treats it as
// a turn whose id also names the member ([sent.AnswerID]).
//
// # Drafts and messages
//
// A message counts as sent once it is on disk. Until then it is shown as being sent; if
// storing fails, it returns to the input. The draft is written within half a second of a
// change, and on every exit.
//
// # Limits
//
// A screen below 60×15 cells shows only a notice; below 100 columns the panel replaces the
// conversation. Untrusted text is cleaned by ui/clean when it is drawn. The terminal is
// restored after a panic.
//
// # Files
//
//	term.go, root.go            Run, the root, Update
//	host.go, panel.go           the root as its panes see it, the panes
//	keyboard.go, typed.go, mouse.go, question.go, overlay.go
//	layout.go, view.go, welcome.go, guided.go
//	conversation.go, events.go  the session and its events
//	learned.go, judging.go, group.go, frame.go, secret.go, cost.go
//	branch.go, sources.go, drafts.go, reader.go, switching.go
//	commands.go, palette.go     commands by name, and lists to choose from
//	suspend.go                  back to the shell and back
//	effects.go                  effects of the root and the conversation
package term
