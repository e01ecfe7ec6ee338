// Package sent is the view called package: what exactly went to the model in any turn (C5),
// as a bar of its layers, and layer by layer with its tokens; the memories that took part,
// chosen or not, with the bars of their scores (R8); what the budgets left out; and whether the
// text shown is, byte for byte, what was sent.
//
// It holds the short form of all turns and the full text of one. When another turn is chosen
// it asks for that text with a [Load] action.
//
//	sent.go     the Model: the turns, the shown one, and the unfolded layers
//	update.go   keys, the cursor and scrolling
//	view.go     a turn as rows
//	rounds.go   calls of the search tool
//	sources.go  citations of the archive
//	effects.go  the Pane: it performs the actions
package sent
