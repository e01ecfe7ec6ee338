package words

import (
	"memoria/ui/clean"
	"memoria/ui/config"
)

// SettingRow is a setting in a list, with its value and where it comes from.
func SettingRow(i config.Setting) Row {
	row := i.Key + ": " + i.Value
	if i.Later != "" {
		row += ", " + Say("setting.restart", i.Later)
	}
	if i.Set() {
		row += " (" + i.From.String() + ")"
	}
	row = clean.Line(row)
	return Row{Sentence: row, Columns: row}
}

// SettingFields is everything about a setting but its value.
func SettingFields(i config.Setting) (f Fields) {
	f.add("setting.help", i.Help)
	f.add("setting.later", i.Later)
	f.add("setting.allowed", i.Allowed)
	f.add("setting.default", i.Default)
	f.add("setting.source", i.Source())
	f.add("setting.variable", i.Variable)
	f.add("setting.effect", i.Effect())
	f.add("setting.note", i.Note)
	return f
}

// SettingHelp is everything about a setting but its value, in lines.
func SettingHelp(i config.Setting) []string {
	out := []string{i.Help}
	if i.Allowed != "" {
		out = append(out, Say("setting.line", Say("setting.allowed"), i.Allowed))
	}
	out = append(out, Say("setting.line", Say("setting.default"), i.Default), Say("setting.line", Say("setting.variable"), i.Variable),
		Say("setting.effect")+" "+i.Effect())
	if i.Note != "" {
		out = append(out, i.Note)
	}
	return out
}
