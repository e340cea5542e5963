import type { SourceKind } from "../core/tool/SourceKind.ts"
import { chosen, chosenDirect } from "./chosenReadings.ts"
import { fixers } from "./fixers.ts"
import { measuredDirect, measuredFrom } from "./flowReadings.ts"
import { probabilityBelow } from "./posterior.ts"
import { type Measured, measured } from "./readings.ts"
import { readingsByTool } from "./readingsByTool.ts"

/** How many readings the author's estimate counts for: a few findings alone say little about a rule. */
const ESTIMATE_WEIGHT = 6
/** How far estimates were above what was right, on average. */
const ESTIMATE_EXCESS = 0.08
/**
 * Of what a rule reports as findings no more is expected to be wrong, so that of all findings together one in twenty is.
 * What is arguable does not count: it costs a look, not trust.
 */
const WRONG_LIMIT = 0.07
/** What is expected of a group of which nothing was read, and for how many readings that counts. */
const UNREAD_WRONG = 0.1
const UNREAD_WEIGHT = 10
/** How probable it may be that a rule is right less often than it has to be. */
const DOUBT = 0.25

/**
 * Stays reported as an advisory where less than half of it was right: a few dozen readings on mature code say little
 * about code that no one guards, and there a missed injection or credential costs more than a wrong one. A workspace may
 * switch it off.
 */
const keptOn: ReadonlySet<string> = new Set([
  "access_control.prototype_pollution_merge",
  "access_control.prototype_pollution_path",
  "code_injection.exported_code",
  "command_injection.built_command",
  "command_injection.untrusted_command",
  "cross_site_scripting.markup_from_caller",
  "insecure_deserialization.exported_object",
  "insecure_deserialization.external_entities_by_default",
  "path_traversal.untrusted_include",
  "path_traversal.untrusted_path",
  "path_traversal.untrusted_upload_name",
  "path_traversal.zip_slip",
  "regex_dos.exponential_regex",
  "secret_detection.hardcoded_password",
  "secret_detection.hardcoded_secret",
  "secret_detection.json_web_token",
  "secret_detection.private_key",
  "server_side_request_forgery.exported_url",
  "server_side_request_forgery.untrusted_url",
  "sql_injection.built_sql",
  "sql_injection.built_sql_php",
  "sql_injection.built_sql_unquoted",
  "sql_injection.untrusted_sql",
  "sql_injection.untrusted_sql_php",
  "weak_cryptography.weak_cipher"
])
const LEAST_KEPT_ON = 0.5

/**
 * Mistakes in how a statement is written: its operators, names and keywords and their order decide, and nothing has to be known
 * of sizes, lifetimes or what a call reaches. They are right or wrong for the same reasons, so what was read of the others
 * says more of each than its author's estimate.
 */
const mistakesOfForm: ReadonlyArray<string> = [
  "async_concurrency.thread_run_directly",
  "correctness_bugs.always_true_alternative",
  "correctness_bugs.assert_on_tuple",
  "correctness_bugs.assignment_in_condition",
  "correctness_bugs.contradictory_condition",
  "correctness_bugs.except_with_operator",
  "correctness_bugs.exception_not_thrown",
  "correctness_bugs.inverted_null_check",
  "correctness_bugs.loop_never_ends",
  "correctness_bugs.missing_await",
  "correctness_bugs.missing_break",
  "correctness_bugs.return_value_on_next_line",
  "correctness_bugs.string_index_arithmetic",
  "test_quality.async_test_not_run",
  "test_quality.focused_test"
]

/** Mistakes with values, judged alike: sizes, indexes, lifetimes, or which function a call reaches have to be known. */
const mistakesWithValues: ReadonlyArray<string> = [
  "correctness_bugs.address_of_local_returned",
  "correctness_bugs.allocation_of_pointer_size",
  "correctness_bugs.buffer_too_small",
  "correctness_bugs.double_free",
  "correctness_bugs.index_out_of_bounds",
  "correctness_bugs.infinite_recursion",
  "correctness_bugs.loop_past_end",
  "correctness_bugs.nil_map_write",
  "correctness_bugs.no_room_for_terminator",
  "correctness_bugs.off_by_one_loop"
]

/** The class of mistakes that a rule belongs to, by the ids of its rules; null for rules that need context to be judged. */
export const mistakesLike = (ruleId: string): ReadonlyArray<string> | null =>
  [mistakesOfForm, mistakesWithValues].find((ids) => ids.includes(ruleId)) ?? null

const known = (table: Readonly<Record<string, Measured>>, key: string): Measured | null =>
  Object.hasOwn(table, key) ? table[key]! : null

const together = (found: Measured | null, more: Measured | null): Measured | null => {
  if (found === null || more === null) return found ?? more
  return {
    right: found.right + more.right,
    arguable: found.arguable + more.arguable,
    wrong: found.wrong + more.wrong
  }
}

/** All that was read of a rule itself; null where nothing was. */
const ownReadings = (ruleId: string): Measured | null => together(known(measured, ruleId), known(chosen, ruleId))

/** The same of its direct flows. */
const ownDirect = (ruleId: string): Measured | null =>
  together(known(measuredDirect, ruleId), known(chosenDirect, ruleId))

/** The estimate until enough was read, then more and more the share of what was right; 0..1. */
const shareOf = (found: Measured | null, estimate: number, isKeptOn: boolean): number => {
  if (found === null) return estimate
  const { right, arguable, wrong } = found
  const share = (right + ESTIMATE_WEIGHT * estimate) / (right + arguable + wrong + ESTIMATE_WEIGHT)
  return Math.max(Math.round(share * 100) / 100, isKeptOn ? LEAST_KEPT_ON : 0)
}

