package sensitive

import (
	"strings"
	"testing"
)

func found(text string, spans []Span) []string {
	out := []string{}
	for _, s := range spans {
		out = append(out, s.Kind+": "+text[s.Offset:s.Offset+s.Length])
	}
	return out
}

// P5: keys, tokens, passwords and card numbers are found; what only speaks of them is not.
func TestSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"use sk-proj-abcdEFGH1234567890abcd for it":                           "api key: sk-proj-abcdEFGH1234567890abcd",
		"ghp_16C7e42F292c6912E7710c838347Ae178B4a":                            "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a",
		"AKIAIOSFODNN7EXAMPLE":                                                "cloud key: AKIAIOSFODNN7EXAMPLE",
		"my password is hunter2.":                                             "password: hunter2",
		"wifi password: correct-horse":                                        "password: correct-horse",
		"the PIN is 4711":                                                     "password: 4711",
		"postgres://bo:s3cret@db.local/x":                                     "password: s3cret",
		"card 4111 1111 1111 1111 exp 10/30":                                  "card number: 4111 1111 1111 1111",
		"Authorization: Bearer abcdef0123456789abcdef":                        "token: abcdef0123456789abcdef",
		"我的密码是 Qwerty!2024":                                                   "password: Qwerty!2024",
		"支付密码：998877":                                                         "password: 998877",
		"验证码是 839201":                                                         "password: 839201",
		"银行卡号6222021234567890128":                                             "card number: 6222021234567890128",
		"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----": "private key: -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
		"my card is 4929 1234 5678 9012":                                      "card number: 4929 1234 5678 9012",
		"my credit card is 4929 1234 5678 9012. don't tell anyone":            "card number: 4929 1234 5678 9012",
		"the number on my bank card is 4929-1234-5678-901":                    "card number: 4929-1234-5678-901",
		"我的银行卡是 6222 0202 0000 1234 567":                                      "card number: 6222 0202 0000 1234 567",
		"my phone lock code is 250419":                                        "password: 250419",
		"the alarm code at home is 8812":                                      "password: 8812",
		"the code for the front door is 4711":                                 "password: 4711",
		"I unlock my phone with 250419":                                       "password: 250419",
		"密码你记一下 我手机锁屏是 250419":                                                "password: 250419",
		"家里门锁密码9981":                                                          "password: 9981",
		"取款密码 998877":                                                         "password: 998877",
		"my phone number is 07700 900123":                                     "",
		"the door is number 1234":                                             "",
		"the dress code is smart":                                             "",
		"I got a card from Anna in 2024":                                      "",
		"I unlock the shop with Tom at 9":                                     "",
		"密码2024年改过":                                                           "",
		"我手机解锁要3秒":                                                            "",
		"房卡在1204房间":                                                           "",
		"支付宝支付密码你记到起112233":                                                   "password: 112233",
		"我身份证510107198104123456":                                              "identity number: 510107198104123456",
		"身份证号码是51010719810412345X":                                            "identity number: 51010719810412345X",
		"银行卡号6222 0242 0001 2345 678":                                         "card number: 6222 0242 0001 2345 678",
		"农行卡6228480402564890012":                                              "card number: 6228480402564890012",
		"手机锁屏密码2580":                                                          "password: 2580",
		"门禁码 3391#":                                                           "password: 3391#",
		"my card is 4929 1234 5678 9013 exp 04/29":                            "card number: 4929 1234 5678 9013",
		"visa 4929-1234-5678-901":                                             "card number: 4929-1234-5678-901",
		"my phone pin 2580":                                                   "password: 2580",
		"the unlock code for my phone is 258013":                              "password: 258013",
		"wifi password hunter22":                                              "password: hunter22",
		"my ssn 078-05-1120":                                                  "identity number: 078-05-1120",
		"我密码2024年改过":                                                          "",
		"密码连续输错3次":                                                            "",
		"我身份证2031年到期":                                                         "",
		"银行卡一天限额50000":                                                        "",
		"my library card is due 20 January 2027":                              "",
		"the door code changes every 30 days":                                 "",
		"our front door is number 4471":                                       "",
		"I forgot my password 3 times in 2024":                                "",
		"my password is wrong":                                                "",
		"the password is stored in the vault":                                 "",
		"密码是什么":                                                               "",
		"order 4111 1111 1111 1112":                                           "",
		"commit 3f786850e387550fdab836ed7e6dc881de23001b":                     "",
		"the key is under the mat":                                            "",
		"call me on 13812345678":                                              "",
		"I like tea":                                                          "",
	} {
		if got := strings.Join(found(text, Secrets(text)), " | "); got != want {
			t.Errorf("Secrets(%q) = %q, want %q", text, got, want)
		}
	}
}

// P5: personal data is found in both languages; ordinary numbers are not.
func TestPII(t *testing.T) {
	for text, want := range map[string]string{
		"write to bo.larsen@example.org":       "contact: bo.larsen@example.org",
		"call +49 170 1234567 now":             "contact: +49 170 1234567",
		"ring 555-123-4567":                    "contact: 555-123-4567",
		"手机13812345678":                        "contact: 13812345678",
		"身份证号110101199003071233":               "identity document: 110101199003071233",
		"ssn 078-05-1120":                      "identity document: 078-05-1120",
		"passport number C01X00T47":            "identity document: C01X00T47",
		"passport AB1234567":                   "identity document: AB1234567",
		"护照号是E12345678":                        "identity document: E12345678",
		"I live at 12 Baker Street in London":  "address: 12 Baker Street",
		"住在中关村大街27号":                           "address: 住在中关村大街27号",
		"IBAN DE89 3704 0044 0532 0130 00":     "finances: DE89 3704 0044 0532 0130 00",
		"version 1.2.3 of 2024-05-01 at 10:30": "",
		"I was born in 1990 and have 3 cats":   "",
		"line 12 of the road map":              "",
	} {
		if got := strings.Join(found(text, PII(text)), " | "); got != want {
			t.Errorf("PII(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestRedact(t *testing.T) {
	text := "mail bo@example.org or 555-123-4567, 谢谢"
	if got, want := Redact(text, PII(text)), "mail ••• or •••, 谢谢"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzSecrets(f *testing.F) {
	for _, s := range []string{"my password is \xff", "4111 1111 1111 1111", "密码是", "-----BEGIN PRIVATE KEY-----", "a@b.cc +1 (2) 3456789"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, spans := range [][]Span{Secrets(s), PII(s)} {
			end := 0
			for _, sp := range spans {
				if sp.Offset < end || sp.Length <= 0 || sp.Offset+sp.Length > len(s) {
					t.Fatalf("%q: span %+v after %d", s, sp, end)
				}
				end = sp.Offset + sp.Length
			}
			Redact(s, spans)
		}
	})
}
