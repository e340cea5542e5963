import { Effect } from "effect"
import type { ChangeCheck, CheckKind } from "../../../schema/ChangeReview.ts"
import type { BranchVerdict, ChangeFacts, ChangeVerdict } from "../ChangeFacts.ts"
import { noVulnerableDependency } from "./dependencies.ts"
import { noNewFindings, noSecret, observationGone } from "./findings.ts"
import { migrationReversible } from "./migrations.ts"
import { noPublicApiRemoved } from "./publicApi.ts"
import { maxSize } from "./size.ts"
import { testsChanged } from "./testsChanged.ts"
import { fileAbsent, filePresent, textAbsent, textPresent } from "./texts.ts"
import { MAX_EVIDENCE } from "./verdict.ts"

/** Kinds that read the findings before and after a change; `facts.scan` is null for others. */
export const readsScan: ReadonlySet<CheckKind> = new Set([
  "no_new_findings",
  "no_secret",
  "no_vulnerable_dependency_added"
])

/** Evaluates a check on one branch. */
const onBranch = (
  check: Exclude<ChangeCheck, { kind: "max_size" }>,
  facts: ChangeFacts
): Effect.Effect<BranchVerdict> => {
  switch (check.kind) {
    case "tests_changed":
      return testsChanged(facts)
    case "no_new_findings":
      return Effect.succeed(noNewFindings(facts, check.max_priority))
    case "observation_gone":
      return Effect.succeed(observationGone(facts, check.ref))
    case "no_public_api_removed":
      return noPublicApiRemoved(facts, check.paths)
    case "file_present":
      return Effect.succeed(filePresent(facts, check.glob))
    case "file_absent":
      return Effect.succeed(fileAbsent(facts, check.glob))
    case "text_present":
      return textPresent(facts, check)
    case "text_absent":
      return textAbsent(facts, check)
    case "no_secret":
      return Effect.succeed(noSecret(facts))
    case "no_vulnerable_dependency_added":
      return noVulnerableDependency(facts)
    case "migration_reversible":
      return migrationReversible(facts)
  }
}

/** Evaluates a check on all branches of a change, one after the other: each may read many files. */
export const evaluate = Effect.fn("evaluate")(function* (check: ChangeCheck, changes: ReadonlyArray<ChangeFacts>) {
  if (changes.length === 0) return undecided("No branch of the change could be read.")
  if (check.kind === "max_size") return maxSize(changes, check)
  const verdicts = yield* Effect.forEach(changes, (facts) =>
    Effect.map(onBranch(check, facts), (verdict) => ({ ...verdict, facts }))
  )
  return joined(verdicts, enoughOnce.has(check.kind) ? oneSuffices : allMust, check.kind)
})

type Evaluated = BranchVerdict & { readonly facts: ChangeFacts }

/** What must be there may be in any of the repositories, and what must go is gone when one of the branches removes it. */
const enoughOnce: ReadonlySet<CheckKind> = new Set(["file_present", "text_present", "observation_gone"])
const allMust = ["not_met", "cannot_tell", "met"] as const
const oneSuffices = ["met", "cannot_tell", "not_met"] as const

const undecided = (reason: string): ChangeVerdict => ({ verdict: "cannot_tell", reason, evidence: [] })

/** The first verdict of the order that a branch has, with the reasons of the branches that have it. */
const joined = (
  verdicts: ReadonlyArray<Evaluated>,
  order: typeof allMust | typeof oneSuffices,
  kind: CheckKind
): ChangeVerdict => {
  const verdict = order.find((word) => verdicts.some((one) => one.verdict === word))
  const deciding = verdicts.filter((one) => one.verdict === (verdict ?? "not_applicable"))
  const reason = reasonOf(deciding, verdicts.length)
  const evidence = deciding.flatMap((one) => one.evidence).slice(0, MAX_EVIDENCE)
  // Text that must be there is not there when there is no such file.
  return { verdict: verdict ?? (kind === "text_present" ? "not_met" : "cannot_tell"), reason, evidence }
}

/** Reasons of several branches are distinguished by the names of the branches. */
const reasonOf = (deciding: ReadonlyArray<Evaluated>, branches: number): string => {
  if (branches === 1) return deciding.map(({ reason }) => reason).join(" ")
  const byReason = new Map<string, Array<string>>()
  for (const { reason, facts } of deciding) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), `${facts.repository} ${facts.branch}`])
  }
  return [...byReason].map(([reason, of]) => `${of.join(", ")}: ${reason}`).join(" ")
}
