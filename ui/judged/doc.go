// Package judged puts a judgement about a message after a pause into words, for
// every way in which memoria is seen (S3).
package judged
