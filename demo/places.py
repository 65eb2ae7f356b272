"""Where the demo shop sells: provinces, regions, cities, channels, and the people's names."""

# region|English|province|English|weight|cities (districts for the four municipalities)
PROVINCES = """
华北|North China|北京市|Beijing|45|朝阳区 海淀区 丰台区
华北|North China|天津市|Tianjin|18|南开区 滨海新区
华北|North China|河北省|Hebei|38|石家庄市 保定市 唐山市
华北|North China|山西省|Shanxi|18|太原市 大同市
华北|North China|内蒙古自治区|Inner Mongolia|11|呼和浩特市 包头市
东北|Northeast China|辽宁省|Liaoning|24|沈阳市 大连市
东北|Northeast China|吉林省|Jilin|12|长春市 吉林市
东北|Northeast China|黑龙江省|Heilongjiang|15|哈尔滨市 大庆市
华东|East China|上海市|Shanghai|50|浦东新区 徐汇区 静安区
华东|East China|江苏省|Jiangsu|68|南京市 苏州市 无锡市
华东|East China|浙江省|Zhejiang|70|杭州市 宁波市 温州市
华东|East China|安徽省|Anhui|34|合肥市 芜湖市
华东|East China|福建省|Fujian|36|福州市 厦门市 泉州市
华东|East China|江西省|Jiangxi|24|南昌市 赣州市
华东|East China|山东省|Shandong|62|济南市 青岛市 烟台市
华中|Central China|河南省|Henan|52|郑州市 洛阳市
华中|Central China|湖北省|Hubei|38|武汉市 宜昌市
华中|Central China|湖南省|Hunan|38|长沙市 株洲市
华南|South China|广东省|Guangdong|98|广州市 深圳市 东莞市 佛山市
华南|South China|广西壮族自治区|Guangxi|22|南宁市 桂林市
华南|South China|海南省|Hainan|7|海口市 三亚市
西南|Southwest China|重庆市|Chongqing|26|渝北区 渝中区
西南|Southwest China|四川省|Sichuan|48|成都市 绵阳市
西南|Southwest China|贵州省|Guizhou|14|贵阳市 遵义市
西南|Southwest China|云南省|Yunnan|18|昆明市 大理市
西南|Southwest China|西藏自治区|Tibet|2|拉萨市
西北|Northwest China|陕西省|Shaanxi|26|西安市 咸阳市
西北|Northwest China|甘肃省|Gansu|9|兰州市
西北|Northwest China|青海省|Qinghai|3|西宁市
西北|Northwest China|宁夏回族自治区|Ningxia|4|银川市
西北|Northwest China|新疆维吾尔自治区|Xinjiang|9|乌鲁木齐市 喀什市
"""

# name, English name, type, weight at the start and at the end of the data
CHANNELS = (
    ("天猫", "Tmall", "线上", 34, 26),
    ("京东", "JD.com", "线上", 26, 22),
    ("抖音", "Douyin", "线上", 10, 24),
    ("微信小程序", "WeChat Mini Program", "线上", 10, 14),
    ("官网", "Official Website", "线上", 6, 5),
    ("线下门店", "Offline Store", "线下", 14, 9),
)

LEVELS = (("普通", 58), ("银卡", 25), ("金卡", 12), ("钻石", 5))

REASONS = (
    ("不喜欢", 30),
    ("尺码不合适", 20),
    ("质量问题", 18),
    ("物流太慢", 12),
    ("发错货", 8),
    ("其他", 5),
    (None, 7),
)

SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
GIVEN_NAMES = (
    "伟 芳 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 霞 平 刚 桂英 秀英 建华 志强 海燕 晓东 文静 子涵 雨桐 浩然 "
    "思远 欣怡 梓萱 宇航 佳琪 俊杰 诗涵 博文 雪梅 国庆 玉兰 春生 一诺 可馨 天宇 若曦 嘉怡 明轩 晨曦 雅婷"
)
GIVEN = GIVEN_NAMES.split()
ENGLISH_NAMES = ("Emma Brown", "James Smith", "Olivia Wilson", "Liam Johnson", "Sofia Garcia", "Noah Miller")


def provinces() -> list[tuple[str, str, str, str, int, list[str]]]:
    """(province, English, region, English, weight, cities) in the order of their ids (from 1)."""
    rows = [line.split("|") for line in PROVINCES.strip().splitlines()]
    return [(p, p_en, region, r_en, int(weight), cities.split()) for region, r_en, p, p_en, weight, cities in rows]
