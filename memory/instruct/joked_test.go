package instruct

import "testing"

// U4: a message that takes back the one before it as a joke, and messages that only speak of jokes.
func TestJoked(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]bool{
		"only kidding": true, "Just kidding!": true, "jk": true, "I'm joking lol": false, "I'm only joking": true, "haha, just kidding": true,
		"only kidding, we're fine": true, "that was a joke": true, "it's just a joke": true, "just kidding, I haven't": true,
		"开玩笑的": true, "开玩笑的 没换": true, "哈哈，逗你玩的": true, "我是开玩笑的": true, "骗你的": true, "开玩笑的，我们没事": true,
		"骗你的 我今年二十五哈哈": false, "he said only kidding and left": false, "Marcus was only kidding": false, "are you kidding?": false,
		"tell me a joke": false, "only kidding, I'm a pilot": false, "you're kidding": false, "他说他是开玩笑的": false, "给我讲个笑话": false,
		"你开玩笑的吧": false, "老郝爱开玩笑": false, "I was kidding Tom about his hat": false,
	} {
		if got := Joked(message, nil); got != want {
			t.Errorf("Joked(%q) = %v", message, got)
		}
	}
}
