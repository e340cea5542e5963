import { type Finding, Secrets, Sources } from "../../engine/index.ts"
import { startOf } from "../../schema/characters.ts"
import { stepsInWords } from "../observations/steps.ts"
import { type ChangedFile, type ChangedLines, isShown, noLines, writtenIn } from "../ports/Comparison.ts"
import type { DirectedReview } from "./directed.ts"
import type { Introduced, Reach } from "./introduced.ts"

/** As GitHub takes the comments of a review. */
export interface ReviewComment {
  readonly path: string
  readonly line: number
  readonly start_line?: number
  readonly side: "RIGHT"
  readonly body: string
}

export interface ReviewText {
  /** For the review as a whole. */
  readonly summary: string
  readonly comments: ReadonlyArray<ReviewComment>
}

export const MAX_COMMENTS = 50
const MAX_BODY = 2_000
const MAX_SUGGESTION = 600
const MAX_LISTED = 50

type Place = Omit<ReviewComment, "body" | "side">

/** The comments of a review, and its summary, which also lists findings without a line in the change. */
export const reviewText = (
  review: DirectedReview,
  files: ReadonlyArray<ChangedFile>,
  unfinished: ReadonlyArray<string>,
  maxComments: number = MAX_COMMENTS
): ReviewText => {
  const { placed, others } = commentsOf(review, files, maxComments)
  const summary = summaryOf(review, unfinished, { heading: "Not reported at a line of the change:", listed: others })
  return { summary, comments: placed.map(({ comment }) => comment) }
}

/** The first findings that have a line in the change, each with its comment there; and the other findings. */
export const commentsOf = (
  { introduced }: DirectedReview,
  files: ReadonlyArray<ChangedFile>,
  maxComments: number = MAX_COMMENTS
) => {
  const changes = new Map(files.map(({ path, lines }) => [path, lines]))
  const placed: Array<{ readonly finding: Finding; readonly comment: ReviewComment }> = []
  const others: Array<Introduced> = []
  for (const one of introduced) {
    const place = placed.length < maxComments ? placeOf(one.finding, changes) : null
    if (place === null) others.push(one)
    else placed.push({ finding: one.finding, comment: { ...place, side: "RIGHT", body: bodyOf(one, place) } })
  }
  return { placed, others }
}

/** What a review found, in short, with a line for each of the listed findings. */
export const summaryOf = (
  { introduced, resolved, left_out }: DirectedReview,
  unfinished: ReadonlyArray<string>,
  { heading, listed }: { readonly heading: string; readonly listed: ReadonlyArray<Introduced> }
): string => {
  const shown = listed.slice(0, MAX_LISTED)
  const parts = [
    introduced.length === 0 ? "Nothing new found in this change." : `This change introduces ${counted(introduced)}.`,
    ...(resolved.length === 0 ? [] : [`It resolves ${resolved.length}.`]),
    ...(left_out === 0 ? [] : [`Left out as the review instructions ask: ${left_out}.`]),
    ...(unfinished.length === 0 ? [] : [`Did not finish, so that something may be missing: ${unfinished.join(", ")}.`]),
    ...(shown.length === 0 ? [] : [`${heading}\n\n${shown.map((one) => `- ${lineOf(one)}`).join("\n")}`]),
    ...(listed.length > shown.length ? [`And ${listed.length - shown.length} more.`] : [])
  ]
  return shortened(parts.join("\n\n"), 20_000)
}

const counted = (introduced: ReadonlyArray<Introduced>): string => {
  const priorities = new Map<string, number>()
  for (const { finding } of introduced) priorities.set(finding.priority, (priorities.get(finding.priority) ?? 0) + 1)
  const each = [...priorities].map(([priority, n]) => `${n} ${priority}`).join(", ")
  return `${introduced.length} observation${introduced.length === 1 ? "" : "s"} (${each})`
}

