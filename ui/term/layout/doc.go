// Package layout decides where everything on the screen goes. It is one pure
// function from the terminal's size and a few wishes to rectangles; whoever
// draws or follows the mouse asks it and nothing else.
package layout
