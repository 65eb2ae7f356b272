// Elements are made here and nowhere else: text is always text, so nothing the database holds can become markup.
export function make(tag, options = {}, ...children) {
  const { class: name, on = {}, ...attributes } = options;
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export const find = (selector) => document.querySelector(selector);
