import type { Survey } from "../Survey.ts"

const quoted = /[`"']([\w.][\w./-]{1,60})[`"']/g
/** A path, or a file by its ending, as plain text has them. */
const plain =
  /(?<![\w/.:-])((?:[\w.-]{1,40}\/){1,6}[\w.-]{0,40}|[\w-]{1,40}\.(?:[ch]|cc|cpp|go|hs|java|js|jsx|ml|php|p[lmy]|rb|rs|sh|ts|tsx))(?![\w-])/g

const isOfSources = (survey: Survey, written: string): boolean => {
  const path = written.replace(/^\.?\//, "").replace(/[/.]+$/, "")
  return path !== "" && !/^(?:package\.json|\w+\.(?:toml|cfg|ini|lock|md|txt))$/.test(path) && survey.resolves(path)
}

/** Whether a text names a folder or a file of the program's sources. */
export const namesSources = (survey: Survey, text: string): boolean =>
  [...text.matchAll(quoted), ...text.matchAll(plain)].some(([, written]) => isOfSources(survey, written!))

/** What users of a program make with it, or what is made for its repository. */
export const isOfUsers =
  /\b(?:pull request|issue|fork|account|branch|bug|report|feature|release|commit|patch|environment|virtualenv|key|token|config\w*|setting|option|user|password|certificate|dependency|project|repository|note|tag|test|badge|log|backup|alias|shortcut)s?\b/i
