import type { Command } from "../commands/Command.ts"
import { Possibilities } from "../commands/possible.ts"
import type { Survey } from "../Survey.ts"
import { type Description, descriptionText, documentsOf } from "./Description.ts"

export interface DescribedCommand extends Description {
  readonly command: string
}

const fence = /^\s*(?:```|~~~)\s*(\w*)/
const isShell = /^(?:|sh|bash|shell|zsh|console|shell-session|terminal|text)$/

/** `npm run fuzz    # generated requests`: a command that its line explains. */
const explained = /^\s*(?:\$\s+)?([a-z./][^#\n]{1,120}?)\s+#\s+(\S.*)$/

/** What runs something of the repository; installing a package or fetching a page is of the world around it. */
const isOwn =
  /^(?:(?:npm|pnpm|yarn|bun) (?!(?:i|install|add) \S)|(?:make|just|task|rake|tox|nox|mix|invoke|inv|hatch|mvn|gradle)\b|cargo (?!add|install)|composer (?!require|install)|(?:poetry|uv|pipenv|bundle) (?:run|exec)|python3? -m |\.\/\w|(?:bin|scripts?|tools?|ci|dev|hack)\/\w)/

/** Names a place that the reader has to fill in. */
const isLeftOpen = /path\/to\/|<[^>]*>|\byour[-_]/

/** The lines of blocks of shell commands that explain one. */
const explainedIn = (text: string, path: string): ReadonlyArray<DescribedCommand> => {
  let isInside = false
  return text.split("\n").flatMap((line, index) => {
    const opened = fence.exec(line)
    if (opened !== null) isInside = !isInside && isShell.test(opened[1]!)
    const [, command, remark = ""] = (isInside ? explained.exec(line) : null) ?? []
    const description = descriptionText(remark)
    return command === undefined || description === null ? [] : [{ command, text: description, path, line: index + 1 }]
  })
}

/** Commands of the repository that documents explain beside them, each once, in their order. */
export const describedCommands = (survey: Survey): ReadonlyArray<DescribedCommand> => {
  const found = new Map<string, DescribedCommand>()
  for (const { path, text } of documentsOf(survey))
    for (const one of explainedIn(text, path))
      if (!found.has(one.command) && isOwn.test(one.command) && !isLeftOpen.test(one.command))
        found.set(one.command, one)
  if (found.size === 0) return []
  const possibilities = new Possibilities(survey)
  return [...found.values()].filter(({ command, path, line }) => {
    const stated: Command = { purpose: "check", command, means: null, folder: "", path, line, origin: "document" }
    return possibilities.allows(stated)
  })
}
