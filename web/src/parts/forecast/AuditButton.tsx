import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { forecastsQuery } from "../../api/forecasts.ts"
import { useSubmitJob, type Workflow } from "../../api/jobs.ts"
import { addressOf, type RepositoryAddress } from "../../api/repositories.ts"
import { useMay } from "../../api/session.ts"
import { Button } from "../button/Button.tsx"
import { Problem } from "../feedback/Problem.tsx"
import { aboutPrice, timeRange } from "./forecastWords.ts"

const verbs = { audit: "Start audit", discover: "Run discovery" } as const

/** Starts an audit or a discovery; says before the click what it will cost and how long it will take. */
export const AuditButton = ({
  repository,
  workflow = "audit",
  look = "primary",
  small = false
}: {
  readonly repository: RepositoryAddress
  readonly workflow?: Extract<Workflow, keyof typeof verbs>
  readonly look?: "primary" | "plain"
  readonly small?: boolean
}) => {
  const navigate = useNavigate()
  const may = useMay("submit_audit_jobs")
  const forecasts = useQuery(forecastsQuery(addressOf(repository)))
  const submit = useSubmitJob()
  const forecast = forecasts.data?.[workflow]
  const price = forecast === undefined ? "" : ` for ${aboutPrice(forecast.cost_mid)}`
  const time = forecast === undefined ? null : timeRange(forecast.duration_low, Math.max(forecast.duration_high, 1))
  return (
    <div className={small ? "line wrap" : "stack"}>
      <Button
        look={look}
        small={small}
        isDisabled={!may || forecasts.isPending}
        isPending={submit.isPending}
        onPress={() =>
          submit.mutate(
            { repository, workflow },
            { onSuccess: ({ id }) => navigate({ to: "/jobs/$id", params: { id } }) }
          )
        }
      >
        {verbs[workflow]}
        {price}
      </Button>
      {may ? null : <p className="muted">Your role may not start jobs. A member of the workspace may.</p>}
      {may && time !== null && !small ? <p className="muted">Takes {time}.</p> : null}
      {submit.error === null ? null : <Problem error={submit.error} />}
      {forecasts.error === null ? null : <Problem error={forecasts.error} onRetry={() => forecasts.refetch()} />}
    </div>
  )
}
