// Package said has the program's own answers about the memory (U1–U5), in both languages: what it remembers, forgot,
// restored and put right. They are read in the terminal program, line by line and in a pipe.
package said
