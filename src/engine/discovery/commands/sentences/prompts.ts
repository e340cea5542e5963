/** An environment of Python that is entered stands before the prompt. */
const environment = /^\([\w.-]{1,40}\)\s*(?=\S{0,80}[$%#>❯➜])/

/** The marks alone, with a space behind them. */
const mark = /^[$>%#▶❯➜λ»]\s+/

/** `kim@till:~/shop$`, `[kim@till shop]$`, `~/shop$`, `bash-5.1$`, `host%`: who asks, and where. */
const named =
  /^(?:\[?[\w.-]{1,40}@[\w.-]{1,60}[: ][^$#%>\n]{0,80}?\]?\s?[$#%>]|(?:~|\.{1,2})?(?:\/[\w.-]{1,40}){0,6}[$%]|(?:ba|z|k|c|tc)?sh(?:-[\d.]{1,6})?[$#%]|[A-Za-z][\w-]{0,30}[$%])\s+/

/** `PS C:\\shop>`, `C:\\shop>` and `PS>`. */
const ofWindows = /^(?:PS\s?(?:[A-Z]:\\[^>\n]{0,80})?>|[A-Z]:\\[^>\n]{0,80}>)\s*/

/** No variable of the shell: `$npm install`. */
const withoutSpace =
  /^\$(?=(?:npm|npx|yarn|pnpm|bun|pip3?|python3?|cargo|go|make|cmake|git|cd|bundle|gem|rake|composer|php|docker|sudo|\.\/)\b\s*\S)/

const prompts = [mark, named, ofWindows, withoutSpace]

/** A line as it is typed. */
export const withoutPrompt = (line: string): string => {
  const text = line.replace(environment, "")
  const found = prompts.find((prompt) => prompt.test(text))
  return found === undefined ? line : text.replace(found, "")
}

/** Begins with a prompt that no other text begins with. */
export const isPrompted = (line: string): boolean => /^\s*(?:\([\w.-]{1,40}\)\s*)?\$\s+[a-z./]\S/.test(line)
