import { decodeFields, text, texts } from "../../scan/ScanSettings.ts"
import { type Bounds, boundFields, decodeSource, isRecord, type SourceRequest } from "./scanRequest.ts"

/** What the process reads that parses the changed files of a commit. */
export interface SyntaxRequest extends Bounds {
  readonly source: Extract<SourceRequest, { kind: "git" }>
  /** The commit before the change. */
  readonly base: string
  readonly paths: ReadonlyArray<string>
}

const syntaxFields = { base: text, paths: texts }

export const decodeSyntaxRequest = (input: string): SyntaxRequest => {
  const value: unknown = JSON.parse(input)
  if (!isRecord(value)) throw new TypeError("The request must be an object.")
  const source = decodeSource(value.source)
  const { base, paths } = decodeFields(syntaxFields, value)
  if (source.kind !== "git" || base === undefined || paths === undefined) {
    throw new TypeError('"source", "base" and "paths" must name two commits and files of them.')
  }
  return { source, base, paths, ...decodeFields(boundFields, value) }
}
