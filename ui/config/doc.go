// Package config is the configuration: one TOML file over defaults, the environment over the
// file (I5).
//
// # Where a setting is declared
//
// A setting is a field of the Config of the package that owns it, with its default there, and
// its bounds in that package's Settings ([memoria/memory/bounds]). [Config] nests these structs
// as tables. config.example.toml says what the setting is for. So a new setting changes two
// files; its variable, help, limits, completion, form and place in `config show` follow.
//
//	config.go   the tables, errors and origins
//	load.go     file and environment over the defaults; every fault with its place
//	decode.go   values of the file, each checked against its setting
//	keys.go     dotted keys, variables, lines, the nearest name
//	limits.go   what each setting may be, for help and forms
//	value.go    values as TOML, as JSON, and as a person types them
//	edit.go     changes of the file that keep its comments
//
// # Rules
//
// A fault never hides another one. No text made for people is parsed. A key that names where
// an API key is found is dropped when the address beside it changes.
//
// All functions may be called from any goroutine; [Rewrite] locks the file.
package config
