import type { Scope } from "../../api/session.ts"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import styles from "./Keys.module.css"
import { scopeGroups } from "./presets.ts"

interface ScopePickerProps {
  readonly chosen: ReadonlyArray<Scope>
  /** Those that may be chosen at all. */
  readonly offered: ReadonlyArray<Scope>
  /** Why the others are not. */
  readonly otherwise: string
  readonly onChange: (scopes: ReadonlyArray<Scope>) => void
}

/** Every scope with what it lets a key do. */
export const ScopePicker = ({ chosen, offered, otherwise, onChange }: ScopePickerProps) => (
  <div className={styles.groups}>
    {scopeGroups.map(({ name, scopes }) => (
      <fieldset key={name} className={styles.group}>
        <legend>{name}</legend>
        {scopes.map(([scope, words]) => {
          const isOffered = offered.includes(scope)
          return (
            <Checkbox
              key={scope}
              isSelected={chosen.includes(scope)}
              isDisabled={!isOffered}
              onChange={(isChosen) =>
                onChange(isChosen ? [...chosen, scope] : chosen.filter((other) => other !== scope))
              }
            >
              <span>
                <code>{scope}</code>
                <span className={styles.hint}>{isOffered ? words : otherwise}</span>
              </span>
            </Checkbox>
          )
        })}
      </fieldset>
    ))}
  </div>
)
