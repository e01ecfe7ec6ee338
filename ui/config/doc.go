// Package config is the configuration: the one table of settings, and where their
// values come from (I5). From weak to strong these are the defaults, one TOML file, the
// environment and flags.
//
// # The table
//
// [Settings] declares every setting: key, kind, bounds, choices, default, help,
// variable, and when a change takes effect. Validation, `memoria config`, its help and
// completion, the settings pane, line mode and the messages for faults read this table.
//
// A setting is a field of the Config of the package that owns it, with its default
// there, and its bounds in that package's Settings ([memoria/memory/bounds]). [Config]
// nests these structs as tables. Its help is the comment above it in
// config.example.toml. So a new setting changes two files: its package's configuration and
// config.example.toml. The tag effect:"restart" on a field, or on a table, says that a
// change takes effect after a restart.
//
// # The map
//
//	config.go    the nested configuration, faults and origins
//	setting.go   the table; finding and filtering settings
//	help.go      the comments of the example
//	embedding.go api.go ui.go  the [embedding], [api] and [ui] tables
//	load.go      file, environment and flags over the defaults; every fault with its place
//	decode.go    values of the file, each checked against its setting
//	keys.go      dotted keys, variables, lines, the nearest name
//	value.go     values as TOML, as JSON, and as a person types them
//	describe.go  the settings of a reading, with their values and places
//	edit.go      changes of the file that keep its comments (tomlfile)
//
// # Rules
//
// A fault never hides another one. Text written for people is never parsed. The name of
// an API key is removed when the address beside it changes. A value of a setting may hold
// text from a file or the environment; the caller cleans it for a terminal.
//
// All functions may be called from any goroutine; [Rewrite] locks the file.
package config
