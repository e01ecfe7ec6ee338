// Package classify tells of which class a short text is, in Chinese and English, by a model that was trained on examples.
// It is pure but for reading examples: no clock, no network, no language model.
//
// Rules name what they accept, and people say the same thing in more ways than anybody lists. On sentences of writers
// whom they did not know our rules understood half of what they understood of their own; a model that weighs all words of
// a text loses far less. So rules read what a clause says, and a model tells what a message is: something its writer tells
// of himself, or a draft (package policy); a request to forget, or a question about a file (package instruct).
//
// # The model
//
// [Model] is a multinomial logistic regression. [Features] of a text are its runs of one to three words or Chinese
// characters, how it begins and ends, how long it is, and runs and pairs of the groups that a [Lexicon] has for its words:
// "delete", "get rid of" and 删掉 are one group. A caller may add signs of its own, such as which rules have read the text.
//
//	examples ─ Train ─▶ Model ─ Write ─▶ data/model.txt ─ Parse ─▶ Model ─ Probabilities ─▶ {"self": 0.97, "text": 0.01, …}
//
// A model is a text file: below each class its features, from the one that speaks for it most to the one that speaks
// against it most. They explain every result.
//
// # Judging
//
// [CrossValidate] lets the sentences of each writer be judged by a model of all other writers' sentences, because figures on
// sentences of the same writer flatter. The commands memory/policy/cmd and memory/instruct/cmd print these figures, and
// train the models again when the examples in their testdata have changed.
package classify
