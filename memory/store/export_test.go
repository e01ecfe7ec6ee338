package store

// RecordForm is how messages are written.
var RecordForm = recordForm
