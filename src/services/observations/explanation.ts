import { exampleText, type RuleExample } from "../../engine/index.ts"
import { clip } from "../../schema/characters.ts"
import type {
  DetectionQueryCheck,
  EvidenceItem,
  ObservationDetail,
  ObservationEvent
} from "../../schema/Observation.ts"
import type { CodeExample, ObservationExplanation, SimilarObservation } from "../../schema/ObservationExplanation.ts"
import type { RuleOutcomes } from "../../schema/Rule.ts"
import { descriptionParts } from "./descriptionParts.ts"
import { outcomesInWords } from "./ruleOutcomes.ts"
import { stepsInWords } from "./steps.ts"

const maxText = 4000
const maxLocations = 10
const maxHistory = 20

/** What is stored about an observation, in words. */
export const explanationOf = (
  observation: ObservationDetail & { readonly locations: ObservationExplanation["locations"] },
  similar: ReadonlyArray<SimilarObservation>,
  example: RuleExample | null,
  outcomes: RuleOutcomes
): ObservationExplanation => ({
  ref: observation.ref,
  repo_name: observation.repo_name,
  title: observation.title,
  summary: summaryOf(observation, similar.length),
  ...partsOf(observation.description),
  how_it_comes_about: stepsOf(observation),
  example: example === null ? null : codeExampleOf(example),
  suggested_change: observation.suggested_change === null ? null : shortened(observation.suggested_change),
  snippet: observation.snippet === null ? null : shortened(observation.snippet),
  locations: observation.locations.slice(0, maxLocations),
  evidence: [evidenceOf(observation), ...decidedIn(outcomes)].join("\n\n"),
  similar,
  history: historyOf(observation.events),
  next_steps: nextSteps(observation, similar)
})

const codeExampleOf = ({ path, bad, good, besides = {} }: RuleExample): CodeExample => ({
  path,
  bad: exampleText(bad),
  good: exampleText(good),
  other_files: Object.entries(besides).map(([path, text]) => ({ path, content: exampleText(text) }))
})

const shortened = (text: string) => clip(text, maxText)

const stepsOf = ({ steps, locations }: ObservationDetail): string | null =>
  steps.length === 0 ? null : shortened(stepsInWords(steps, locations[0]?.file_path ?? ""))

const partsOf = (description: string): Pick<ObservationExplanation, "what" | "why_and_how_to_fix"> => {
  const { what, why } = descriptionParts(description)
  return { what: shortened(what), why_and_how_to_fix: why === null ? null : shortened(why) }
}

const plural = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`

const article = (word: string) => (/^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`)

const summaryOf = (observation: ObservationDetail, similar: number): string => {
  const { ref, kind, priority, category, status, locations } = observation
  const [first, ...others] = locations
  const place = first === undefined ? "" : ` in ${first.file_path}, line ${first.line_start}`
  const more = others.length === 0 ? "" : ` and ${plural(others.length, "more place")}`
  const state =
    status === "closed"
      ? `It is closed (${observation.close_reason}).`
      : observation.acknowledged_at === null
        ? "It is open."
        : "It is open and was acknowledged."
  const known = `It was seen in ${plural(observation.times_seen, "audit")}, last on ${observation.last_seen_at.slice(0, 10)}.`
  const duplicates = similar === 0 ? "" : ` The same rule reports more in this repository.`
  return `${ref} is ${article(kind)} about ${category} of priority ${priority}${place}${more}. ${state} ${known}${duplicates}`
}

const evidenceOf = ({ tool, rule_id, confidence, evidence }: ObservationDetail): string => {
  const { citation, detection_query } = evidence
  const found = `Found by the tool ${tool} (rule ${rule_id}) with a confidence of ${Math.round(confidence * 100)} %.`
  if (citation === null) return `${found} What it cites was not checked.`
  const missing = citation.missing_identifiers ?? []
  const checks = [
    citation.path_resolved === true
      ? "the file exists"
      : citation.path_resolved === false
        ? "the file is missing"
        : null,
    citation.line_in_range === true
      ? "the lines are in it"
      : citation.line_in_range === false
        ? "the lines are not in it"
        : null,
    citation.missing_identifiers === null
      ? null
      : missing.length === 0
        ? "all names it relies on are there"
        : `these names are missing: ${missing.slice(0, 10).join(", ")}`
  ].filter((check) => check !== null)
  const cited = checks.length === 0 ? "What it cites was not checked." : `Checked: ${checks.join("; ")}.`
  return [
    `${found} ${cited}${detection(detection_query)}`,
    ...reasonOf(evidence.priority_reason),
    ...sought(evidence.checks)
  ].join("\n\n")
}

