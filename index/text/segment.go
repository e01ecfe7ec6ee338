package text

import (
	"slices"
	"strings"
)

// logTotal is the natural logarithm of the sum of all frequencies in the full dictionary, 60 million.
const logTotal = 17.9

// rareWeight is the maximum weight (see trieData) of a character that is rarely a word
// of its own: a frequency of about 400, that of 梓 or 涵. Two such neighbours are a
// name or a loan word.
const rareWeight = 120

// surnames are the commonest Chinese family names of one character.
const surnames = "" +
	"王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜" +
	"范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛" +
	"伍韦申尤毕聂丛焦向柳邢骆岳齐梅莫庄辛管祝左涂谷祁时舒耿牟卜路詹关苗凌费纪靳盛童欧甄项曲游阳裴席卫查屈鲍位覃霍翁隋植甘景薄" +
	"单包司柏宁柯阮桂闵解强柴华车冉房边辜"

// walk cuts a run of Han characters into the words of the most probable path through
// the dictionary. Words are independent, with probabilities from their frequencies. A
// character outside all words counts as a word seen once. walk appends the end of each
// word, counted from the start of the run, to ends.
func walk(run []rune, ends []int) []int {
	t := openTrie()
	base := -int(logTotal / t.step())
	const unreached = -1 << 62
	// score[i] is the best score of the first i characters, from[i] where its last word begins.
	score, from := make([]int, len(run)+1), make([]int, len(run)+1)
	for i := 1; i <= len(run); i++ {
		score[i] = unreached
	}
	for i := range run {
		relax := func(j, weight int) {
			if s := score[i] + base + weight; s > score[j] {
				score[j], from[j] = s, i
			}
		}
		relax(i+1, 1)
		for node, j := t.head(run[i]), i+1; node >= 0; j++ {
			if w := t.weight(node); w > 0 {
				relax(j, w)
			}
			if j == len(run) {
				break
			}
			node = t.next(node, run[j])
		}
	}
	at := len(ends)
	for j := len(run); j > 0; j = from[j] {
		ends = append(ends, j)
	}
	slices.Reverse(ends[at:])
	return ends
}

// joinNames joins single characters that are likely to be a name: a surname with one or
// two characters, 小, 老 or 阿 with one, or two to four characters that rarely occur
// alone. Stop words are never part of a name.
func joinNames(run []rune, ends []int) []int {
	out := ends[:0]
	for k := 0; k < len(ends); k++ {
		if single(ends, k) && single(ends, k+1) {
			k = lastOfName(run, ends, k)
		}
		out = append(out, ends[k])
	}
	return out
}

// single reports whether the k-th word has one character.
func single(ends []int, k int) bool {
	return k < len(ends) && (k == 0 && ends[0] == 1 || k > 0 && ends[k]-ends[k-1] == 1)
}

// lastOfName returns the index of the last single character of the name that begins at
// the k-th word, or k.
func lastOfName(run []rune, ends []int, k int) int {
	t := openTrie()
	inName := func(k int) bool { return single(ends, k) && !stopFolded(string(run[ends[k]-1])) }
	rare := func(k int) bool { return inName(k) && t.word(run[ends[k]-1:ends[k]]) <= rareWeight }
	first := run[ends[k]-1]
	last, most, follows := k, k+3, rare
	switch {
	case strings.ContainsRune(surnames, first):
		most, follows = k+2, inName
	case strings.ContainsRune("小老阿", first):
		most, follows = k+1, inName
	case !rare(k):
		return k
	}
	for last < most && inName(k) && follows(last+1) {
		last++
	}
	return last
}

// subWords returns the dictionary's words of two characters or more inside a longer
// word, in order of position. For a word not in the dictionary, a name, it returns the
// characters and, for three characters, also the last two, the given name.
func subWords(word []rune) []string {
	t := openTrie()
	var subs []string
	if t.word(word) == 0 {
		if len(word) >= 3 {
			subs = append(subs, string(word[len(word)-2:]))
		}
		for _, r := range word {
			subs = append(subs, string(r))
		}
		return subs
	}
	for i := range word {
		for node, j := t.head(word[i]), i+1; node >= 0; j++ {
			if j-i >= 2 && j-i < len(word) && t.weight(node) > 0 {
				subs = append(subs, string(word[i:j]))
			}
			if j == len(word) {
				break
			}
			node = t.next(node, word[j])
		}
	}
	return subs
}
