import { isMap, isSeq, type Node } from "yaml"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import {
  entriesOf,
  itemsOf,
  rangeOf,
  textAt,
  valueAt,
  type YamlDocument,
  type YamlEntry,
  yamlOf
} from "../../languages/formats/yaml.ts"

/** Whether a text declares that it is an OpenAPI document, near its beginning. */
export const mentionsSpec = /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23]\./m

export interface Operation {
  readonly method: string
  readonly path: string
  /** Key of the operation, for its range. */
  readonly entry: YamlEntry
  readonly pathEntry: YamlEntry
}

export interface Spec {
  readonly document: YamlDocument
  readonly root: Node
  readonly paths: ReadonlyArray<YamlEntry>
  readonly operations: ReadonlyArray<Operation>
  readonly isSwagger2: boolean
  /** Path part of the first server, or the base path. */
  readonly base: string
}

const methods = /^(?:get|put|post|delete|options|head|patch|trace)$/

const baseOf = (document: YamlDocument, root: Node): string => {
  const server = itemsOf(document, valueAt(document, root, "servers"))[0]
  const url = server === undefined ? textAt(document, root, "basePath") : textAt(document, server, "url")
  return (url ?? "").replace(/^https?:\/\/[^/]*/, "").replace(/\/+$/, "")
}

const read = (file: SourceFile): Spec | null => {
  if (!mentionsSpec.test(file.text.slice(0, 4_000))) return null
  const { documents, isValid } = yamlOf(file)
  const document = documents[0]
  if (!isValid || documents.length !== 1 || document === undefined || document.root === null) return null
  const { root } = document
  if (textAt(document, root, "openapi") === null && textAt(document, root, "swagger") === null) return null
  const isSwagger2 = textAt(document, root, "swagger") !== null
  const paths = entriesOf(document, valueAt(document, root, "paths")).filter(({ key }) => key.startsWith("/"))
  const operations = paths.flatMap((pathEntry) =>
    entriesOf(document, pathEntry.value)
      .filter(({ key, value }) => methods.test(key) && isMap(value))
      .map((entry): Operation => ({ method: entry.key.toUpperCase(), path: pathEntry.key, entry, pathEntry }))
  )
  return { document, root, paths, operations, isSwagger2, base: baseOf(document, root) }
}

export const specOf = (file: SourceFile): Spec | null => file.memo(read, read)

/** What a local reference points to; null when nothing is there, undefined when it leads out of the document. */
export const targetOf = ({ document, root }: Spec, reference: string): Node | null | undefined => {
  if (!reference.startsWith("#")) return undefined
  if (reference === "#" || reference === "#/") return root
  if (!reference.startsWith("#/")) return undefined
  let at: Node | null = root
  for (const part of reference.slice(2).split("/").slice(0, 40)) {
    const key = unescapePointer(part)
    at = isSeq(at) ? (itemsOf(document, at)[Number(key)] ?? null) : valueAt(document, at, key)
    if (at === null) return null
  }
  return at
}

const unescapePointer = (part: string): string => {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~")
  try {
    return decodeURIComponent(plain)
  } catch {
    // Not an escape, after all.
    return plain
  }
}

/** Through references to what they stand for; undefined when that is not in this document. */
export const followed = (spec: Spec, node: Node | null): Node | null | undefined => {
  let at = node
  for (let step = 0; step < 8; step++) {
    const reference = textAt(spec.document, at, "$ref")
    if (reference === null) return at
    const target = targetOf(spec, reference)
    if (target === undefined || target === null) return undefined
    at = target
  }
  return undefined
}

export const keyRange = (entry: YamlEntry): { readonly start: number; readonly end: number } => rangeOf(entry.keyNode)
