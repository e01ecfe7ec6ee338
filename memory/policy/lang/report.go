package lang

import "strings"

// Forms of guards.txt for what others said.
var (
	report      = Form("report")
	ownReport   = Form("ownReport")
	accordingTo = Form("accordingTo")
	saysSo      = Form("saysSo")
	ownSaying   = Form("ownSaying")
	nothingSaid = Form("nothingSaid")
)

// ReportStart returns where reported speech begins in a sentence, or -1.
func ReportStart(s string) int {
	first := -1
	for _, m := range report.FindAll(s) {
		if !ownReport.Match(s[:m[1]]) {
			first = m[0]
			break
		}
	}
	if m := accordingTo.Find(s); m != nil && (first < 0 || m[0] < first) {
		first = m[0]
	}
	if !HasHan(s) {
		return first
	}
	clean := nothingSaid.ReplaceFunc(s, func(w string) string { return strings.Repeat(" ", len(w)) })
	for _, m := range saysSo.FindAll(clean) {
		if !ownSaying.Match(s[:m[1]]) && (first < 0 || m[0] < first) {
			return m[0]
		}
	}
	return first
}
