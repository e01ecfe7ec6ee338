// Package picture writes a screen of the terminal program as an SVG image: the colours of the
// theme, monospaced text, and Chinese in two cells. Lines and blocks are drawn as shapes, so
// that they join whatever font the viewer has.
//
// README shows testdata/screen.svg of package term, which TestPicture there compares with what
// the program draws. To write it again after the screen has changed:
//
//	go test ./ui/term -run TestPicture -update
//
//	cells.go  styled lines as cells
//	svg.go    cells as an image
package picture
