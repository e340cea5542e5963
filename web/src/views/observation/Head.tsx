import type { ObservationDetail } from "../../api/observation.ts"
import { Kind, ObservationState, Priority } from "../../parts/badges/observation.tsx"
import { Title } from "../../parts/text/Title.tsx"

/** What it is at a glance: priority, state, kind, weakness, title. */
export const Head = ({ observation }: { readonly observation: ObservationDetail }) => {
  const { priority, kind, cwe, title } = observation
  return (
    <>
      <div className="line wrap">
        <Priority priority={priority} pill />
        <ObservationState observation={observation} />
        <Kind kind={kind} />
        {cwe.length === 0 ? null : <span className="soft">{cwe.map((number) => `CWE-${number}`).join(", ")}</span>}
      </div>
      <h1>
        <Title text={title} />
      </h1>
    </>
  )
}
