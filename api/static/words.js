// What the page says, in both languages. A missing word is a mistake that the test finds.
const WORDS = {
  zh: {
    title: "问数据，得到可核对的答案",
    intro: "用一句话提问。会给出对问题的理解、一条经过验证的 SQL 和结果。",
    placeholder: "例如：2025年第一季度各大区的销售额",
    question: "问题", send: "提问", stop: "停止", fresh: "新会话", other: "EN", otherName: "Switch to English",
    light: "浅色", dark: "深色", reading: "理解为", sql: "SQL", copy: "复制", copied: "已复制", csv: "下载 CSV",
    steps: "步骤", running: "正在", stopped: "已停止", answered: "已回答", failed: "没有得到答案",
    lost: "连接中断了，答案没有传完。", lostMend: "请检查服务是否还在运行，然后重试。", retry: "重试",
    offline: "连不上服务。", offlineMend: "请确认 data-agent serve 正在运行。",
    only: (n) => `仅显示前 ${n} 行，结果被截断；不要据此求合计。`, rows: (n) => `${n} 行`, more: (n) => `显示其余 ${n} 行`,
    noRows: "没有符合条件的数据。", empty: "（空）", nothing: "—", nothingName: "空值", sort: "排序",
    byReading: "由目录直接组成，未用模型", byModel: "由模型编写", calls: (n) => `模型 ${n} 次`, sure: (p) => `把握 ${p}%`,
    choose: "请选择您的意思：", warnings: "提示", sources: "来源", mend: "怎么办",
    metric: "指标", dimension: "分组", filter: "条件", time: "时间", order: "排序", limit: "前", unplaced: "没有看懂",
    yoy: "同比", mom: "环比", share: "占比", running_total: "累计", per: "平均每", near: "相近",
    day: "日", week: "周", month: "月", quarter: "季", year: "年", descending: "从高到低", ascending: "从低到高",
    change: "修改", remove: "去掉", addPart: "再加一项", value: "内容", apply: "应用", leave: "取消", key: "密钥",
    mayRun: "这条语句开销大，要执行吗？", approve: "批准执行", declineIt: "不执行",
    warehouse: "库", anyWarehouse: "自动选库",
    open: "不限", fresh_to: (day) => `数据截至 ${day}`, found: (n, ms) => `${n} 个步骤 · ${ms}`,
  },
  en: {
    title: "Ask your data, check the answer",
    intro: "Ask in one sentence. You get how it was read, one proven SQL statement, and the result.",
    placeholder: "For example: monthly revenue in 2025",
    question: "Question", send: "Ask", stop: "Stop", fresh: "New conversation", other: "中文", otherName: "切换到中文",
    light: "Light", dark: "Dark", reading: "Read as", sql: "SQL", copy: "Copy", copied: "Copied", csv: "Download CSV",
    steps: "Steps", running: "Now:", stopped: "Stopped", answered: "Answered", failed: "No answer",
    lost: "The connection was lost before the answer was complete.", lostMend: "Check that the service still runs, then try again.",
    retry: "Try again", offline: "The service cannot be reached.", offlineMend: "Check that data-agent serve is running.",
    only: (n) => `Only the first ${n} rows are shown; the result was cut, so do not add it up.`,
    rows: (n) => `${n} ${n === 1 ? "row" : "rows"}`, more: (n) => `Show ${n} more rows`,
    noRows: "No data matches these conditions.", empty: "(empty)", nothing: "—", nothingName: "null", sort: "Sort",
    byReading: "composed from the catalog, no model", byModel: "written by the model",
    calls: (n) => `${n} model ${n === 1 ? "call" : "calls"}`, sure: (p) => `${p}% sure`,
    choose: "What did you mean?", warnings: "Notes", sources: "Sources", mend: "What to do",
    metric: "metric", dimension: "by", filter: "where", time: "when", order: "order", limit: "first", unplaced: "not understood",
    yoy: "year on year", mom: "period on period", share: "share", running_total: "running total", per: "average per", near: "near",
    day: "day", week: "week", month: "month", quarter: "quarter", year: "year", descending: "highest first", ascending: "lowest first",
    change: "Change", remove: "Remove", addPart: "Add a part", value: "Value", apply: "Apply", leave: "Cancel", key: "Key",
    mayRun: "This statement is expensive. Run it?", approve: "Run it", declineIt: "Do not run it",
    warehouse: "Warehouse", anyWarehouse: "Any warehouse",
    open: "open", fresh_to: (day) => `data to ${day}`, found: (n, ms) => `${n} steps · ${ms}`,
  },
};

const remembered = localStorage.getItem("language");
let language = remembered || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");

export const current = () => language;

export function turnLanguage() {
  language = language === "zh" ? "en" : "zh";
  localStorage.setItem("language", language);
}

export function say(key, ...values) {
  const found = WORDS[language][key];
  return typeof found === "function" ? found(...values) : found;
}

export const stepName = (step, label) => (language === "zh" ? label : step.replaceAll("_", " "));

export const duration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