/** Where a code host can show it: on a changed line, beside one, or on a changed line that it comes from. */
export const placeOf = ({ locations, steps }: Finding, changes: ReadonlyMap<string, ChangedLines>): Place | null => {
  const places = [
    ...locations.map(({ file_path, line_start, line_end }) => ({ path: file_path, start: line_start, end: line_end })),
    ...steps.flatMap(({ file_path, line }) => (line === null ? [] : [{ path: file_path, start: line, end: line }]))
  ].filter(({ path }) => isPlain(path))
  const linesOf = (path: string) => changes.get(path) ?? noLines
  for (const { path, start, end } of places) {
    const [first] = writtenIn(linesOf(path), start, end)
    if (first === undefined) continue
    const [from, to] = first
    return { path, line: to, ...(from < to ? { start_line: from } : {}) }
  }
  const beside = places.find(({ path, start }) => isShown(linesOf(path), start))
  return beside === undefined ? null : { path: beside.path, line: beside.start }
}

/** A name that is not text cannot be named in JSON. */
const isPlain = (path: string): boolean => Sources.pathBytes(path).toString() === path

const bodyOf = ({ finding }: Introduced, place: Place): string => {
  const [at] = finding.locations
  const isHere = at.file_path === place.path && at.line_start <= place.line && place.line <= at.line_end
  const confidence = `${Math.round(finding.confidence * 100)} % confidence`
  const cwe = finding.cwe.map((id) => `CWE-${id}`)
  const suggestion = finding.suggested_change
  const head = `**${finding.priority} ${neutral(finding.title)}**`
  const foot = `${[code(finding.rule_id), confidence, ...cwe].join(" · ")}`
  const parts = [
    ...(isHere ? [] : [`What this line does shows at ${code(`${at.file_path}:${at.line_start}`)}.`]),
    neutral(finding.description),
    ...(finding.steps.length === 0
      ? []
      : [neutral(`How it comes about:\n${stepsInWords(finding.steps, at.file_path)}`)]),
    ...(suggestion === null ? [] : [`Suggested change:\n\n${fenced(startOf(suggestion, MAX_SUGGESTION))}`])
  ]
  return Secrets.redactSecrets(
    `${head}\n\n${shortened(parts.join("\n\n"), MAX_BODY - head.length - foot.length)}\n\n${foot}`
  )
}

const reaches: Readonly<Record<Reach, string>> = {
  changed_line: "on a changed line",
  flow: "reached from a changed line",
  changed_file: "in or through a changed file",
  elsewhere: "in a file that did not change itself"
}

const lineOf = ({ finding, reach }: Introduced): string => {
  const [at] = finding.locations
  const place = code(`${at.file_path}:${at.line_start}`)
  return Secrets.redactSecrets(`**${finding.priority}** ${neutral(finding.title)}: ${place}, ${reaches[reach]}`)
}

/** Cut at the end of a line where that is near, and with what is open closed. */
const shortened = (text: string, max: number): string => {
  if (text.length <= max) return text
  const cut = startOf(text, Math.max(0, max - 8))
  const end = cut.lastIndexOf("\n")
  const kept = end > max / 2 ? cut.slice(0, end) : cut
  const isOpen = kept.split("\n").filter((line) => line.startsWith("````")).length % 2 === 1
  return `${kept}${isOpen ? "\n````" : ""} …`
}

const codeSpan = /(?<!`)(`{1,3})(?!`)[^`]+\1(?!`)/g

/**
 * Markdown in which names from the audited code are no more than names: they notify no one and load nothing.
 * What is in code spans is that already; they end with their line here.
 */
export const neutral = (text: string): string => text.split("\n").map(neutralLine).join("\n")

const neutralLine = (line: string): string => {
  let out = ""
  let at = 0
  for (const span of line.matchAll(codeSpan)) {
    out += escaped(line.slice(at, span.index)) + span[0]
    at = span.index + span[0].length
  }
  return out + escaped(line.slice(at))
}

const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ")
    .replaceAll("<", "&lt;")
    .replaceAll("![", "!\\[")
    .replace(/@(?=[\p{L}\p{N}_-])/gu, "@\u200b")

const code = (text: string): string => {
  const plain = text.replace(/[\u0000-\u001f\u007f]/g, " ")
  return plain.includes("`") ? `\`\`\` ${plain.replaceAll("```", "` ` `")} \`\`\`` : `\`${plain}\``
}

const fenced = (text: string): string => `\`\`\`\`\n${text.replaceAll("````", "` ` ` `")}\n\`\`\`\``
