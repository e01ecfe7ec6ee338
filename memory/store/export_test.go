package store

// RecordForm is how messages are written.
var RecordForm = recordForm

// The dictionaries of packed values.
const (
	RecordNames  = recordNames
	PackageNames = packageNames
)
