// PostgreSQL's text and jsonb hold neither NUL nor half of a surrogate pair.
const unstorable = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export const storableText = (text: string, max = 2000): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).replace(unstorable, "\ufffd")

// JSON.stringify writes exactly these as escapes; an even number of backslashes before one belongs to the text.
const unstorableEscape = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/** JSON text that a jsonb column takes, whatever the strings in it. */
export const storableJson = (value: unknown): string =>
  (JSON.stringify(value) ?? "null").replace(unstorableEscape, "$1\ufffd")
