import { escape as escapeRegExp } from "effect/RegExp"
import type { RuleLanguage } from "../../../core/tool/AuditTool.ts"
import type { Call } from "../../../languages/syntax/vocabulary.ts"
import type { FlatTree } from "../../../languages/tree/FlatTree.ts"

export type MigrationRule = "library_migration" | "api_migration" | "test_framework_migration"

/** Code that shows one side of a migration: an import or a call. */
export interface Usage {
  /** Modules as written in imports. */
  readonly modules?: RegExp
  /** Of those imports, only the ones that take such a name. */
  readonly names?: RegExp
  /** Callees as written. */
  readonly calls?: RegExp
  /** Of those calls, only the ones that pass this. */
  readonly when?: (tree: FlatTree, call: Call) => boolean
  /** Of all this, only in files whose text matches. */
  readonly mentions?: RegExp
}

/** Something that repositories replace by something else, file by file. */
export interface Migration {
  /** Its name in facts of files: unique, never changed. */
  readonly id: string
  readonly rule: MigrationRule
  readonly language: RuleLanguage
  readonly from: Usage
  readonly to: Usage
  readonly fromTitle: string
  /** Null where the module that is in use names it. */
  readonly toTitle: string | null
  /**
   * What the ecosystem states about the old one; one use of the successor then shows where to go. Without such a statement
   * most files must have moved already.
   */
  readonly deprecation: string | null
}

/** An import of one of these packages or of a path inside. */
export const packages = (...names: ReadonlyArray<string>): RegExp =>
  new RegExp(`^(?:${names.map(escapeRegExp).join("|")})(?:/.*)?$`)
