import { joined } from "../../core/text/paths.ts"
import { fence } from "../commands/documentSections.ts"
import type { Survey } from "../Survey.ts"
import {
  type Description,
  descriptionIn,
  descriptionText,
  documentsOf,
  namedItemsIn,
  type Row,
  rowsIn
} from "./Description.ts"

/** `src/api/   the REST API`, `├── api  # the REST API`: what is drawn before a name says how deep it lies. */
const drawn =
  /^([\s│├└─┬|`+\\-]{0,80})(\w[\w.@/-]{0,80}(?:, \w[\w.@/-]{0,80}){0,4})(?:\s{2,40}#?|\s{1,40}(?:#|--|—|–|←|<-))\s{0,40}(\S.*)$/
const drawnAlone = /^([\s│├└─┬|`+\\-]{0,80})(\w[\w.@/-]{0,80})\s{0,40}$/

/** A word alone may be a command or a setting as well. */
const isPath = (name: string): boolean => name.includes("/")
const isFolders = /folder|director|path|package|module|crate|location/

interface Drawn {
  readonly column: number
  /** Whether lines of a tree are drawn before the name. */
  readonly isBranch: boolean
  readonly names: ReadonlyArray<string>
  readonly text: string
  /** From 1. */
  readonly line: number
}

const placeOf = (lead: string) => ({ column: lead.length, isBranch: /[│├└|`+]/.test(lead) })

/** Lines of each block of code that name something, as in a drawing of the tree. */
const drawingsIn = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Drawn>> => {
  const blocks: Array<Array<Drawn>> = []
  let isInside = false
  for (const [index, line] of lines.entries()) {
    if (fence.test(line)) {
      isInside = !isInside
      if (isInside) blocks.push([])
      continue
    }
    const [, lead = "", names, text = ""] = (isInside ? (drawn.exec(line) ?? drawnAlone.exec(line)) : null) ?? []
    if (names !== undefined) blocks.at(-1)?.push({ ...placeOf(lead), names: names.split(/,\s/), text, line: index + 1 })
  }
  return blocks
}

const bare = (name: string): string => name.replace(/^\.\//, "").replace(/\/+$/, "")

interface Level {
  readonly column: number
  readonly path: string
}

class Described {
  readonly found = new Map<string, Description>()
  private readonly survey: Survey

  constructor(survey: Survey) {
    this.survey = survey
  }

  /** Keeps what is said of a folder, where there is one of that name and it says something. */
  add(name: string, remark: string, path: string, line: number): void {
    const folder = bare(name)
    const text = this.survey.hasFolder(folder) ? descriptionText(remark) : null
    if (folder !== "" && text !== null && !this.found.has(folder)) this.found.set(folder, { text, path, line })
  }

  /** A name lies below the nearest one above it that is indented less; the first is often the repository itself. */
  drawing(block: ReadonlyArray<Drawn>, path: string): void {
    let levels: ReadonlyArray<Level> = []
    for (const { column, isBranch, names, text, line } of block) {
      const outer = levels.filter((level) => level.column < column)
      const above = outer.at(-1)?.path ?? ""
      const paths = names.map((name) => joined(above, bare(name)))
      if (isBranch || above !== "" || names.some(isPath)) for (const below of paths) this.add(below, text, path, line)
      const folder = paths.find((below) => this.survey.hasFolder(below))
      levels = [...outer, { column, path: folder ?? above }]
    }
  }
}

/** The folder that a row of a table is about; null where its first cell may be anything else. */
const folderIn = ({ cells, header }: Row): string | null => {
  const name = /^\[?`([^`\s]{1,80})`/.exec(cells[0] ?? "")?.[1]
  return name !== undefined && (isPath(name) || isFolders.test(header[0] ?? "")) ? name : null
}

/** What documents say of folders that exist: in a drawing of the tree, a table or a list. In the order of the documents. */
export const describedFolders = (survey: Survey): ReadonlyMap<string, Description> => {
  const described = new Described(survey)
  for (const { path, text } of documentsOf(survey)) {
    const lines = text.split("\n")
    for (const block of drawingsIn(lines)) described.drawing(block, path)
    for (const row of rowsIn(lines)) described.add(folderIn(row) ?? "", descriptionIn(row), path, row.line)
    for (const { name, text, line } of namedItemsIn(lines)) if (isPath(name)) described.add(name, text, path, line)
  }
  return described.found
}
