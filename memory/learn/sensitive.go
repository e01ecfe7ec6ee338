package learn

import "slices"

const whySensitive = "something sensitive that you have not accepted"

// WithoutSensitive removes the topic and the variables that are not speakable: working
// memory takes nothing that needs the user's approval (P5a).
func (a Analysis) WithoutSensitive(speakable func(string) bool) Analysis {
	a.Refused = slices.Clone(a.Refused)
	if !speakable(a.Topic) {
		a.Topic = ""
		a.refuse(whySensitive, 1)
	}
	a.Variables = slices.DeleteFunc(slices.Clone(a.Variables), func(v Variable) bool {
		if v.Value == "" || speakable(v.Name+" "+v.Value) && speakable(v.Name+": "+v.Value) {
			return false
		}
		a.refuse(whySensitive, 1)
		return true
	})
	return a
}
