import { lazy, Suspense, useEffect, useState } from "react"
import type { Observation } from "../../api/observations.ts"
import { Kind, ObservationState, Priority } from "../../parts/badges/observation.tsx"
import { Button, IconButton } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { figure } from "../../parts/text/counted.ts"
import { Title } from "../../parts/text/Title.tsx"
import styles from "./Detail.module.css"
import type { Actions } from "./useActions.ts"

// The list is drawn before the script of code, diffs and Markdown is here.
const ObservationDetailPane = lazy(() =>
  import("../observation/ObservationDetailPane.tsx").then((module) => ({ default: module.ObservationDetailPane }))
)

interface DetailProps {
  readonly observationRef: string | null
  /** As the list has it; null where the list does not hold it. */
  readonly row: Observation | null
  /** Which of all it is, counted from 1. */
  readonly position: number
  readonly total: number | undefined
  readonly actions: Actions
  readonly onMove: (step: number) => void
}

const restMillis = 150

/** The value once it has rested: a held key reads nothing of what it passes. */
const useRested = <Value,>(value: Value): Value => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMillis)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

const ActionBar = ({ row, actions }: { readonly row: Observation; readonly actions: Actions }) => {
  const { mayFix, mayTriage, ask, acknowledge } = actions
  if (!mayTriage && !mayFix)
    return <p className="muted">Your role may view observations, but not triage them or request fixes.</p>
  if (row.status === "closed")
    return mayTriage ? (
      <Button keyCap="r" onPress={() => ask("reopen")}>
        Reopen…
      </Button>
    ) : null
  return (
    <div className="line wrap">
      {mayFix && row.kind === "finding" ? (
        <Button look="primary" keyCap="f" onPress={() => ask("fix")}>
          Request fix…
        </Button>
      ) : null}
      {mayTriage ? (
        <>
          <Button keyCap="e" onPress={acknowledge}>
            Acknowledge
          </Button>
          <Button keyCap="d" onPress={() => ask("dismiss")}>
            Dismiss…
          </Button>
          <Button keyCap="c" onPress={() => ask("complete")}>
            Complete…
          </Button>
        </>
      ) : null}
    </div>
  )
}

const Summary = ({ row, actions }: { readonly row: Observation; readonly actions: Actions }) => (
  <>
    <h2>
      <Title text={row.title} />
    </h2>
    <div className="line wrap">
      <Priority priority={row.priority} pill />
      <ObservationState observation={row} />
      <Kind kind={row.kind} />
      {row.cwe.length === 0 ? null : <span className="muted">CWE-{row.cwe[0]}</span>}
      <span className="muted">{row.repo_name}</span>
    </div>
    <ActionBar row={row} actions={actions} />
  </>
)

/** The open observation beside its list. */
export const Detail = ({ observationRef, row, position, total, actions, onMove }: DetailProps) => {
  const rested = useRested(observationRef)
  if (observationRef === null)
    return (
      <section className={styles.detail} aria-label="Detail">
        <Empty icon="triage" why="No observation is open." next="Choose one in the list." />
      </section>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.detail} aria-label="Detail" tabIndex={0}>
      <div className="line">
        <span className="mono muted">{observationRef}</span>
        <span className="line push">
          {row === null ? null : (
            <span className="num muted">
              {figure(position)} {total === undefined ? "" : `of ${figure(total)}`}
            </span>
          )}
          <IconButton small icon="up" label="Previous" onPress={() => onMove(-1)} />
          <IconButton small icon="down" label="Next" onPress={() => onMove(1)} />
          <Button small keyCap="↵" onPress={() => actions.openPage(observationRef)}>
            Open
          </Button>
        </span>
      </div>
      {row === null ? null : <Summary row={row} actions={actions} />}
      {rested === observationRef ? (
        <Suspense fallback={<Bones what={observationRef} />}>
          <ObservationDetailPane observation={observationRef} />
        </Suspense>
      ) : (
        <Bones what={observationRef} />
      )}
    </section>
  )
}
