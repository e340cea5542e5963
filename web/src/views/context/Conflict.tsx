import type { Entry } from "../../api/context.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Context.module.css"
import { actorName } from "./kinds.tsx"
import { conflictsBetween, type Values, valueNames, valuesOf } from "./values.ts"

interface ConflictProps {
  /** What both started from. */
  readonly base: Values
  readonly mine: Values
  readonly theirs: Entry
  readonly onResolve: (mine: Values) => void
}

/** What someone else saved meanwhile beside the draft; what only they changed is in the draft already. */
export const Conflict = ({ base, mine, theirs, onResolve }: ConflictProps) => {
  const other = valuesOf(theirs)
  const names = conflictsBetween(base, mine, other)
  return (
    <div className="stack" role="alert">
      <Note tone="warn">
        <p>
          <strong>
            {actorName(theirs.updated_by)} changed this entry <Time at={theirs.updated_at} long />.
          </strong>{" "}
          Your draft is kept. What only they changed is in it;{" "}
          {names.length === 0 ? "nothing is left to decide." : "both versions of the rest stand side by side."}
        </p>
      </Note>
      {valueNames
        .filter(([name]) => names.includes(name))
        .map(([name, words]) => (
          <section key={name} className={styles.versions} aria-label={`${words}, theirs and mine`}>
            <div className={styles.version}>
              <h4>{words}: theirs</h4>
              <p>{other[name]}</p>
              <div>
                <Button small onPress={() => onResolve({ ...mine, [name]: other[name] })}>
                  Take theirs
                </Button>
              </div>
            </div>
            <div className={styles.version}>
              <h4>{words}: mine</h4>
              <p>{mine[name]}</p>
            </div>
          </section>
        ))}
    </div>
  )
}
