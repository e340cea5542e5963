import { Secrets } from "../../engine/index.ts"
import { clip } from "../../schema/characters.ts"
import type { CloseReason, DismissalCategory, Location, Observation } from "../../schema/Observation.ts"
import type { Block, CommentDraft, ListItem, Mark, TicketDraft } from "../ports/TicketTracker.ts"

/** The least of what the trackers take is 255. */
const maxTitle = 200
const maxText = 8000
const maxLocations = 10

/** What an observation is known by outside of this service. */
export const publicName = (workspaceId: string, ref: string): string => `${workspaceId.slice(-12)}/${ref}`

export interface Published extends Observation {
  readonly locations: ReadonlyArray<Location>
}

/** A ticket has what a person needs to start, and no code of the repository beyond the suggested change. */
export const ticketOf = (observation: Published, mark: Mark): TicketDraft => {
  const { title, description, suggested_change, locations } = observation
  const [first] = locations
  const where = first === undefined ? "" : ` in ${first.file_path}`
  return {
    mark,
    title: clip(oneLine(redacted(`${title}${where}`)), maxTitle),
    body: [
      { kind: "paragraph", text: bounded(description) },
      { kind: "list", items: [...factsOf(observation), ...locations.slice(0, maxLocations).map(locationItem)] },
      ...(locations.length > maxLocations ? [paragraph(`And ${locations.length - maxLocations} more locations.`)] : []),
      ...(suggested_change === null
        ? []
        : [paragraph("Suggested change:"), { kind: "code", text: bounded(suggested_change) } as const])
    ]
  }
}

const factsOf = ({ ref, priority, rule_id, cwe, repo_name }: Observation): ReadonlyArray<ListItem> => [
  { label: "Observation", value: `${ref} of Assay`, form: "text" },
  { label: "Priority", value: priority, form: "text" },
  { label: "Repository", value: repo_name, form: "code" },
  { label: "Rule", value: rule_id, form: "code" },
  ...(cwe.length === 0
    ? []
    : [{ label: "Weakness", value: cwe.map((id) => `CWE-${id}`).join(", "), form: "text" } as const])
]

const locationItem = ({ file_path, line_start }: Location): ListItem => ({
  label: "Location",
  value: redacted(`${file_path}:${line_start}`),
  form: "code"
})

/** How a change left the observation. */
export interface StateOfObservation {
  readonly ref: string
  readonly status: "new" | "closed"
  readonly close_reason: CloseReason | null
  readonly dismissal_category: DismissalCategory | null
  readonly note: string | null
  readonly url: string | null
  readonly at: string
}

export const commentOf = (state: StateOfObservation, mark: Mark): CommentDraft => {
  const details: ReadonlyArray<ListItem> = [
    ...(state.dismissal_category === null
      ? []
      : [{ label: "Category", value: inWords(state.dismissal_category), form: "text" } as const]),
    ...(state.url === null ? [] : [{ label: "Proof", ...linkOrText(state.url) }]),
    { label: "At", value: state.at, form: "text" }
  ]
  return {
    mark,
    body: [
      paragraph(sentenceOf(state)),
      ...(state.note === null || state.note.trim() === "" ? [] : [paragraph(bounded(state.note))]),
      { kind: "list", items: details }
    ]
  }
}

const sentenceOf = ({ ref, status, close_reason }: StateOfObservation): string => {
  if (status === "new") return `Assay: ${ref} is open again.`
  switch (close_reason) {
    case "fixed":
      return `Assay: ${ref} is closed as fixed.`
    case "dismissed":
      return `Assay: ${ref} was dismissed.`
    case "completed":
      return `Assay: ${ref} was completed.`
    default:
      return `Assay: ${ref} has expired: its rule reports it no longer.`
  }
}

const linkOrText = (url: string): Pick<ListItem, "value" | "form"> => {
  const value = redacted(url)
  return { value, form: /^https?:\/\/[^\s<>[\]|]+$/.test(value) ? "link" : "text" }
}

const paragraph = (text: string): Block => ({ kind: "paragraph", text })

const inWords = (name: string) => name.replaceAll("_", " ")

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()

const redacted = (text: string) => Secrets.redactSecrets(text)

const bounded = (text: string) => clip(redacted(text), maxText)
