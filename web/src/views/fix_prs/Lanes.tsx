import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { FixPr } from "../../api/fixes.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Icon } from "../../parts/icon/Icon.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Title } from "../../parts/text/Title.tsx"
import styles from "./FixPrs.module.css"
import { inLane, laneSize, lanes } from "./lanes.ts"

const Card = ({ row, isOpen }: { readonly row: FixPr; readonly isOpen: boolean }) => {
  const { ref, title, number, repo_name, finished_at, started_at, last_failure_reason } = row
  const at = finished_at ?? started_at
  return (
    <li>
      <Link
        to="/fix-prs"
        search={(search) => ({ ...search, ref: isOpen ? undefined : ref })}
        className={styles.card}
        aria-current={isOpen ? "true" : undefined}
      >
        <strong>
          <Title text={title} />
        </strong>
        <span className="line wrap muted">
          <span className="num">{ref}</span>
          {number === null ? null : <span className="num">#{number}</span>}
          <span>{repo_name}</span>
          {at === null ? null : <Time at={at} />}
        </span>
        {last_failure_reason === null ? null : <span className="soft">{last_failure_reason}</span>}
      </Link>
    </li>
  )
}

const LaneColumn = ({
  lane,
  rows,
  open
}: {
  readonly lane: (typeof lanes)[number]
  readonly rows: ReadonlyArray<FixPr>
  readonly open: string | undefined
}) => {
  const [shown, setShown] = useState(laneSize)
  return (
    <section className={styles.lane} aria-label={lane.name}>
      <h2 className={styles.laneHead}>
        <Icon name={lane.icon} />
        {lane.name} <span className="muted num">{rows.length}</span>
      </h2>
      {rows.length === 0 ? (
        <p className="muted">{lane.empty}</p>
      ) : (
        <ul className={styles.cards}>
          {rows.slice(0, shown).map((row) => (
            <Card key={row.attempt_id} row={row} isOpen={row.ref === open} />
          ))}
        </ul>
      )}
      {rows.length > shown ? (
        <Button small onPress={() => setShown(shown + laneSize)}>
          Show more
        </Button>
      ) : null}
    </section>
  )
}

/** The pull requests by what becomes of them. */
export const Lanes = ({ rows, open }: { readonly rows: ReadonlyArray<FixPr>; readonly open: string | undefined }) => (
  <div className={styles.lanes}>
    {lanes.map((lane) => (
      <LaneColumn key={lane.name} lane={lane} rows={inLane(rows, lane)} open={open} />
    ))}
  </div>
)
