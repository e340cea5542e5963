import type { Entry, EntryChange, EntryEvent } from "../../api/context.ts"
import type { DiffField } from "../../parts/entry_diff/EntryDiff.tsx"

/** What a person edits of an entry, and what its versions differ in. */
export interface Values {
  readonly title: string
  readonly summary: string
  readonly kind: Entry["kind"]
  readonly scope: Entry["scope"]
  readonly tags: string
  readonly labels: string
  readonly body_md: string
}

export type ValueName = keyof Values

export const valueNames: ReadonlyArray<readonly [name: ValueName, words: string]> = [
  ["title", "Title"],
  ["summary", "Summary"],
  ["kind", "Kind"],
  ["scope", "Applies to"],
  ["tags", "Tags"],
  ["labels", "Labels"],
  ["body_md", "Body"]
]

export const noValues: Values = {
  title: "",
  summary: "",
  kind: "note",
  scope: "project",
  tags: "",
  labels: "",
  body_md: ""
}

export const valuesOf = (entry: Entry): Values => ({
  title: entry.title,
  summary: entry.summary,
  kind: entry.kind,
  scope: entry.scope,
  tags: entry.tags.join(", "),
  labels: entry.labels.join(", "),
  body_md: entry.body_md
})

/** The values before a change; what an event does not say is as after it. */
export const valuesBefore = ({ prev }: EntryEvent, after: Values): Values => ({
  title: prev.title ?? after.title,
  summary: prev.summary ?? after.summary,
  kind: prev.kind ?? after.kind,
  scope: prev.scope ?? after.scope,
  tags: prev.tags === null ? after.tags : prev.tags.join(", "),
  labels: prev.labels === null ? after.labels : prev.labels.join(", "),
  body_md: prev.body_md ?? after.body_md
})

const words = (name: ValueName, value: string) =>
  name === "scope" ? (value === "subtree" ? "This level and all below" : "This level only") : value

/** The fields that differ, and always title and body: what a difference is read by. */
export const fieldsBetween = (before: Values | null, after: Values): ReadonlyArray<DiffField> =>
  valueNames
    .filter(([name]) => name === "title" || name === "body_md" || before === null || before[name] !== after[name])
    .map(([name, label]) => ({
      name: label,
      before: before === null ? "" : words(name, before[name]),
      after: words(name, after[name])
    }))

const list = (text: string) => [...new Set(text.split(",").map((one) => one.trim()))].filter((one) => one !== "")

/** The values as the API takes them; only those that differ from what they were made from. */
export const changesBetween = (base: Values, mine: Values): EntryChange => ({
  ...(mine.title === base.title ? {} : { title: mine.title }),
  ...(mine.summary === base.summary ? {} : { summary: mine.summary }),
  ...(mine.kind === base.kind ? {} : { kind: mine.kind }),
  ...(mine.scope === base.scope ? {} : { scope: mine.scope }),
  ...(mine.tags === base.tags ? {} : { tags: list(mine.tags) }),
  ...(mine.labels === base.labels ? {} : { labels: list(mine.labels) }),
  ...(mine.body_md === base.body_md ? {} : { body_md: mine.body_md })
})

export const bodyOf = (key: string, values: Values) => ({
  key,
  title: values.title,
  summary: values.summary,
  kind: values.kind,
  scope: values.scope,
  tags: list(values.tags),
  labels: list(values.labels),
  body_md: values.body_md
})

/** What I did not touch follows theirs; what I did touch stays mine. */
export const rebased = (base: Values, mine: Values, theirs: Values): Values => {
  const keep = <Name extends ValueName>(name: Name) => (mine[name] === base[name] ? theirs[name] : mine[name])
  return {
    title: keep("title"),
    summary: keep("summary"),
    kind: keep("kind"),
    scope: keep("scope"),
    tags: keep("tags"),
    labels: keep("labels"),
    body_md: keep("body_md")
  }
}

/** What both changed, each in another way. */
export const conflictsBetween = (base: Values, mine: Values, theirs: Values): ReadonlyArray<ValueName> =>
  valueNames
    .map(([name]) => name)
    .filter((name) => mine[name] !== base[name] && theirs[name] !== base[name] && mine[name] !== theirs[name])

export interface Baseline {
  readonly values: Values
  readonly version: number
}

/** The last live version before a proposed one, out of its history (newest first); null when none ever was. */
export const liveBefore = (entry: Entry, events: ReadonlyArray<EntryEvent>): Baseline | null => {
  let after = valuesOf(entry)
  for (const event of events) {
    const before = valuesBefore(event, after)
    if (event.prev.status === "live") return { values: before, version: event.version - 1 }
    after = before
  }
  return null
}
