import { decodeText, isBinary } from "../core/files/fileText.ts"
import { SourceFile } from "../core/files/SourceFile.ts"
import type { TreeEntry, TreeSource } from "../core/source/TreeSource.ts"
import { hiddenRanges, sliceRedacted } from "../secrets/hiddenRanges.ts"
import type { Citation, Item } from "./Draft.ts"
import type { Survey } from "./Survey.ts"

const MAX_SNIPPET_LINE = 160

const keyOf = ({ path, line, end = line, names = [] }: Citation): string =>
  `${path}\n${line}\n${end}\n${names.join("\n")}`

/** Reads every cited file again and checks which citations hold. Those that do not are left out and reported. */
export class Check {
  private readonly held = new Set<string>()
  private readonly snippets = new Map<string, string>()
  /** By output file: what was left out of it. */
  readonly skipped = new Map<string, Set<string>>()
  checked = 0
  private readonly survey: Survey

  constructor(survey: Survey) {
    this.survey = survey
  }

  async read(
    source: TreeSource,
    entries: ReadonlyMap<string, TreeEntry>,
    citations: ReadonlyArray<Citation>
  ): Promise<void> {
    const byPath = new Map<string, Array<Citation>>()
    for (const citation of citations) {
      const known = byPath.get(citation.path)
      if (known === undefined) byPath.set(citation.path, [citation])
      else known.push(citation)
    }
    const cited = [...byPath.keys()].sort().flatMap((path) => entries.get(path) ?? [])
    for await (const { entry, bytes } of source.read(cited)) {
      if (isBinary(bytes)) continue
      const file = new SourceFile({ path: entry.path, blob: entry.blob, text: decodeText(bytes) })
      for (const citation of byPath.get(entry.path)!) this.look(file, citation)
    }
  }

  private look(file: SourceFile, citation: Citation): void {
    const { line, end = line, names = [] } = citation
    this.checked++
    if (line < 1 || line > file.lineCount) return
    const start = file.lineStarts[line - 1]!
    const stop = file.lineStarts[Math.min(end, file.lineCount)] ?? file.text.length
    const text = file.text.slice(start, stop)
    if (!names.every((name) => text.toLowerCase().includes(name.toLowerCase()))) return
    this.held.add(keyOf(citation))
    const snippet = citation.end === undefined || names.length > 0 ? null : snippetOf(file, line, end)
    if (snippet !== null) this.snippets.set(keyOf(citation), snippet)
  }

  snippet(citation: Citation): string | null {
    return this.snippets.get(keyOf(citation)) ?? null
  }

  holds(citation: Citation): boolean {
    return this.held.has(keyOf(citation))
  }

  /** The items whose citations hold, and whose names exist. */
  kept<I extends Item>(
    output: string,
    items: ReadonlyArray<I>,
    isQuote: (item: I) => boolean = () => false
  ): ReadonlyArray<I> {
    return items.filter((item) => {
      const broken = item.cites.find((citation) => !this.holds(citation))
      if (broken !== undefined) return this.skip(output, broken.names?.[0] ?? `${broken.path}:${broken.line}`)
      const unknown = isQuote(item) ? this.unknownIn(item.text) : undefined
      return unknown === undefined || this.skip(output, unknown)
    })
  }

  private skip(output: string, symbol: string): false {
    this.skipped.set(output, (this.skipped.get(output) ?? new Set()).add(symbol.slice(0, 160)))
    return false
  }

  /** Something in backticks that claims to be a file or a name of this repository and is neither. */
  private unknownIn(text: string): string | undefined {
    return [...text.matchAll(/`([^`\n]{2,120})`/g)]
      .map(([, token]) => token!.trim())
      .find((token) => !this.exists(token))
  }

  private exists(token: string): boolean {
    if (/[\s*<>{}$|=,@"'[\]]|^[-/.]|^https?:|\.\.\./.test(token) || /^\w+:\d+$/.test(token)) return true
    const isPath =
      /^[\w.-]+(?:\/[\w.-]+)+\/?$/.test(token) ||
      /^[\w-]+\.(?:[jt]sx?|mjs|py|go|rb|php|java|cs|rs|md|ya?ml|toml|json|sh|sql)(?::\d+)?$/.test(token)
    if (isPath) {
      const isModule = !/\.\w{1,5}(?::\d+)?$/.test(token) && !this.survey.hasFolder(token.split("/")[0]!)
      return isModule || this.survey.resolves(token)
    }
    const name = /^(?:\w+(?:\.|::|->|#))*(\w+)\(\)$/.exec(token)?.[1]
    return name === undefined || this.survey.knowsName(name)
  }

  report(): Readonly<Record<string, ReadonlyArray<string>>> {
    return Object.fromEntries(
      [...this.skipped]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([output, symbols]) => [output, [...symbols].sort().slice(0, 100)])
    )
  }
}

/** Whole lines; null when one is too long to be quoted. */
const snippetOf = (file: SourceFile, line: number, end: number): string | null => {
  const secrets = hiddenRanges(file, [])
  const lines: Array<string> = []
  for (let at = line; at <= Math.min(end, file.lineCount); at++) {
    const start = file.lineStarts[at - 1]!
    const text = sliceRedacted(file.text, start, start + file.lineText(at).length, secrets)
    if (text.length > MAX_SNIPPET_LINE) return null
    lines.push(text)
  }
  const indents = lines.filter((text) => text.trim() !== "").map((text) => text.search(/\S/))
  const indent = Math.min(...indents, 40)
  return lines.map((text) => text.slice(indent)).join("\n")
}
