/** How a condition of a statement begins in a text of the code. */
export const conditionStart = /["'`]\s*(?:WHERE\s|where\s|[\w.`]{1,40} = '["'%{$])/

/**
 * A condition of a statement with a value in it, as methods of a program's own are handed it: `where id = ` and what
 * follows, or `name = '` with the value in quotes.
 */
export const conditionText =
  /^\s*(?:(?:where|and|or)\s+[\w.`"[\]]+\s*(?:[=<>]|!=|like\b|in\b)[^\u0000]*\u0000|[\w.`]+\s*=\s*'%?\u0000)/i
