// Package list is the skeleton of the panes: a list of rows with a cursor, and everything that
// panes do with it in the same way.
//
// A pane embeds a [Base] and describes itself with a [Config]: a function that adds the rows,
// one for keys that do not move the cursor, one for hints, and, where there are such, the
// search, the page of text and the loading of more rows. The row under the cursor is painted in
// its whole width. [Base.Day] adds the headings of days; [Base.Draw] is for lists so long that
// only visible rows should be drawn. Base dispatches keys in this order:
// an open question, an open form, the search field, the menu, movement, the pane's own keys.
//
//	base.go      Base and Config: size, looks, dispatch of keys, search, rows, view
//	list.go      rows of several lines, the cursor, the visible part
//	paged.go     the beginning of a long list that is read page by page
//	form.go      forms of labelled fields
//	question.go  questions that take every key until they are answered
//	menu.go      the menu of what can be done to a row or on a page
//	undo.go      deletions that can be undone, and the notice about them
//	text.go      notes, hints, ages, plurals
//
// Texts from outside are cleaned here before they are wrapped (see ui/clean); lines of rows
// are clean already. Nothing here is safe for concurrent use: the screen is one goroutine.
package list
