// Package layout decides where everything on the screen goes. It is one pure
// function from the terminal's size and a few wishes to rectangles; drawing
// and the mouse use its answer alone.
//
//	layout.go  the function
package layout
