import type { SourceFile } from "../files/SourceFile.ts"
import type { Match, RuleLanguage } from "../tool/AuditTool.ts"

/**
 * A change of one range of a file. Offsets are UTF-16, into `file.text`; edits of one file do not overlap. A line break
 * in `text` is "\n" and becomes the one that the file has there.
 */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Another file of the tree than the match's own, such as a manifest; offsets are into that one's text. */
  readonly path?: string
}

/** What a fixer may know of the tree besides the file. */
export interface FixProject {
  readonly has: (path: string) => boolean
  /** Text of a manifest or lock file; null when it is absent, and in a fixer that does not say `readsProject`. */
  readonly manifest: (path: string) => string | null
}

/** One match to fix. */
export interface FixSite<Id extends string = string> {
  readonly file: SourceFile
  readonly match: Match<Id>
  readonly project: FixProject
}

export interface Edits {
  readonly edits: ReadonlyArray<Edit>
  /** What the change does, as an imperative sentence: the subject of a commit follows from it. */
  readonly summary: string
  /** Local names whose import is removed, too, where the edits of all sites leave no other use of it. */
  readonly unusedImports?: ReadonlyArray<string>
}

/** The reason is a plain sentence: why this code is left to a person. */
export type Proposal = Edits | { readonly declined: string }

/** Edits the code of one rule's matches. Synchronous and pure, as an inspection is. */
export interface Fixer<Id extends string = string> {
  readonly tool: string
  readonly rule: Id
  /** Languages in which it makes a proposal, each of them shown by a fixture. */
  readonly languages: ReadonlyArray<RuleLanguage>
  /** It needs manifests or the list of paths: then an audit shows no diff, since it sees one file at a time. */
  readonly readsProject?: true
  propose(site: FixSite<Id>): Proposal
}

export const fixer = <Id extends string>(definition: Fixer<Id>): Fixer => definition

export const declined = (reason: string): Proposal => ({ declined: reason })
