import { useQuery } from "@tanstack/react-query"
import { observationQuery } from "../../api/observation.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { ObservationEvidence } from "./ObservationEvidence.tsx"
import { Attempts } from "./sections/Attempts.tsx"

/** The evidence of one observation beside a list, which has its title and its actions. */
export const ObservationDetailPane = ({ observation }: { readonly observation: string }) => {
  const { data, error, refetch } = useQuery(observationQuery(observation))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones what={observation} />
  return (
    <div key={observation}>
      <ObservationEvidence observation={data} />
      <Attempts observation={data} />
    </div>
  )
}
