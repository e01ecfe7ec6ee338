package manager_test

import (
	"slices"
	"testing"
)

// P4: what people say later in other words ends what they told before, and what is so now is kept.
func TestChineseChanges(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		said []string
		now  []string
	}{
		// Another day for something, with what is done then.
		{[]string{"科目三约的是12月12号", "科目三改到19号考了"}, []string{"科目三约的是19号（2026年12月19日）"}},
		{[]string{"12月2号体检", "体检推到12月9号早上八点去"}, []string{"体检改到12月9号早上（2026年12月9日）八点去"}},
		// Who calls says which visit it is.
		{
			[]string{"12月2号上午十点拔智齿", "火锅底料哪个牌子好", "牙科前台打电话来说那天没号了 给我挪到4号了"},
			[]string{"4号上午（2026年12月4日）十点拔智齿"},
		},
		{
			[]string{"12月2号上午十点拔智齿", "我住成都", "驾校打电话来说教练请假 给我挪到4号了"},
			[]string{"12月2号上午（2026年12月2日）十点拔智齿", "住在成都"},
		},
		{
			[]string{"12月2号上午十点拔智齿", "我住成都", "我同事的牙医打电话来 给他挪到4号了"},
			[]string{"12月2号上午（2026年12月2日）十点拔智齿", "住在成都"},
		},
		// Another price for what has one.
		{[]string{"我们店的凉皮卖7块钱一份", "凉皮8块钱一份"}, []string{"凉皮8块钱一份"}},
		{[]string{"我们店的凉皮卖7块钱一份", "隔壁肉夹馍8块钱一份"}, []string{"凉皮7块钱一份"}},
		{[]string{"我们店的凉皮卖7块钱一份", "凉皮8块钱一份贵不贵"}, []string{"凉皮7块钱一份"}},
		// Back to earlier work.
		{[]string{"我老公在开滴滴", "老公不开滴滴了 回厂里上班了"}, []string{"老公回厂里上班"}},
		{[]string{"我老公在开滴滴", "我弟的同学不开滴滴了 回厂里上班了"}, []string{"老公在开滴滴"}},
		{[]string{"我在永辉做收银", "永辉那边我辞了"}, nil},
		{[]string{"我在永辉做收银", "工服交了 下个月去幼儿园当保育员"}, []string{"下个月（2026年12月）去幼儿园当保育员"}},
		{[]string{"我在永辉做收银", "同事小芳把永辉辞了"}, []string{"在永辉做收银"}},
		{[]string{"我在永辉做收银", "要是把永辉辞了我干啥"}, []string{"在永辉做收银"}},
		// Together again.
		{[]string{"我女朋友叫小雯", "和小雯分手了", "和小雯和好了"}, []string{"和小雯和好了"}},
		{[]string{"我女朋友叫小雯", "和小雯分手了", "我闺蜜和她男朋友和好了"}, nil},
		// Sold.
		{[]string{"我有一把雅马哈吉他", "吉他在闲鱼出掉了"}, nil},
		{[]string{"我有一把雅马哈吉他", "那把琴挂闲鱼出掉了"}, nil},
		{[]string{"我有一把雅马哈吉他", "我哥的吉他在闲鱼出掉了"}, []string{"我有一把雅马哈吉他"}},
		// What is so instead.
		{[]string{"我开的是辆二手捷达", "捷达报废了 现在坐地铁"}, []string{"现在坐地铁"}},
		{[]string{"我开的是辆二手捷达", "我同事的捷达报废了 现在坐地铁"}, []string{"我开的是辆二手捷达"}},
		{[]string{"我每天喝两杯黑咖啡", "医生不让喝咖啡了"}, []string{"医生不让喝咖啡"}},
		{[]string{"我每天喝两杯黑咖啡", "医生不让我爸喝咖啡了"}, []string{"每天喝两杯黑咖啡"}},
		{[]string{"我戒烟两年了", "又抽上了 压力大"}, []string{"又抽烟了"}},
		{[]string{"我戒烟两年了", "我爸又抽上了"}, []string{"戒烟两年"}},
		{[]string{"我办了健身卡 每周去三次", "健身房跑路了"}, nil},
		{[]string{"我办了健身卡 每周去三次", "楼下火锅店倒闭了"}, []string{"我办了健身卡 每周去三次"}},
		// Of the user's people and animals.
		{[]string{"我对象在银行当柜员", "他跳槽去了证券公司"}, []string{"对象在证券公司上班"}},
		{[]string{"我对象在银行当柜员", "他同学跳槽去了证券公司"}, []string{"对象同学跳槽去了证券公司", "对象在银行当柜员"}},
		{[]string{"我对象在银行当柜员", "他想跳槽去证券公司"}, []string{"对象在银行当柜员"}},
		{[]string{"我和我姐合租在天通苑", "我姐搬走了"}, nil},
		{[]string{"我妈住在老家", "我妈上周接过来跟我们一起住了"}, []string{"妈跟我们一起住"}},
		{[]string{"我养了只鹦鹉叫花花", "花花飞了 再没回来"}, nil},
		{[]string{"我女儿叫花花", "花花飞了一趟北京"}, []string{"女儿叫花花"}},
		{[]string{"我欠小舅子三千块", "小舅子的三千打给他了"}, nil},
		// The hairdresser's other day, a meeting of friends a day later.
		{[]string{"我约了12月5号下午去剪头", "理发店改时间了 变成12月6号"}, []string{"约了12月6号下午（2026年12月6日）去剪头"}},
		{[]string{"12月3号晚上同学聚会", "聚会改地方了 时间也往后挪了一天"}, []string{"12月4号晚上（2026年12月4日）同学聚会"}},
		{[]string{"修空调的师傅说12月3号上午来", "他说12月1号下午就能过来"}, []string{"修空调的师傅12月1号下午（2026年12月1日）来"}},
		{[]string{"修空调的师傅说12月3号上午来", "他说12月1号下雨"}, []string{"修空调的师傅12月3号上午（2026年12月3日）来"}},
		{[]string{"我12月3号考科目三", "他说12月1号能来"}, []string{"12月3号（2026年12月3日）考科目三"}},
		{[]string{"语文考试12月9号 数学12月11号"}, []string{"数学12月11号（2026年12月11日），数学考试", "语文考试12月9号（2026年12月9日）"}},
		{[]string{"我12月9号考驾照 我妈12月11号来"}, []string{"12月9号（2026年12月9日）考驾照", "妈12月11号（2026年12月11日）来"}},
		// Two of one relation, by their names.
		{[]string{"我妹妹阿珍住珠海", "我妹妹阿秀住清远"}, []string{"妹妹叫阿珍", "妹妹叫阿秀", "妹妹阿珍住在珠海", "妹妹阿秀住在清远"}},
		{[]string{"我妹妹一直住珠海", "我老婆娘家住南通"}, []string{"妹妹住在珠海", "老婆娘家住南通"}},
		// What was planned has been.
		{[]string{"我12月5号去杭州出差", "出差回来了 累死"}, nil},
		{[]string{"我12月5号去杭州出差", "老公出差回来了"}, []string{"12月5号（2026年12月5日）去杭州出差"}},
		{[]string{"我12月5号去杭州出差", "等出差回来了再说"}, []string{"12月5号（2026年12月5日）去杭州出差"}},
		{[]string{"婚礼定在12月18号", "婚礼推到明年开春了"}, []string{"婚礼改到明年（2027年）开春"}},
		{[]string{"我儿子上幼儿园大班", "儿子上小学了"}, []string{"儿子上小学了"}},
		{[]string{"我儿子上幼儿园大班", "儿子同桌上小学了"}, []string{"儿子上幼儿园大班", "儿子同桌上小学了"}},
		{[]string{"我表弟住我家", "表弟搬学校宿舍去了"}, []string{"表弟住在学校宿舍"}},
		{[]string{"我跟老公离婚了", "我跟老公复婚了"}, []string{"和老公复婚了"}},
		// Another car in the house ends none.
		{[]string{"我开的是一辆五菱", "给媳妇买了台比亚迪"}, []string{"媳妇有比亚迪", "我开的是一辆五菱"}},
	} {
		t.Run(c.said[len(c.said)-1], func(t *testing.T) {
			m, _ := open(t)
			session := ""
			for _, s := range c.said {
				turn, _ := say(t, m, luna, session, s)
				session = turn.Session.ID
			}
			if got := activeContents(t, m); !slices.Equal(got, append([]string{}, c.now...)) {
				t.Errorf("got %q, want %q", got, c.now)
			}
		})
	}
}
