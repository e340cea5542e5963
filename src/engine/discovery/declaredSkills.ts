import { parseDocument } from "yaml"
import { directoryOf } from "../core/text/paths.ts"
import { isRecord } from "../structure/importGraph/jsonc.ts"
import { at, quoted } from "./Draft.ts"
import { clip } from "./Observed.ts"
import { isSkill } from "./observers/texts.ts"
import { type Survey } from "./Survey.ts"

const MAX_SKILLS = 30
const MAX_FRONT_MATTER = 8_000
const MAX_BODY = 6_000

/** A recipe that the repository itself has for agents. */
export interface DeclaredSkill {
  readonly name: string
  readonly description: string | null
  readonly extends: string | null
  readonly path: string
  readonly body: string
}

const frontMatter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  if (text.length > MAX_FRONT_MATTER) return {}
  const document = parseDocument(text, { logLevel: "silent" })
  const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: 10 }) : null
  return isRecord(value) ? value : {}
}

const textIn = (fields: Readonly<Record<string, unknown>>, key: string, max: number): string | null => {
  const value = fields[key]
  const text = typeof value === "string" ? clip(value, max) : ""
  return text === "" ? null : text
}

/**
 * `extends` is no field of the common format. Those who have tools for it write it in the front matter, or below
 * `metadata`, which the format leaves to them.
 */
const baseOf = (fields: Readonly<Record<string, unknown>>): string | null =>
  textIn(fields, "extends", 120) ?? (isRecord(fields.metadata) ? textIn(fields.metadata, "extends", 120) : null)

/** Skills in the repository, by path; of two with one name the one nearest to the root. */
export const declaredSkills = (survey: Survey): ReadonlyArray<DeclaredSkill> => {
  const found = new Map<string, DeclaredSkill>()
  for (const { path, text } of survey.texts(/(?:^|\/)SKILL\.md$/)) {
    if (!isSkill(path) || found.size >= MAX_SKILLS) continue
    const head = frontMatter.exec(text)
    const fields = parsed(head?.[1] ?? "")
    const name = textIn(fields, "name", 80) ?? directoryOf(path).split("/").at(-1)!
    if (found.has(name)) continue
    const body = text.slice(head?.[0].length ?? 0).trim()
    found.set(name, { name, description: textIn(fields, "description", 400), extends: baseOf(fields), path, body })
  }
  return [...found.values()]
}

/** Bases that are no skill of this repository, neither one that it declares nor one that was found in its code. */
export const unknownBases = (
  declared: ReadonlyArray<DeclaredSkill>,
  names: ReadonlySet<string>
): ReadonlyArray<string> =>
  [
    ...new Set(declared.flatMap((skill) => (skill.extends === null || names.has(skill.extends) ? [] : [skill.extends])))
  ].sort()

/** The words are the repository's own, so they are quoted line by line. */
export const declaredSkillFile = ({ name, description, path, body, ...skill }: DeclaredSkill) => {
  const shown = body.length <= MAX_BODY ? body : `${body.slice(0, MAX_BODY)}\n…`
  const quotation = shown
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")
  return {
    name,
    description: description === null ? null : quoted(description),
    extends: skill.extends,
    content: `# ${name}\n\nQuoted from the repository (${at({ path, line: 1 })}):\n\n${quotation}\n`
  }
}
