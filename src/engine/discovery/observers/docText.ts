/** Marks of the languages in which comments are written, taken off so that the words remain. */
const marks: ReadonlyArray<readonly [RegExp, string]> = [
  // Cross references: the last part of the name, or the text that stands for it.
  [/:(?:[a-z]+:)*[a-z]+:`~?!?([^`<]*[^`<\s])\s*<[^`>]*>`/gi, "`$1`"],
  [/:(?:[a-z]+:)*[a-z]+:`(?:~|!)?(?:[\w.]*\.)?([^`]+)`/gi, "`$1`"],
  [/\{@(?:link|linkplain|see|inheritDoc)\s+[^}\s]+\s+([^}]+)\}/g, "$1"],
  [/\{@(?:link|linkplain|see|code|literal|value)\s+(?:[\w.]*[.#])?([^}]+)\}/g, "`$1`"],
  [/<(?:see|seealso|paramref|typeparamref)\s+\w+="(?:\w:)?(?:[\w.]*\.)?([^"]+)"\s*\/?>(?:<\/\w+>)?/g, "`$1`"],
  [/\[`([^`\]]+)`\](?:\([^)]*\)|\[[^\]]*\])?/g, "`$1`"],
  [/\[([^\]]{1,80})\]\([^)]{1,200}\)/g, "$1"],
  [/\bL\{([^}]+)\}/g, "`$1`"],
  [/``([^`]+)``/g, "`$1`"],
  [/(?<![\w+])\+([A-Za-z][\w:.#]*)\+(?![\w+])/g, "`$1`"],
  [/<\/?[a-zA-Z][^<>]{0,80}>/g, ""],
  [/\*\*([^*]+)\*\*/g, "$1"],
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&amp;/g, "&"]
]

export const plainDoc = (text: string): string => marks.reduce((plain, [mark, by]) => plain.replace(mark, by), text)
