// PostgreSQL's text holds neither NUL nor half of a surrogate pair.
const unstorable = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export const storableText = (text: string, max = 2000): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).replace(unstorable, "\ufffd")
