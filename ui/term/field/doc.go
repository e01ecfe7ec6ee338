// Package field is a small place to write in, for filters and forms: a text area
// without a frame, with the terminal's own cursor, which is at the right cell
// after wide characters too.
//
//	field.go  the field
package field
