import type { Category, Kind, Priority } from "../../../schema/Observation.ts"
import {
  confidenceFrom,
  confidenceOf,
  confidenceOfDirect,
  isRarelyWrong,
  isRarelyWrongDirect,
  isShown,
  isShownDirect
} from "../../rules/confidence.ts"
import type { FileRole } from "../files/FileRole.ts"
import type { Match, Rule, SourceKind, ToolDescription } from "./AuditTool.ts"
import { priorityIn } from "./roles.ts"

/** What a match is worth: how it is reported, how urgently, and why. */
export interface Assessment {
  readonly kind: Kind
  readonly priority: Priority
  readonly confidence: number
  /** Why the priority is what it is, in one sentence. */
  readonly priority_reason: string
}

/** Rules that are right less often are reported only where a person switches them on. */
export const MIN_CONFIDENCE = 0.5
const FINDING_CONFIDENCE = 0.7
/** A claim that is wrong more often than one time in ten must not wake anybody. */
const SEVERE_CONFIDENCE = 0.9

interface Trust {
  /** The most that is sure of a flow that starts there. */
  readonly confidence: number
  readonly name: string
}

/** Sources that strangers do not control by themselves; what comes from outside keeps the confidence of its rule. */
const trusted: Partial<Record<SourceKind, Trust>> = {
  arguments: { confidence: 0.6, name: "the program's arguments" },
  environment: { confidence: 0.55, name: "the environment" },
  stdin: { confidence: 0.6, name: "standard input" },
  file: { confidence: 0.6, name: "a file" },
  database: { confidence: 0.6, name: "stored data" },
  parameter: { confidence: 0.6, name: "callers of an exported function" }
}

const shareText = (confidence: number): string => `${Math.round(confidence * 100)} % of such matches are right`

type Traced = Pick<Match, "confidence" | "source" | "steps">

/** Steps of a direct flow at most, with its source and its sink. */
const MAX_DIRECT_STEPS = 4

/** What a request sends reaches the sink within the file, in few steps: little can lie between that is not seen. */
const isDirect = ({ source, steps = [] }: Traced): boolean =>
  source === "request" &&
  steps.length > 0 &&
  steps.length <= MAX_DIRECT_STEPS &&
  steps.every(({ path, isElsewhere }) => path === undefined && isElsewhere !== true)

/** Why what could be a finding is an advisory. */
const doubtOfKind = (confidence: number, isRarelyWrong: boolean): string =>
  confidence < FINDING_CONFIDENCE || isRarelyWrong
    ? shareText(confidence)
    : "what was read of such matches does not show that they are rarely wrong"

/** Why a finding is not as urgent as its consequence; null where nine in ten are known to be right. */
const doubtOf = (ruleId: string, rule: Rule, confidence: number, match: Traced): string | null => {
  if (confidence < SEVERE_CONFIDENCE) return shareText(confidence)
  const isKnown = isShown(SEVERE_CONFIDENCE, ruleId, rule.confidence)
  return isKnown || (isDirect(match) && isShownDirect(SEVERE_CONFIDENCE, ruleId))
    ? null
    : "too few such matches were read to know that nine in ten are right"
}

/** The confidence of a rule's match: the lowest of what is known of the rule, the place and the source. */
export const confidenceAt = (ruleId: string, rule: Rule, match: Traced): number => {
  const { source, confidence: ofPlace = 1 } = match
  const ofRule = (isDirect(match) ? confidenceOfDirect(ruleId) : null) ?? confidenceOf(ruleId, rule.confidence)
  const trust = source === undefined ? undefined : trusted[source]
  if (source === undefined || trust === undefined) return Math.min(ofRule, ofPlace)
  return Math.min(confidenceFrom(ruleId, source, Math.min(ofRule, trust.confidence)), ofPlace)
}

const isRarelyWrongAt = (ruleId: string, match: Traced): boolean =>
  (isDirect(match) ? isRarelyWrongDirect(ruleId) : null) ?? isRarelyWrong(ruleId)

/**
 * What is reported of a match, or null for nothing. Priority is the consequence that the rule states, in a file of this
 * role, as far as the confidence supports it: P0 and P1 only where readings show that nine in ten are right, advisories at
 * most P2.
 */
export const assess = (
  tool: Pick<ToolDescription, "id" | "kind" | "priority">,
  rule: Rule,
  match: Traced & Pick<Match, "rule">,
  role: FileRole,
  /** Switched on by a person, however often it is wrong. */
  isEnabled = false
): Assessment | null => {
  const consequence = rule.priority ?? tool.priority
  const inRole = priorityIn(role, rule, consequence)
  const ruleId = `${tool.id}.${match.rule}`
  const confidence = confidenceAt(ruleId, rule, match)
  if (inRole === null || (confidence < MIN_CONFIDENCE && !isEnabled)) return null
  const stated = rule.kind ?? tool.kind
  const isRare = isRarelyWrongAt(ruleId, match)
  const isSure = confidence >= FINDING_CONFIDENCE && isRare
  const kind = stated === "finding" && !isSure ? "advisory" : stated
  const doubt = kind === "finding" ? doubtOf(ruleId, rule, confidence, match) : doubtOfKind(confidence, isRare)
  const priority = doubt === null || inRole > "P2" ? inRole : "P2"
  const trust = match.source === undefined ? undefined : trusted[match.source]
  const reasons = [
    `${consequence} by its consequence`,
    ...(inRole === consequence ? [] : [`${inRole} in a file of the role ${role}`]),
    ...(trust === undefined ? [] : [`the value comes from ${trust.name}`]),
    ...(priority === inRole ? [] : [`${priority} because ${doubt}`])
  ]
  return { kind, priority, confidence, priority_reason: `${reasons.join("; ")}.` }
}

/** What reports of these are about goes wrong; those of the others say how code is better written. */
const ofHarm: ReadonlySet<Category> = new Set<Category>(["security", "correctness"])

/**
 * What is reported in a file that others may have written first, or null for nothing. It is no one's choice here how such
 * code is written, and whether someone here corrects it is not known.
 */
export const inUncertainFile = (assessment: Assessment, category: Category): Assessment | null => {
  if (!ofHarm.has(category)) return null
  const priority = assessment.priority < "P2" ? "P2" : assessment.priority
  const reason = "An advisory, because the file says that others wrote it first."
  return {
    ...assessment,
    kind: assessment.kind === "finding" ? "advisory" : assessment.kind,
    priority,
    priority_reason: `${assessment.priority_reason} ${reason}`
  }
}
