import type { Survey } from "../Survey.ts"
import { type Description, descriptionIn, descriptionText, documentsOf, namedItemsIn, rowsIn } from "./Description.ts"

export interface DescribedSetting extends Description {
  /** The default as the document writes it; null where it names none. */
  readonly fallback: string | null
}

const variable = /^\[?`(?:\$\{?)?([A-Z][A-Z0-9_]{2,79})\}?(?:=[^`]*)?`/
const MAX_FALLBACK = 60

const defaultIn = (header: ReadonlyArray<string>, cells: ReadonlyArray<string>): string | null => {
  const cell = cells[header.findIndex((name) => /default/.test(name))] ?? ""
  return cell === "" || /^[-–—]+$|^n\/a$/i.test(cell) || cell.length > MAX_FALLBACK ? null : cell
}

/** `(default: 8080)`, "Defaults to `info`." */
const statedDefault = (text: string): string | null =>
  /\bdefaults?(?: is| to|:| value:?)?\s+(`[^`]{1,60}`|[\w./:-]{1,60}?)(?=[).,;]|\s|$)/i.exec(text)?.[1] ?? null

/** What documents say of environment variables, in a table or a list, by name. */
export const describedSettings = (survey: Survey): ReadonlyMap<string, DescribedSetting> => {
  const found = new Map<string, DescribedSetting>()
  const add = (name: string, fallback: string | null, remark: string, path: string, line: number) => {
    const text = descriptionText(remark)
    if (text !== null && !found.has(name)) found.set(name, { text, fallback, path, line })
  }
  for (const { path, text } of documentsOf(survey)) {
    const lines = text.split("\n")
    for (const row of rowsIn(lines)) {
      const name = variable.exec(row.cells[0] ?? "")?.[1]
      if (name !== undefined) add(name, defaultIn(row.header, row.cells), descriptionIn(row), path, row.line)
    }
    for (const { name, text, line } of namedItemsIn(lines)) {
      const variableName = variable.exec(`\`${name}\``)?.[1]
      if (variableName !== undefined) add(variableName, statedDefault(text), text, path, line)
    }
  }
  return found
}
