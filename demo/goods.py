"""What the demo shop sells: one line a product, `name|English name|brand|list price|launched|weight`."""

from typing import NamedTuple

SHELVES = """
# 数码电器|Electronics|手机|1-1
iPhone 16|iPhone 16|Apple 苹果|5999|2024-09-20|9
iPhone 17 Pro|iPhone 17 Pro|Apple 苹果|8999|2025-09-19|8
华为 Mate 70|Huawei Mate 70|华为|5499|2024-11-26|8
华为 Pura 80|Huawei Pura 80|华为|6499|2025-06-11|6
华为 nova 12|Huawei nova 12|华为|2999|2023-12-26|6
小米 15|Xiaomi 15|小米|4499|2024-10-29|8
Redmi Note 14|Redmi Note 14|小米|1199|2024-09-26|12
荣耀 Magic7|Honor Magic7|荣耀|4499|2024-10-30|4
# 数码电器|Electronics|笔记本电脑|1-1
MacBook Air 13|MacBook Air 13|Apple 苹果|7999|2023-06-13|4
联想 小新 Pro 14|Lenovo Xiaoxin Pro 14|联想|5499|2023-05-10|6
联想 拯救者 Y7000|Lenovo Legion Y7000|联想|7499|2024-03-08|4
华为 MateBook 14|Huawei MateBook 14|华为|5999|2024-04-11|3
# 数码电器|Electronics|平板电脑|1-1
iPad Air|iPad Air|Apple 苹果|4799|2024-05-15|4
华为 MatePad 11|Huawei MatePad 11|华为|2499|2023-07-10|4
小米平板 7|Xiaomi Pad 7|小米|1999|2024-10-29|5
# 数码电器|Electronics|耳机|1-2
AirPods Pro|AirPods Pro|Apple 苹果|1899|2023-09-22|8
索尼 WH-1000XM5|Sony WH-1000XM5|索尼|2499|2023-03-01|4
小米 Buds 5|Xiaomi Buds 5|小米|699|2024-07-19|7
# 家用电器|Home Appliances|空调|1-1
格力 云佳 1.5匹 空调|Gree Yunjia Air Conditioner|格力|2899|2023-03-15|5
美的 酷省电 1.5匹 空调|Midea Cool Saver Air Conditioner|美的|2399|2023-04-01|6
# 家用电器|Home Appliances|冰箱|1-1
海尔 十字对开门 冰箱|Haier Four-Door Refrigerator|海尔|3999|2023-02-10|3
美的 三门 冰箱|Midea Three-Door Refrigerator|美的|1899|2023-02-10|3
# 家用电器|Home Appliances|洗衣机|1-1
海尔 滚筒洗衣机 10公斤|Haier Front-Load Washer 10 kg|海尔|2299|2023-05-20|4
小天鹅 洗烘一体机|Little Swan Washer Dryer|小天鹅|3299|2024-02-20|3
# 家用电器|Home Appliances|小家电|1-2
戴森 V12 吸尘器|Dyson V12 Vacuum|戴森|3790|2023-06-01|3
戴森 吹风机|Dyson Hair Dryer|戴森|2890|2023-06-01|4
美的 电饭煲|Midea Rice Cooker|美的|399|2023-01-10|9
小米 空气净化器|Xiaomi Air Purifier|小米|899|2023-03-10|6
小熊 养生壶|Bear Health Kettle|小熊|159|2023-01-10|8
# 服饰鞋包|Apparel|运动鞋|1-2
Nike 飞马 41 跑鞋|Nike Pegasus 41 Running Shoes|Nike|899|2024-06-05|9
阿迪达斯 Samba 运动鞋|Adidas Samba Sneakers|阿迪达斯|799|2023-03-01|9
李宁 赤兔 7 跑鞋|Li-Ning Red Hare 7|李宁|499|2024-01-10|10
安踏 C202 跑鞋|Anta C202 Running Shoes|安踏|699|2023-09-01|8
# 服饰鞋包|Apparel|T恤|1-3
优衣库 圆领 T恤|Uniqlo Crew Neck T-Shirt|优衣库|79|2023-04-01|18
Nike 速干 T恤|Nike Dri-FIT T-Shirt|Nike|229|2023-04-01|9
李宁 国潮 T恤|Li-Ning China T-Shirt|李宁|149|2024-04-01|9
# 服饰鞋包|Apparel|羽绒服|1-1
波司登 轻薄羽绒服|Bosideng Light Down Jacket|波司登|999|2023-09-15|7
优衣库 高级轻型羽绒服|Uniqlo Ultra Light Down Jacket|优衣库|499|2023-09-15|9
# 服饰鞋包|Apparel|箱包|1-2
NIKE 运动背包|NIKE Sports Backpack|NIKE|299|2023-05-01|6
小米 旅行箱 20寸|Xiaomi Suitcase 20 inch|小米|399|2023-03-01|6
# 食品生鲜|Food & Fresh|水果|1-4
苹果|Apples|果园鲜|29.9|2023-01-01|26
红富士苹果礼盒|Fuji Apple Gift Box|果园鲜|89|2023-01-01|10
香蕉|Bananas|果园鲜|19.9|2023-01-01|24
智利车厘子|Chilean Cherries||129|2023-01-01|10
赣南脐橙|Gannan Oranges|果园鲜|45|2023-01-01|15
# 食品生鲜|Food & Fresh|零食|1-4
三只松鼠 每日坚果|Three Squirrels Daily Nuts|三只松鼠|99|2023-01-01|22
三只松鼠 芒果干|Three Squirrels Dried Mango|三只松鼠|25.8|2023-01-01|18
良品铺子 猪肉脯|Bestore Pork Jerky|良品铺子|39.9|2023-01-01|14
奥利奥 饼干|Oreo Cookies|奥利奥|18.9|2023-01-01|18
# 食品生鲜|Food & Fresh|牛奶|1-4
蒙牛 纯牛奶 24盒|Mengniu Milk 24 Pack|蒙牛|69.9|2023-01-01|22
伊利 金典 牛奶 12盒|Yili Satine Milk 12 Pack|伊利|62|2023-01-01|22
# 食品生鲜|Food & Fresh|咖啡|1-3
三顿半 冻干咖啡|Saturnbird Instant Coffee|三顿半|169|2023-01-01|12
星巴克 咖啡豆|Starbucks Coffee Beans|星巴克|118|2023-01-01|9
# 美妆个护|Beauty|护肤|1-2
欧莱雅 复颜 面霜|L'Oreal Revitalift Cream|欧莱雅|329|2023-01-01|10
雅诗兰黛 小棕瓶 精华|Estee Lauder Night Repair Serum|雅诗兰黛|900|2023-01-01|7
薇诺娜 舒敏霜|Winona Soothing Cream|薇诺娜|268|2023-01-01|9
# 美妆个护|Beauty|彩妆|1-2
完美日记 眼影盘|Perfect Diary Eyeshadow Palette|完美日记|129|2023-01-01|11
花西子 散粉|Florasis Loose Powder|花西子|169|2023-01-01|10
# 美妆个护|Beauty|个人护理|1-3
欧莱雅 洗发水|L'Oreal Shampoo|欧莱雅|59.9|2023-01-01|16
飞利浦 电动牙刷|Philips Electric Toothbrush|飞利浦|299|2023-01-01|8
# 家居日用|Home & Living|家具|1-1
宜家 毕利 书架|IKEA Billy Bookcase|宜家|399|2023-01-01|4
宜家 马库斯 转椅|IKEA Markus Chair|宜家|1499|2023-01-01|3
# 家居日用|Home & Living|清洁|1-4
蓝月亮 洗衣液|Blue Moon Laundry Detergent|蓝月亮|49.9|2023-01-01|22
维达 抽纸 24包|Vinda Tissues 24 Pack|维达|59.9|2023-01-01|24
# 家居日用|Home & Living|厨具|1-2
苏泊尔 炒锅|Supor Wok|苏泊尔|259|2023-01-01|8
膳魔师 保温杯|Thermos Bottle|膳魔师|239|2023-01-01|9
# 母婴玩具|Baby & Toys|玩具|1-2
乐高 城市系列 消防车|LEGO City Fire Truck|乐高|249|2023-01-01|8
乐高 千年隼|LEGO Millennium Falcon|乐高|1399|2023-01-01|2
# 母婴玩具|Baby & Toys|母婴用品|1-3
花王 纸尿裤|Merries Diapers|花王|129|2023-01-01|12
飞鹤 星飞帆 奶粉|Feihe Infant Formula|飞鹤|328|2023-01-01|9
# 图书文具|Books & Stationery|图书|1-2
三体 全集|The Three-Body Problem Trilogy|重庆出版社|93|2023-01-01|12
深入浅出数据分析|Head First Data Analysis|中国电力出版社|88|2023-01-01|6
小王子|The Little Prince|人民文学出版社|32|2023-01-01|11
# 图书文具|Books & Stationery|文具|1-5
晨光 中性笔 12支|M&G Gel Pens 12 Pack|晨光|19.9|2023-01-01|20
晨光 笔记本 5本|M&G Notebooks 5 Pack|晨光|29.9|2023-01-01|12
# 运动户外|Sports & Outdoors|露营|1-1
牧高笛 三人帐篷|Mobi Garden 3-Person Tent|牧高笛|599|2023-04-01|5
骆驼 折叠椅|Camel Folding Chair|骆驼|129|2023-04-01|8
# 运动户外|Sports & Outdoors|健身|1-2
Keep 瑜伽垫|Keep Yoga Mat|Keep|99|2023-01-01|10
迪卡侬 哑铃|Decathlon Dumbbells|迪卡侬|149|2023-01-01|6
李宁 羽毛球拍|Li-Ning Badminton Racket|李宁|369|2023-01-01|6
"""

