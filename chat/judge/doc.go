// Package judge says whether a new message continues a session that has gone
// quiet (S3, S4).
package judge
