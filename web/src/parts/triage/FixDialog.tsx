import { queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { api, ok, type Schema } from "../../api/client.ts"
import { FormDialog } from "../dialog/Dialog.tsx"
import { Bones } from "../feedback/Bones.tsx"
import { Problem } from "../feedback/Problem.tsx"
import { duration } from "../text/duration.ts"
import { dollars } from "../text/Money.tsx"
import { Title } from "../text/Title.tsx"

type Observation = Pick<Schema<"Observation">, "ref" | "title" | "repo_name">

/** What a fix in a repository will cost and take. */
export const fixForecastQuery = (repo_name: string) =>
  queryOptions({
    queryKey: ["forecast", "fix", repo_name],
    queryFn: () => ok(api.GET("/api/forecasts/lookup", { params: { query: { workflow: "fix", repo_name } } })),
    staleTime: 60_000
  })

interface FixDialogProps {
  readonly observation: Observation
  readonly onClose: () => void
  readonly onRequested: (jobId: string) => void
}

/** Says what a fix will cost before it is requested. */
export const FixDialog = ({ observation, onClose, onRequested }: FixDialogProps) => {
  const { ref, title, repo_name } = observation
  const { data: forecast, error: unknown } = useQuery(fixForecastQuery(repo_name))
  const request = useMutation({
    mutationFn: () => ok(api.POST("/api/observations/{ref}/fix", { params: { path: { ref } }, body: {} })),
    onSuccess: ({ job_id }) => {
      onClose()
      onRequested(job_id)
    }
  })
  const price = forecast === undefined ? "" : ` for about ${dollars(forecast.cost_mid)}`
  return (
    <FormDialog
      title={`Request a fix of ${ref}`}
      onClose={onClose}
      submit={`Request fix${price}`}
      work={request}
      onSubmit={() => request.mutate()}
    >
      <p>
        <Title text={title} />
      </p>
      {unknown === null ? null : <Problem error={unknown} />}
      {forecast === undefined ? (
        <Bones rows={1} what="the forecast" />
      ) : (
        <p className="soft">
          Forecast {dollars(forecast.cost_low)}–{dollars(forecast.cost_high)}, {duration(forecast.duration_low)} to{" "}
          {duration(forecast.duration_high)}. Opens a pull request, never merges.
        </p>
      )}
    </FormDialog>
  )
}
