import type { Priority } from "../../../schema/Observation.ts"
import type { FileRole } from "../files/FileRole.ts"
import type { Language } from "../files/Language.ts"
import type { PathPattern } from "./PathPattern.ts"
import type { UserModel } from "./UserModel.ts"

/** Something in the configuration that is not as it should be. The rest of it counts. */
export interface SettingsWarning {
  readonly path: string
  readonly line: number | null
  /** What is wrong, and what to write instead. */
  readonly message: string
}

/** What is asked of rules in some of the files. */
export interface RulesByPath {
  /** Null for all files. */
  readonly paths: ReadonlyArray<PathPattern> | null
  readonly off: ReadonlyArray<string>
  /** Rules that are off by default, because they are wrong too often. */
  readonly on: ReadonlyArray<string>
  readonly priority: Readonly<Record<string, Priority>>
  /** Line of the configuration file. */
  readonly line: number
}

export interface ByPath<A> {
  readonly paths: ReadonlyArray<PathPattern>
  readonly value: A
}

/** What a repository says of its own audit, in `.assay.yaml`: data, and nothing that could be run. */
export interface RepositorySettings {
  /** Empty for all files. */
  readonly include: ReadonlyArray<PathPattern>
  readonly exclude: ReadonlyArray<PathPattern>
  readonly rules: ReadonlyArray<RulesByPath>
  readonly roles: ReadonlyArray<ByPath<FileRole>>
  readonly languages: ReadonlyArray<ByPath<Language>>
  /** Elements of HTML by the name of the component that renders them. */
  readonly components: Readonly<Record<string, string>>
  /** Sources, sinks, sanitizers and propagators of the repository's own. */
  readonly models: ReadonlyArray<UserModel>
  readonly warnings: ReadonlyArray<SettingsWarning>
}

export const SETTINGS_FILE = ".assay.yaml"

export const noSettings: RepositorySettings = {
  include: [],
  exclude: [],
  rules: [],
  roles: [],
  languages: [],
  components: {},
  models: [],
  warnings: []
}
