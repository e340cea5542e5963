import type { Effect } from "effect"
import type { ChangeDescription } from "../../engine/index.ts"
import type { ChangeReviewEvidence, CriterionVerdict } from "../../schema/ChangeReview.ts"
import type { Category, Kind, Priority } from "../../schema/Observation.ts"
import type { ChangeKind, TextLine } from "../ports/Comparison.ts"

// What is known of one branch of a change, for the checks: they read nothing else, and the same facts get the same verdict.

export interface FileFacts {
  /** Where the file is at the head; of a deleted one, where it was. */
  readonly path: string
  readonly previous_path: string | null
  readonly kind: ChangeKind
  /** Of a binary file no lines are known. */
  readonly isBinary: boolean
  /** Lines of the file at the head. */
  readonly added: ReadonlyArray<TextLine>
  /** Lines of the file at the base, under its previous path. */
  readonly removed: ReadonlyArray<TextLine>
}

export interface FindingFacts {
  readonly tool: string
  readonly rule_id: string
  readonly kind: Kind
  readonly priority: Priority
  readonly category: Category
  readonly title: string
  readonly file_path: string
  readonly line_start: number
  readonly line_end: number
}

/** What the engine finds at the head and not at the base, and the other way round. */
export interface ScanFacts {
  /** Findings, advisories and suggestions that the change introduces or affects, the most severe first. */
  readonly introduced: ReadonlyArray<FindingFacts>
  readonly resolved: ReadonlyArray<FindingFacts>
  /** Findings at the head that are not certainly of the change. */
  readonly unattributed: number
  /** IDs of tools that did not finish at the base or the head: what they look for may be there. */
  readonly unfinished_tools: ReadonlyArray<string>
  /** Changed files that no tool read as a whole, such as those that are too large. */
  readonly unread: ReadonlyArray<string>
  /** Changed files that no audit inspects, such as images and other people's code. */
  readonly leftOut: ReadonlyArray<string>
  /** Whether dependencies were compared with published advisories. */
  readonly hasAdvisories: boolean
  /** Ecosystems with dependencies here and no advisories of which are known. */
  readonly ecosystemsWithoutAdvisories: ReadonlyArray<string>
}

/** What became of an observation at the head. */
export interface ObservationFacts {
  readonly ref: string
  /** `elsewhere`: it is about another repository than this one. */
  readonly state: "present" | "absent" | "unknown" | "elsewhere"
  /** Why it is unknown; empty otherwise. */
  readonly doubt: string
  /** Where it is at the head; where it was, when it is absent and its file is still there. */
  readonly location: { readonly file_path: string; readonly line_start: number; readonly line_end: number } | null
}

export type Side = "base" | "head"

export interface ChangeFacts {
  /** Registered branch that the change is compared with: `owner/repo@branch`. */
  readonly repository: string
  readonly branch: string
  /** Commit at which the branch left its base, and its newest one. */
  readonly commits: Readonly<Record<Side, string>>
  readonly files: ReadonlyArray<FileFacts>
  /** Every file of both commits. */
  readonly paths: Readonly<Record<Side, ReadonlySet<string>>>
  /** Null where no criterion needs the scan, or where it failed; then `scanProblem` has the reason. */
  readonly scan: ScanFacts | null
  readonly scanProblem: string | null
  /** By ref, those that criteria name and that the review may know of; others do not exist. */
  readonly observations: ReadonlyMap<string, ObservationFacts>
  /** Texts of files by path; without those that are absent, binary or larger than a megabyte. */
  readonly read: (side: Side, paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>>
  /** What parsing both sides shows, or why it failed. Parsing takes a process of its own: only some checks ask for it. */
  readonly description: Effect.Effect<ChangeDescription | { readonly problem: string }>
}

/** Judgement of a criterion for one branch; `not_applicable` where it is about something that the branch does not have. */
export interface BranchVerdict {
  readonly verdict: Exclude<CriterionVerdict, "pending"> | "not_applicable"
  /** A full sentence, for a person. */
  readonly reason: string
  readonly evidence: ReadonlyArray<ChangeReviewEvidence>
}

/** Judgement of a criterion for the whole change. */
export interface ChangeVerdict {
  readonly verdict: Exclude<CriterionVerdict, "pending">
  readonly reason: string
  readonly evidence: ReadonlyArray<ChangeReviewEvidence>
}
