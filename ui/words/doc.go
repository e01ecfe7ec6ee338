// Package words is the wording that every front end uses: what changed in the memory,
// in a line for a person. It is pure. Its lines may hold words of a conversation, a
// model or a file; the caller cleans them for the screen.
package words
