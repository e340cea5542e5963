import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { ObservationDetail, SameRule } from "../../../api/observation.ts"
import { triagePreviewQuery } from "../../../api/triage.ts"
import { Priority } from "../../../parts/badges/observation.tsx"
import { Button } from "../../../parts/button/Button.tsx"
import { Problem } from "../../../parts/feedback/Problem.tsx"
import { Checkbox } from "../../../parts/fields/Checkbox.tsx"
import { figure } from "../../../parts/text/counted.ts"
import { observations } from "../../../parts/triage/words.ts"
import styles from "./dialogs.module.css"

/** The open observations of the same rule in the folder of the main location, this one among them. */
export const sameRuleOf = ({
  rule_id,
  repo_name,
  locations
}: Pick<ObservationDetail, "rule_id" | "repo_name" | "locations">): SameRule => {
  const file = locations[0]?.file_path ?? ""
  const folder = file.slice(0, file.lastIndexOf("/") + 1)
  return { status: "new", rule: rule_id, repo: repo_name, path: folder === "" ? "." : folder }
}

interface SameRuleChoiceProps {
  readonly filter: SameRule
  readonly isSelected: boolean
  readonly onChange: (selected: boolean) => void
}

/** Offers to dismiss what the same rule reports in the folder; says how many before anything happens. */
export const SameRuleChoice = ({ filter, isSelected, onChange }: SameRuleChoiceProps) => {
  const [shown, setShown] = useState(false)
  const { data, error } = useQuery(triagePreviewQuery("dismiss", { filter }))
  if (error !== null) return <Problem error={error} />
  const others = (data?.count ?? 0) - 1
  if (data === undefined || others < 1) return null
  return (
    <div className={styles.also}>
      <Checkbox isSelected={isSelected} onChange={onChange}>
        <span>
          Also dismiss this rule below <code>{filter.path === "." ? "the root" : filter.path}</code>
        </span>
      </Checkbox>
      <div className="line wrap muted">
        <span>
          {filter.rule}: {figure(others)} more {observations(others).replace(/^\S+ /, "")}.
        </span>
        <Button small look="ghost" onPress={() => setShown(!shown)} aria-expanded={shown}>
          {shown ? "Hide them" : "Preview them"}
        </Button>
      </div>
      {shown ? (
        <ul className={styles.preview}>
          {data.sample.map(({ ref, priority, file_path, title }) => (
            <li key={ref}>
              <Priority priority={priority} short />
              <span className="num">{ref}</span>
              <span className="clip" title={`${title} in ${file_path}`}>
                {file_path}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
