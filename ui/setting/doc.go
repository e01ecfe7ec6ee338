// Package setting is what the screen, the conversation line by line and the
// commands say about a setting: its name, its help, what it may be, where its value
// comes from, and what became of a change. It knows no configuration; ui/cli, which
// does, fills an [Access].
//
// The help of a setting is the comment that stands above it in the example of the
// configuration file ([ParseHelp]), so that there is one text to write and to read.
//
// Values are written as a person types them ([Info.Value]): words without quotes,
// lists with commas. Only where that would not be clear, as in a TOML file.
//
// Everything here is text that others wrote: it passes ui/clean on its way to a
// terminal. All functions are pure.
package setting
