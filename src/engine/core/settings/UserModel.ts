import type { SourceKind } from "../tool/SourceKind.ts"

export const MODELS_FILE = ".assay/models.yaml"

/** Kinds of sinks by the names that models give them. */
export const sinkNames = [
  "sql",
  "nosql",
  "command",
  "path",
  "url",
  "code",
  "template",
  "object",
  "html",
  "redirect",
  "xpath",
  "ldap"
] as const

export type SinkName = (typeof sinkNames)[number]

export const modelLanguages = ["csharp", "go", "java", "javascript", "php", "python", "ruby"] as const

export type ModelLanguage = (typeof modelLanguages)[number]

export interface UserSource {
  readonly path: string
  readonly kind: SourceKind
}

export interface UserSink {
  readonly path: string
  readonly kind: SinkName
  /** Position of the argument that matters. */
  readonly argument: number
  /** Name of the keyword argument that matters, or "". */
  readonly named: string
}

export interface UserSanitizer {
  readonly path: string
  /** Empty for all. */
  readonly kinds: ReadonlyArray<SinkName>
}

/** What a repository says of its own functions: paths with `*`, and nothing that could be run. */
export interface UserModel {
  readonly language: ModelLanguage
  readonly sources: ReadonlyArray<UserSource>
  readonly sinks: ReadonlyArray<UserSink>
  readonly sanitizers: ReadonlyArray<UserSanitizer>
  readonly propagators: ReadonlyArray<string>
}
