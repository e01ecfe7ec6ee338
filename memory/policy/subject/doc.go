// Package subject tells whom each clause of a message is about (P5c): the user, another person or an animal, a
// thing, or the assistant. It is pure, and reads Chinese and English.
//
//	subject.go   clauses, and what a clause without a subject inherits
//	english.go   the words of an English clause that name its subject
//	chinese.go   the same for a Chinese clause
//	party.go     the person or animal that a clause may go on about
//	pause.go     where a new statement begins in a Chinese sentence without punctuation
//	people.go    people and animals that the memory knows by name
//	names.go     names in lower case, rows of children, pronouns that mean somebody of the previous message
//
// The words are in lang/data: the files subjects.txt, and the lists subject_….
package subject
