// Package classify estimates the class of a short text, in Chinese and English, by a model trained on examples. It is
// pure except for reading examples: no clock, no network, no language model.
//
// Rules name what they accept, and no list has every wording. On sentences of unknown authors our rules understood half
// as much as on sentences of known ones; a model that weighs all words of a text loses far less. So rules read a clause,
// and a model classifies a message: a statement of its author or a draft (package policy), a request to forget or a
// question about a file (package instruct).
//
// # The model
//
// [Model] is a multinomial logistic regression. [Features] of a text are its runs of one to three words or Chinese
// characters, its beginning and end, its length, and runs and pairs of the groups that a [Lexicon] has for its words:
// "delete", "get rid of" and 删掉 are one group. A caller may add signs of its own, such as which rules have read the text.
//
//	examples ─ Train ─▶ Model ─ Write ─▶ data/model.txt ─ Parse ─▶ Model ─ Probabilities ─▶ {"self": 0.97, "text": 0.01, …}
//
// A model is a text file: a line for each feature, sorted, with its weight for each class. The file is searched where it
// is, so that a program that classifies one message does not wait until a model is read. The commands below print
// the strongest features of each class, which explain every result (-top).
//
// # Judging
//
// [CrossValidate] judges the sentences of each author by a model of all other authors' sentences, because figures for
// known authors are too good. The commands memory/policy/cmd and memory/instruct/cmd print these figures, and
// train the models again when the examples in their testdata have changed.
package classify
