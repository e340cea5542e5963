import { Schema } from "effect"

/** A file of a change, by its paths before and after it. */
export interface ChangedPaths {
  /** Null where the file is new. */
  readonly base: string | null
  /** Null where the file is deleted. */
  readonly head: string | null
}

const lines = { line_start: Schema.Int, line_end: Schema.Int }

/** An exported name that callers had before the change, and do not have, or not in the same form, after it. */
const LostName = Schema.Struct({
  /** Where it was at the base. */
  path: Schema.String,
  ...lines,
  name: Schema.String,
  /** What became of it, as the end of a sentence that begins with the name. */
  loss: Schema.String
})
export type LostName = typeof LostName.Type

const UnreadFile = Schema.Struct({ path: Schema.String, reason: Schema.String })
export type UnreadFile = typeof UnreadFile.Type

export const ApiChange = Schema.Struct({
  /** Files of the product whose exported names were compared. */
  files: Schema.Array(Schema.String),
  /** Exported names that these files had at the base. */
  names: Schema.Int,
  lost: Schema.Array(LostName),
  moved: Schema.Array(Schema.Struct({ name: Schema.String, from: Schema.String, to: Schema.String })),
  /** Files that may export something that was not compared, and why. */
  unread: Schema.Array(UnreadFile)
})
export type ApiChange = typeof ApiChange.Type

/** A migration that the change adds or edits. */
export const MigrationChange = Schema.Struct({
  path: Schema.String,
  ...lines,
  /** Name of the tool that runs it; null where that is not known. */
  form: Schema.NullOr(Schema.String),
  reversible: Schema.NullOr(Schema.Boolean),
  /** Why, as the end of a sentence that begins with the path. */
  reason: Schema.String
})
export type MigrationChange = typeof MigrationChange.Type

/** What parsing both sides of the changed files shows. */
export const ChangeDescription = Schema.Struct({ api: ApiChange, migrations: Schema.Array(MigrationChange) })
export type ChangeDescription = typeof ChangeDescription.Type
