import type { ReactNode } from "react"
import type { Observation } from "../../api/observations.ts"
import { Kind, Priority, stateOf } from "../../parts/badges/observation.tsx"
import { Icon } from "../../parts/icon/Icon.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Title } from "../../parts/text/Title.tsx"

/** One fact of a row. A field that is added here is in the list: this file is all there is to change. */
export interface Field {
  readonly name: string
  /** `lead` stands before both lines where there is room. */
  readonly line: "lead" | 1 | 2
  /** `rest` takes the room that is left; `end` stands at the end of its line. */
  readonly room?: "rest" | "end"
  /** Which end is cut where there is no room; the full text is in the tooltip. */
  readonly cut?: "start" | "end"
  readonly mono?: boolean
  /** The text for the tooltip of what may be cut. */
  readonly full?: (observation: Observation) => string
  /** Null leaves the field out of a row. */
  readonly view: (observation: Observation) => ReactNode
}

const pathOf = ({ locations }: Observation): string => {
  const [first] = locations ?? []
  return first === undefined ? "" : `${first.file_path}:${first.line_start}`
}

/** New is what the queue is about; every other state is named. */
const otherState = (observation: Observation): ReactNode => {
  const { words, icon } = stateOf(observation)
  if (words === "New") return null
  return (
    <>
      <Icon name={icon} /> {words}
    </>
  )
}

export const fields: ReadonlyArray<Field> = [
  { name: "Priority", line: "lead", view: ({ priority }) => <Priority priority={priority} short /> },
  {
    name: "Title",
    line: 1,
    room: "rest",
    cut: "end",
    full: ({ title }) => title,
    view: ({ title }) => <Title text={title} />
  },
  { name: "Age", line: 1, room: "end", view: ({ first_seen_at }) => <Time at={first_seen_at} /> },
  { name: "Reference", line: 2, view: ({ ref }) => ref },
  { name: "State", line: 2, view: otherState },
  { name: "Kind", line: 2, view: ({ kind }) => (kind === "finding" ? null : <Kind kind={kind} />) },
  { name: "Location", line: 2, cut: "start", mono: true, full: pathOf, view: pathOf },
  { name: "Rule", line: 2, cut: "end", full: ({ rule_id }) => rule_id, view: ({ rule_id }) => rule_id },
  { name: "Repository", line: 2, room: "end", view: ({ repo_name }) => repo_name.split("@")[0] }
]
