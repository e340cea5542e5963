import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import { decodeText, isBinary } from "../files/fileText.ts"
import { SourceFile } from "../files/SourceFile.ts"
import type { TreeSource } from "../source/TreeSource.ts"

/** A file that a change leaves less well-formed than it was. */
export interface SyntaxFault {
  readonly path: string
  /** Lines with what the parser does not understand, from 1; the first few. */
  readonly lines: ReadonlyArray<number>
}

const MAX_LINES = 5

/** Files among `paths` with more syntax errors than they had before, or that cannot be parsed any more. */
export const syntaxFaults = async (
  before: TreeSource,
  after: TreeSource,
  paths: ReadonlyArray<string>
): Promise<ReadonlyArray<SyntaxFault>> => {
  const previous = await errorsIn(before, paths)
  const current = await errorsIn(after, paths)
  return [...current].flatMap(([path, errors]) => {
    const known = previous.get(path) ?? noErrors
    if (!errors.isParsed) return known.isParsed && previous.has(path) ? [{ path, lines: [] }] : []
    return errors.lines.length > known.lines.length ? [{ path, lines: errors.lines.slice(0, MAX_LINES) }] : []
  })
}

interface SyntaxErrors {
  /** Whether the language has a grammar and the file could be read by it. */
  readonly isParsed: boolean
  /** One for each error. */
  readonly lines: ReadonlyArray<number>
}

const noErrors: SyntaxErrors = { isParsed: false, lines: [] }

const errorsIn = async (source: TreeSource, paths: ReadonlyArray<string>) => {
  const requested = new Set(paths)
  const entries = (await source.list()).filter(({ path }) => requested.has(path))
  const errors = new Map<string, SyntaxErrors>()
  for await (const { entry, bytes } of source.read(entries)) {
    errors.set(entry.path, await errorsOf(entry.path, bytes))
  }
  return errors
}

const errorsOf = async (path: string, bytes: Uint8Array): Promise<SyntaxErrors> => {
  if (isBinary(bytes)) return noErrors
  const file = new SourceFile({ path, text: decodeText(bytes) })
  await prepareGrammars([file.language])
  const { tree } = file
  if (tree === null) return noErrors
  const lines = [...tree.of("ERROR")].map((n) => file.line(tree.start(n)))
  // A token that the parser had to invent is no node of its own.
  return { isParsed: true, lines: lines.length === 0 && tree.hasError ? [1] : lines }
}
