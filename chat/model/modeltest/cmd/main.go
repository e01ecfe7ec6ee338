// Command cmd runs the scripted model server:
//
//	go run ./chat/model/modeltest/cmd -addr 127.0.0.1:8080 -script answers.txt -delay 30ms
//
// It prints its base URL and serves until it is interrupted. The package modeltest describes the script.
package main

import (
	"context"
	"os"
	"os/signal"

	"memoria/chat/model/modeltest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := modeltest.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
