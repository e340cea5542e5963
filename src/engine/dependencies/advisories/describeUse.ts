import type { AdvisoryUse } from "./Advisory.ts"
import { daysSince } from "./age.ts"

const days = (count: number): string => `${count} day${count === 1 ? "" : "s"} old`

const MAX_AGE_DAYS = 30

/** What dependencies were compared with, for people: an old list or a short one has found little, and says so. */
export const describeUse = ({ sources, packages, without_data }: AdvisoryUse, now: number): ReadonlyArray<string> => {
  if (packages === 0) return ["Dependencies: no file here names their versions, so none was compared with advisories."]
  const compared = `${packages.toLocaleString("en")} locked version${packages === 1 ? "" : "s"}`
  const described = sources.map(({ source, ecosystem, newest, advisories }) => {
    const age = daysSince(newest, now)
    const name =
      ecosystem === null
        ? `the ${source} (a sample of ${advisories})`
        : `${ecosystem} (${advisories.toLocaleString("en")}, ${source})`
    return `${name} of ${newest.slice(0, 10)}${age === null ? "" : `, ${days(age)}`}`
  })
  const missing =
    without_data.length === 0
      ? []
      : [
          `No advisories were imported for ${without_data.join(", ")}: only the built-in list was compared, so most known vulnerabilities are not found (assay advisories update).`
        ]
  const old = sources.filter(
    ({ ecosystem, newest }) => ecosystem !== null && (daysSince(newest, now) ?? 0) > MAX_AGE_DAYS
  )
  const stale =
    old.length === 0 ? [] : [`The advisories for ${old.map(({ ecosystem }) => ecosystem).join(", ")} are out of date.`]
  return [`Dependencies: ${compared} compared with ${described.join("; ")}.`, ...missing, ...stale]
}
