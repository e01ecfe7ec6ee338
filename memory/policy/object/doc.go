// Package object brings the objects of statements into the form that they have in the keys of items. It is pure, and safe
// for concurrent use.
package object
