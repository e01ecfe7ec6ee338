// Package words holds the wording of what every front end says. It is pure.
package words
