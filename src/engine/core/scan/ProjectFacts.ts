import { digestOf } from "../cache/digest.ts"
import { TextStore } from "../text/TextStore.ts"
import type { FileDescription } from "../tool/AuditTool.ts"
import type { FactsColumn, SharedFacts } from "./crossFilePass.ts"
import type { FactsText } from "./Inspector.ts"

/** Facts of one tool: files by number, each with the key of its text. */
interface Column {
  readonly files: Array<number>
  readonly texts: Array<number>
}

/** Facts of all files as the texts they came as: they are parsed where they are used, a tool at a time. */
export class ProjectFacts {
  private readonly texts = new TextStore()
  /** Paths of files with facts, by number. */
  private readonly paths: Array<string> = []
  private readonly byTool = new Map<string, Column>()
  private numbers: ReadonlyMap<string, number> | null = null

  add(path: string, facts: ReadonlyArray<FactsText>): void {
    if (facts.length === 0) return
    const file = this.paths.push(path) - 1
    for (const { tools, json } of facts) {
      const text = this.texts.put(json)
      for (const tool of tools) {
        const column = this.byTool.get(tool) ?? { files: [], texts: [] }
        this.byTool.set(tool, column)
        column.files.push(file)
        column.texts.push(text)
      }
    }
  }

  /** Columns name files by their index among `files`; tools that know the same share one. */
  shared(files: ReadonlyArray<FileDescription>): SharedFacts {
    const places = new Map(files.map(({ path }, index) => [path, index]))
    const indexes = this.paths.map((path) => places.get(path)!)
    const distinct: Array<Column> = []
    const numbers = [...this.byTool.values()].map((column) => {
      const known = distinct.findIndex((other) => isSame(column, other))
      return known < 0 ? distinct.push(column) - 1 : known
    })
    const families = familiesOf(distinct)
    const columns = distinct.map((column, at) => sharedColumn(column, indexes, families[at]!))
    const byTool = new Map([...this.byTool.keys()].map((tool, at) => [tool, columns[numbers[at]!]!]))
    return { byTool, texts: this.texts.shared() }
  }

  /** Of what each of the tools knows about one file. */
  digests(path: string, tools: Iterable<string>): Readonly<Record<string, string>> {
    this.numbers ??= new Map(this.paths.map((one, number) => [one, number]))
    const file = this.numbers.get(path)
    const digests: Record<string, string> = {}
    if (file === undefined) return digests
    for (const tool of tools) {
      const column = this.byTool.get(tool)
      const at = column?.files.indexOf(file) ?? -1
      if (column !== undefined && at >= 0) digests[tool] = digestOf(this.texts.get(column.texts[at]!))
    }
    return digests
  }
}

/** The very same texts, not merely equal ones: comparing costs nothing. */
const isSame = (a: Column, b: Column): boolean =>
  a.texts.length === b.texts.length && a.texts.every((text, i) => text === b.texts[i])

/** For each column, the index of the first that it has texts in common with, be it through others. */
const familiesOf = (columns: ReadonlyArray<Column>): ReadonlyArray<number> => {
  const families = columns.map((_, at) => at)
  const firstWith = new Map<number, number>()
  for (const [at, { texts }] of columns.entries()) {
    for (const text of texts) {
      const first = families[firstWith.get(text) ?? at]!
      const own = families[at]!
      if (first !== own) families.forEach((one, i) => one === own && families.splice(i, 1, first))
      firstWith.set(text, at)
    }
  }
  return families
}

/** Ordered by path, as files are. */
const sharedColumn = ({ files, texts }: Column, indexes: ReadonlyArray<number>, family: number): FactsColumn => {
  const order = Array.from(files.keys()).sort((a, b) => indexes[files[a]!]! - indexes[files[b]!]!)
  return {
    files: Int32Array.from(order, (at) => indexes[files[at]!]!),
    texts: Int32Array.from(order, (at) => texts[at]!),
    family
  }
}