# Gross margin by category, before discounts.
COST_SHARE = {
    "数码电器": 0.82,
    "家用电器": 0.74,
    "服饰鞋包": 0.52,
    "食品生鲜": 0.68,
    "美妆个护": 0.45,
    "家居日用": 0.61,
    "母婴玩具": 0.64,
    "图书文具": 0.58,
    "运动户外": 0.57,
}

TAGS = ("新品", "爆款", "清仓", "进口", "环保", "送礼", "季节限定")


class Product(NamedTuple):
    """One article; prices in fen (1/100 yuan), `most` is the largest usual quantity."""

    name: str
    name_en: str
    category: str
    category_en: str
    subcategory: str
    brand: str
    list_price: int
    cost: int
    launched: str
    weight: int
    most: int


def products() -> list[Product]:
    """All articles, in the order of their ids (from 1)."""
    found, shelf = [], ["", "", "", ""]
    for line in SHELVES.strip().splitlines():
        if line.startswith("#"):
            shelf = line[1:].strip().split("|")
            continue
        name, name_en, brand, price, launched, weight = line.split("|")
        fen = round(float(price) * 100)
        cost = round(fen * COST_SHARE[shelf[0]])
        most = int(shelf[3].split("-")[1])
        found.append(
            Product(name, name_en, shelf[0], shelf[1], shelf[2], brand, fen, cost, launched, int(weight), most)
        )
    return found