/** What was read of the others of a class. */
const othersOf = (
  ids: ReadonlyArray<string>,
  table: Readonly<Record<string, Measured>>,
  ruleId: string
): ReadonlyArray<Measured> => ids.flatMap((id) => (id === ruleId ? [] : (known(table, id) ?? [])))

/** What readings of others of a class let expect of one: the mean of the shares that they leave possible. */
const pooled = (others: ReadonlyArray<Measured>): number => {
  const right = others.reduce((sum, one) => sum + one.right, 0)
  const read = others.reduce((sum, one) => sum + one.right + one.arguable + one.wrong, 0)
  return (right + 1) / (read + 2)
}

/** What is expected of a rule before anything of it was read. */
const expectedOf = (ruleId: string, estimate: number): number => {
  const like = mistakesLike(ruleId)
  return like === null ? Math.max(estimate - ESTIMATE_EXCESS, 0) : pooled(othersOf(like, measured, ruleId))
}

/** Direct flows are right or wrong for the same reasons, whatever their sink is. */
const expectedOfDirect = (ruleId: string): number =>
  pooled(othersOf(Object.keys(measuredDirect), measuredDirect, ruleId))

/**
 * Whether readings show that a rule is right that often: the lower quartile of the shares that they leave possible is no
 * lower. What is expected counts for some readings and shows nothing alone.
 */
export const isShown = (least: number, ruleId: string, estimate: number): boolean =>
  isShownBy(least, ownReadings(ruleId), expectedOf(ruleId, estimate))

/** The same of a rule's direct flows. */
export const isShownDirect = (least: number, ruleId: string): boolean =>
  isShownBy(least, ownDirect(ruleId), expectedOfDirect(ruleId))

const isShownBy = (least: number, found: Measured | null, share: number): boolean => {
  if (found === null) return false
  const expected = share * ESTIMATE_WEIGHT
  const right = found.right + expected
  const others = found.arguable + found.wrong + ESTIMATE_WEIGHT - expected
  return others <= 0 || probabilityBelow(least, right, others) <= DOUBT
}

/** How often others of a group are wrong: what is expected of one of them before it was read. */
const wrongAmong = (others: ReadonlyArray<Measured>): number => {
  const wrong = others.reduce((sum, one) => sum + one.wrong, 0)
  const read = others.reduce((sum, one) => sum + one.right + one.arguable + one.wrong, 0)
  return (wrong + UNREAD_WRONG * UNREAD_WEIGHT) / (read + UNREAD_WEIGHT)
}

/**
 * A mistake of form or with values is as often wrong as its like. Any other rule is as often wrong as what its tool reported when
 * it was read first, or as rules whose correction needs no judgement either, where these are wrong less often.
 */
const wrongBefore = (ruleId: string): number => {
  const like = mistakesLike(ruleId)
  if (like !== null) return wrongAmong(othersOf(like, measured, ruleId))
  const ofTool = wrongAmong([known(readingsByTool, ruleId.slice(0, ruleId.indexOf("."))) ?? nothingRead])
  if (!Object.hasOwn(fixers, ruleId)) return ofTool
  return Math.min(ofTool, wrongAmong(othersOf(Object.keys(fixers), measured, ruleId)))
}

/** Asked for each match. */
const expectedWrong = new Map<string, number>()

const expectedWrongOf = (ruleId: string): number => {
  const expected = expectedWrong.get(ruleId) ?? wrongBefore(ruleId)
  expectedWrong.set(ruleId, expected)
  return expected
}

const nothingRead: Measured = { right: 0, arguable: 0, wrong: 0 }

/**
 * Whether readings show that a rule is wrong rarely enough for findings, however often it is right. What its tool's
 * reports were counts for some readings, so a rule that is new in a tool that is often wrong has to be read first.
 */
export const isRarelyWrong = (ruleId: string): boolean =>
  isRarelyWrongBy(ownReadings(ruleId) ?? nothingRead, expectedWrongOf(ruleId))

/** The same of its direct flows; null where none was read. */
export const isRarelyWrongDirect = (ruleId: string): boolean | null => {
  const found = ownDirect(ruleId)
  if (found === null) return null
  return isRarelyWrongBy(found, wrongAmong(othersOf(Object.keys(measuredDirect), measuredDirect, ruleId)))
}

const isRarelyWrongBy = ({ right, arguable, wrong }: Measured, expected: number): boolean =>
  wrong + ESTIMATE_WEIGHT * expected <= WRONG_LIMIT * (right + arguable + wrong + ESTIMATE_WEIGHT)

/** The share of a rule's matches that are right, 0..1. */
export const confidenceOf = (ruleId: string, estimate: number): number =>
  shareOf(ownReadings(ruleId), estimate, keptOn.has(ruleId))

/** The same of its direct flows; null where none was read. */
export const confidenceOfDirect = (ruleId: string): number | null => {
  const found = ownDirect(ruleId)
  return found === null ? null : shareOf(found, expectedOfDirect(ruleId), false)
}

/** The same of its flows from one kind of source that strangers do not control by themselves. */
export const confidenceFrom = (ruleId: string, source: SourceKind, estimate: number): number =>
  shareOf(known(measuredFrom, `${ruleId} ${source}`), estimate, source === "parameter" && keptOn.has(ruleId))

/** What was read of a rule; null for one that was not measured. */
export const measuredOf = (ruleId: string): Measured | null => ownReadings(ruleId)