const decidedIn = (outcomes: RuleOutcomes): ReadonlyArray<string> =>
  outcomes.decided === 0 ? [] : [`Its rule: ${outcomesInWords(outcomes)}`]

const reasonOf = (reason: string | undefined): ReadonlyArray<string> =>
  reason === undefined ? [] : [`Why this priority: ${reason}`]

/** Evidence as a list in Markdown: one line for each thing that was looked for. */
const sought = (checks: ReadonlyArray<EvidenceItem> = []): ReadonlyArray<string> =>
  checks.length === 0
    ? []
    : [
        checks
          .map(({ looked_for, found, detail }) => {
            const outcome = found ? "found" : "not found"
            return `- Looked for ${looked_for}: ${outcome}${detail === undefined ? "." : `: ${detail}`}`
          })
          .join("\n")
      ]

const detection = (check: DetectionQueryCheck | null): string => {
  if (check === null || check.status === null) return ""
  const matches =
    check.match_count === null ? "" : `, ${plural(check.match_count, "match")}`.replace(/matchs$/, "matches")
  return ` Looking for it again: ${check.status}${matches}.`
}

const verbs: Readonly<Record<ObservationEvent["event"], string>> = {
  found: "was found",
  seen_again: "was seen again",
  resurfaced: "came back",
  acknowledged: "was acknowledged",
  dismissed: "was dismissed",
  completed: "was completed",
  reopened: "was reopened",
  fixed: "was fixed",
  expired: "expired",
  undone: "was put back into the state before the last change of many observations",
  fix_started: "got a fix requested",
  fix_retried: "got its fix run again",
  fix_failed: "was not fixed",
  fix_declined: "needed no fix",
  fix_cancelled: "got its fix cancelled",
  fix_pr_opened: "got a fix pull request",
  fix_pr_updated: "got its fix pull request revised",
  fix_pr_conflicted: "got conflicts in its fix pull request",
  fix_pr_conflict_resolved: "got its fix pull request free of conflicts",
  fix_pr_merged: "got its fix merged",
  fix_pr_closed: "got its fix pull request closed unmerged",
  fix_pr_reopened: "got its fix pull request reopened",
  fix_pr_abandoned: "lost its fix pull request",
  fix_pr_withdrawn: "got its fix pull request withdrawn",
  fix_revision_requested: "got a revision of its fix requested"
}

const historyOf = (events: ReadonlyArray<ObservationEvent>): ReadonlyArray<string> =>
  events.slice(-maxHistory).map(({ at, event, actor, reason }) => {
    const by = actor.label ?? actor.kind
    return `${at.slice(0, 10)}: ${verbs[event]} by ${by}${reason === null ? "." : `: ${shortened(reason)}`}`
  })

const nextSteps = (
  { ref, kind, status, effort, risk }: ObservationDetail,
  similar: ReadonlyArray<SimilarObservation>
): ReadonlyArray<string> => {
  if (status === "closed") return [`Nothing to do; reopen_observation brings ${ref} back with a reason.`]
  const open = similar.filter((one) => one.status === "new").length
  return [
    `Read the cited code: is it right? The change is judged ${effort}, its risk ${risk}.`,
    ...(kind === "finding"
      ? ["Right: submit_fix for a pull request, or fix the code, then complete_observation with a link to the change."]
      : []),
    "Wrong or accepted: dismiss_observation with the category that fits and a note of what was checked.",
    ...(open === 0 ? [] : [`Look at ${plural(open, "open one")} of the same rule, too.`])
  ]
}
