// Package object brings the objects of statements into the form that they have in the keys of items, and tells whether two
// wordings of an object mean the same, also in two languages. It is pure, and safe for concurrent use.
package object
