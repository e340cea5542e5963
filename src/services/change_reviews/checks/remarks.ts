import type { Files } from "../../../engine/index.ts"

type Language = ReturnType<typeof Files.languageOf>

const hash = /^\s*#(?!!)/
const slashes = /^\s*(?:\/\/|\/\*|\*(?:[\s/]|$))/
const either = /^\s*(?:#|\/\/|\/\*|\*(?:[\s/]|$))/

const markers: Partial<Record<Language, RegExp>> = {
  python: hash,
  ruby: hash,
  shell: hash,
  php: either
}

/** Whether a line has no code: it is blank, or a comment from its first character on. */
export const isRemark = (language: Language, line: string): boolean =>
  line.trim() === "" || (markers[language] ?? slashes).test(line.slice(0, 2_000))
