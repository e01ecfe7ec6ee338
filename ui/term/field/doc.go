// Package field is a small place to write in, for filters and forms: a text area
// without a frame, with the terminal's own cursor, which stands right behind
// wide characters too.
package field
