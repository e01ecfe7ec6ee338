package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"memoria/ui/clean"
)

// description begins the description of the calls.
func description(version string) huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "memoria", Version: version,
				Description: "The memory of memoria, for programs on this computer. " +
					"Writes are proposals: they wait until the user accepts them. Held and muted items are not served.",
			},
			Servers: []*huma.Server{{URL: "/"}},
			Components: &huma.Components{
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token": {Type: "http", Scheme: "bearer", Description: "The content of the file " + TokenFile + " in the data folder"},
				},
			},
			Security: []map[string][]string{{"token": {}}},
		},
		// The short name is that of problems: application/problem+json.
		Formats:       map[string]huma.Format{"application/json": format, "json": format},
		DefaultFormat: "application/json",
	}
}

var format = huma.Format{Marshal: writeJSON, Unmarshal: json.Unmarshal}

// writeJSON writes a value. Characters that a terminal would obey or hide are escaped: people
// read answers there too.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, clean.JSON(b.String()))
	return err
}

// operationID names a call: get-sessions-id-records.
func operationID(method, path string) string {
	path = strings.NewReplacer("/", "-", "{", "", "}", "", ".", "-").Replace(path)
	return strings.ToLower(method) + path
}

// Document is the description as it is served.
type Document struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

// describe adds the call that serves the description, and completes it.
func describe(api huma.API) {
	var document []byte
	huma.Register(api, huma.Operation{
		OperationID: "get-openapi", Method: http.MethodGet, Path: "/openapi.json", Summary: "Read this description",
		Errors: []int{http.StatusUnauthorized, http.StatusForbidden},
		Responses: map[string]*huma.Response{"200": {
			Description: "OK",
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true},
			}},
		}},
	}, func(context.Context, *struct{}) (*Document, error) {
		return &Document{ContentType: "application/json", Body: document}, nil
	})
	var err error
	if document, err = json.Marshal(api.OpenAPI()); err != nil {
		panic("rest: the description did not encode: " + err.Error()) // it is the same in every run
	}
}
