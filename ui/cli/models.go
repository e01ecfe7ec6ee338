package cli

import (
	"context"
	"regexp"
	"slices"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/ui/actions"
	"memoria/ui/words"
)

// modelList is what models --json prints.
type modelList struct {
	Endpoint   string   `json:"endpoint"`   // the configured one
	Configured string   `json:"configured"` // the model that is asked for
	Available  bool     `json:"available"`  // whether it is in Models
	Models     []string `json:"models"`
	// Local are servers on this computer, looked for when no model is connected.
	Local []localServer `json:"local"`
}

type localServer struct {
	Name    string   `json:"name"`
	BaseURL string   `json:"base_url"`
	Models  []string `json:"models"`
}

func models(ctx context.Context, in *input) (r actions.Result, err error) {
	s, err := in.Setup()
	if err != nil {
		return r, err
	}
	names, offline, err := in.Offered(ctx, s)
	if err != nil {
		return r, err
	}
	list := modelList{
		Endpoint: s.Config.Model.BaseURL, Configured: s.Config.Model.Name, Available: slices.Contains(names, s.Config.Model.Name),
		Models: append([]string{}, names...), Local: []localServer{},
	}
	if offline != "" {
		found := in.Discover(ctx)
		for _, f := range found {
			list.Local = append(list.Local, localServer{f.Name, f.BaseURL, append([]string{}, f.Models...)})
			r.Lines = append(r.Lines, in.Say("models.local", f.Name, f.BaseURL))
			for _, name := range f.Models {
				r.Lines = append(r.Lines, "  "+oneLine(name))
			}
		}
		r.Data = list
		if r.Notes = []string{in.Say("problem", words.Sentence(offline))}; len(found) == 0 {
			r.Notes = append(r.Notes, in.Say("models.none-here", in.Paths().Config))
		} else {
			r.Notes = append(r.Notes, in.Say("models.use", useOf(found[0])))
		}
		return r, nil
	}
	for _, name := range names {
		mark := "  "
		if name == list.Configured {
			mark = "* "
		}
		r.Lines = append(r.Lines, mark+oneLine(name))
	}
	r.Data = list
	switch count := in.lang().Count(len(names), "model"); {
	case len(names) == 0:
		r.Notes = []string{in.Say("models.none", list.Endpoint)}
	case !list.Available:
		r.Notes = []string{in.Say("models.missing", count, list.Configured)}
	default:
		r.Notes = []string{in.Say("models.marked", count)}
	}
	return r, nil
}

// useOf are the variables that let a server of this computer answer.
func useOf(f model.Found) string {
	use := "MEMORIA_MODEL_BASE_URL=" + f.BaseURL
	if len(f.Models) > 0 && plainName.MatchString(f.Models[0]) {
		use += " MEMORIA_MODEL_NAME=" + f.Models[0]
	}
	return use
}

// endpointFault is a failure of the endpoint in words, and what to do.
func endpointFault(err error) (what, fix string) {
	problem := chat.Explain(err)
	what = problem.Title
	if problem.Text != "" {
		what += ": " + problem.Text
	}
	return what, problem.Hint
}

// plainName matches a model's name that needs no quotes in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)
