import type { Language } from "../core/files/Language.ts"
import { clip } from "./Observed.ts"

/** A place that a sentence relies on, with names that must stand there. */
export interface Citation {
  readonly path: string
  readonly line: number
  readonly end?: number
  readonly names?: ReadonlyArray<string>
}

/** Markdown for one bullet, kept only when every citation holds. */
export interface Item {
  readonly text: string
  readonly cites: ReadonlyArray<Citation>
}

/** Files that something is said about. */
export interface Scope {
  /** Path prefix: "" for the whole repository, otherwise a folder without a slash at its end. */
  readonly folder: string
  /** End of the path, such as `Repo.ts`. */
  readonly suffix?: string
  readonly languages?: ReadonlyArray<Language>
  readonly role?: "source" | "test"
}

export type RuleOrigin = "stated" | "enforced" | "inferred"

export interface Rule extends Item {
  readonly id: string
  readonly origin: RuleOrigin
  readonly scope: Scope
  /** For what was inferred: in how many places it holds, of how many. */
  readonly support?: { readonly count: number; readonly of: number }
  /** Files in which it does not hold. */
  readonly deviations?: ReadonlyArray<string>
}

export interface Pattern {
  readonly name: string
  readonly title: string
  readonly purpose: string
  readonly shape: string
  readonly count: number
  readonly of: number
  readonly files: number
  readonly scope: Scope
  /** Whole functions, the best first: the first that can be quoted uncut is the canonical one. */
  readonly examples: ReadonlyArray<Citation & { readonly symbol: string | null }>
  readonly others: ReadonlyArray<{ readonly shape: string; readonly count: number; readonly at: Citation }>
}

/** Parts of a guide that is more than a list of commands, in the order in which they are read. */
export const guideParts = ["When", "Steps", "Check", "Pitfalls", "Where to look"] as const
export type GuidePart = (typeof guideParts)[number]

export interface GuideItem extends Item {
  readonly part?: GuidePart
}

export interface Guide {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly items: ReadonlyArray<GuideItem>
}

export interface Skill {
  readonly name: string
  readonly description: string
  readonly intro: string
  readonly items: ReadonlyArray<Item>
}

export const at = ({ path, line }: { readonly path: string; readonly line: number }): string => `\`${path}:${line}\``

export const percent = (count: number, of: number): string => `${Math.floor((100 * count) / of)} %`

const entities: ReadonlyArray<readonly [RegExp, string]> = [
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&quot;/g, '"'],
  [/&(?:#39|apos);/g, "'"],
  [/&nbsp;/g, " "],
  [/&amp;/g, "&"]
]

/** Words outside of code: what stands for another mark is that mark, and a place to fill in is code rather than a tag. */
const plainWords = (text: string): string =>
  entities
    .reduce((plain, [entity, mark]) => plain.replace(entity, mark), text)
    .replace(/<\/?(?:a|b|br|code|em|i|img|kbd|p|span|strong|sub|sup)(?:\s[^<>]*)?\/?>/gi, "")
    .replace(/<([\w ./|:@-]+)>/g, "`<$1>`")
    .replace(/(?<!`)<(?=[a-z/!?])/gi, "&lt;")

/** Words of the repository itself, marked as such and harmless as Markdown. */
export const quoted = (text: string): string => {
  const parts = text
    .replace(/[“”]/g, '"')
    .replace(/```/g, "'''")
    .split(/(`[^`]*`)/)
  return `“${parts.map((part, index) => (index % 2 === 1 ? part : plainWords(part))).join("")}”`
}

/** What a document says at a line, cut after so many characters. */
export const quotedItem = (
  path: string,
  { text, line }: { readonly text: string; readonly line: number },
  max: number
): Item => ({ text: `${quoted(clip(text, max))} (${at({ path, line })})`, cites: [{ path, line }] })

export const code = (text: string): string => `\`${text.replaceAll("`", "'").replace(/\s+/g, " ")}\``

export const plural = (count: number, word: string, many = `${word}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? word : many}`
