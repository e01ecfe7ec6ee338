// Package bounds declares what settings may be, and checks structs of settings.
//
// Each package that has settings declares a [Setting] for every field that has bounds, beside
// the struct and its defaults, and validates with [Check]. The configuration reads the same
// declarations for help, completion and forms, so a bound is written once.
//
// A key is a setting's dotted name in its table, from the toml tags of the struct:
// "weights.keyword". Fields of embedded structs belong to the table of the outer one. A bool
// and a text that may be anything need no declaration.
//
// All functions are pure.
package bounds
