import { type MouseEvent, memo } from "react"
import type { Observation } from "../../api/observations.ts"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { type Field, fields } from "./fields.tsx"
import styles from "./Row.module.css"

const leads = fields.filter(({ line }) => line === "lead")
const lines = [1, 2].map((number) => fields.filter(({ line }) => line === number))

const classOf = ({ room, cut, mono }: Field) =>
  [
    room === "rest" ? styles.rest : room === "end" ? styles.end : "",
    cut === "start" ? styles.cutStart : cut === "end" ? "clip" : "",
    mono === true ? "mono" : ""
  ].join(" ")

const Fact = ({ field, observation }: { readonly field: Field; readonly observation: Observation }) => {
  const view = field.view(observation)
  if (view === null || view === "") return null
  return (
    <span className={classOf(field)} title={field.full?.(observation)}>
      {field.cut === "start" ? <bdi>{view}</bdi> : view}
    </span>
  )
}

interface RowProps {
  readonly observation: Observation
  /** Its page, from where the rows beside it can be reached. */
  readonly href: string
  readonly isSelected: boolean
  readonly onToggle: (ref: string) => void
  readonly onFollow: (event: MouseEvent, ref: string) => void
}

/** An observation in two lines. The title is a link for those who open it in a tab of its own. */
export const Row = memo(({ observation, href, isSelected, onToggle, onFollow }: RowProps) => {
  const { ref } = observation
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the list is no table */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: x selects */}
      <div role="gridcell" className={styles.tick} onClick={(event) => event.stopPropagation()}>
        <Checkbox
          aria-label={`Select ${ref}`}
          excludeFromTabOrder
          isSelected={isSelected}
          onChange={() => onToggle(ref)}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the list is no table */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.body}>
        <span className={styles.lead}>
          {leads.map((field) => (
            <Fact key={field.name} field={field} observation={observation} />
          ))}
        </span>
        <a
          href={href}
          tabIndex={-1}
          draggable={false}
          className={styles.first}
          onClick={(event) => onFollow(event, ref)}
        >
          {lines[0]?.map((field) => (
            <Fact key={field.name} field={field} observation={observation} />
          ))}
        </a>
        <span className={styles.second}>
          {lines[1]?.map((field) => (
            <Fact key={field.name} field={field} observation={observation} />
          ))}
        </span>
      </div>
    </>
  )
})
