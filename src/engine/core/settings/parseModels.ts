import { isScalar } from "yaml"
import type { SourceKind } from "../tool/SourceKind.ts"
import type { SettingsWarning } from "./RepositorySettings.ts"
import { SettingsReader } from "./SettingsReader.ts"
import {
  MODELS_FILE,
  modelLanguages,
  sinkNames,
  type UserModel,
  type UserSanitizer,
  type UserSink,
  type UserSource
} from "./UserModel.ts"

const MAX_ENTRIES = 200
const MAX_PATH = 200
const MAX_POSITION = 9

const sourceKinds: ReadonlyArray<SourceKind> = [
  "request",
  "message",
  "socket",
  "arguments",
  "environment",
  "stdin",
  "file",
  "database",
  "parameter"
]

export interface ParsedModels {
  readonly models: ReadonlyArray<UserModel>
  readonly warnings: ReadonlyArray<SettingsWarning>
}

/** The models of a repository. What cannot be used is left out and noted; it never fails an audit. */
export const parseModels = (text: string): ParsedModels => {
  const reader = new SettingsReader(text, MODELS_FILE)
  if (reader.root.errors.length > 0) return { models: [], warnings: reader.warnings }
  const fields = reader.fields(reader.root.contents, "", ["version", "models"])
  const models = bounded(reader, fields.get("models"), "models").flatMap((node) => modelOf(reader, node) ?? [])
  return { models, warnings: reader.warnings }
}

const bounded = (reader: SettingsReader, node: unknown, at: string): ReadonlyArray<unknown> => {
  const items = reader.items(node, at)
  if (items.length > MAX_ENTRIES) {
    reader.note(reader.lineOf(node), `${at} has ${items.length} entries; the first ${MAX_ENTRIES} count.`)
  }
  return items.slice(0, MAX_ENTRIES)
}

const parts = ["language", "sources", "sinks", "sanitizers", "propagators"] as const

const modelOf = (reader: SettingsReader, node: unknown): UserModel | null => {
  const fields = reader.fields(node, "a model", parts)
  const language = reader.word(fields.get("language"), "language", modelLanguages)
  if (language === null) return null
  const list = <A>(name: string, read: (item: unknown) => A | null): ReadonlyArray<A> =>
    bounded(reader, fields.get(name), name).flatMap((item) => read(item) ?? [])
  return {
    language,
    sources: list("sources", (item) => sourceOf(reader, item)),
    sinks: list("sinks", (item) => sinkOf(reader, item)),
    sanitizers: list("sanitizers", (item) => sanitizerOf(reader, item)),
    propagators: list("propagators", (item) => pathOf(reader, item))
  }
}

const sourceOf = (reader: SettingsReader, node: unknown): UserSource | null => {
  const fields = reader.fields(node, "a source", ["path", "kind"])
  const path = pathOf(reader, fields.get("path"))
  const kind = fields.has("kind") ? reader.word(fields.get("kind"), "kind", sourceKinds) : "request"
  return path === null || kind === null ? null : { path, kind }
}

const sinkOf = (reader: SettingsReader, node: unknown): UserSink | null => {
  const fields = reader.fields(node, "a sink", ["path", "kind", "argument", "named"])
  const path = pathOf(reader, fields.get("path"))
  const kind = reader.word(fields.get("kind"), "kind", sinkNames)
  const argument = fields.has("argument") ? positionOf(reader, fields.get("argument")) : 0
  const named = fields.has("named") ? reader.text(fields.get("named"), "named") : ""
  return path === null || kind === null || argument === null || named === null ? null : { path, kind, argument, named }
}

const sanitizerOf = (reader: SettingsReader, node: unknown): UserSanitizer | null => {
  const fields = reader.fields(node, "a sanitizer", ["path", "kinds"])
  const path = pathOf(reader, fields.get("path"))
  const kinds = reader.items(fields.get("kinds"), "kinds").map((item) => reader.word(item, "kinds", sinkNames))
  // With a kind that is not known, what the rest would make harmless is not what was meant.
  return path === null || kinds.includes(null) ? null : { path, kinds: kinds.filter((kind) => kind !== null) }
}

const positionOf = (reader: SettingsReader, node: unknown): number | null => {
  const value = isScalar(node) ? node.value : null
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_POSITION) return value
  reader.note(reader.lineOf(node), `argument must be a position from 0 to ${MAX_POSITION}.`)
  return null
}

/** Names with dots between them; `*` stands for any characters of one name, `*.` in front for any receiver. */
const accessPath = /^(?:\*\.)?[\w$@:/\\\-.*]*[\w$*](?:\(\))?(?:\.[\w$*]+(?:\(\))?)*$/

const pathOf = (reader: SettingsReader, node: unknown): string | null => {
  const path = reader.text(node, "path")
  if (path === null) return null
  const isPlain = path.length <= MAX_PATH && accessPath.test(path) && /[A-Za-z]{2}/.test(path)
  if (isPlain) return path
  reader.note(
    reader.lineOf(node),
    `"${path.slice(0, 60)}" is left out: write a path such as "shop.db.run", "shop.Request.param()" or "*.runQuery".`
  )
  return null
}
