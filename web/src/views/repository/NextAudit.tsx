import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Schema } from "../../api/client.ts"
import { type Forecast, forecastsQuery } from "../../api/forecasts.ts"
import { addressOf, type Repository } from "../../api/repositories.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { AuditButton } from "../../parts/forecast/AuditButton.tsx"
import { ForecastRange } from "../../parts/forecast/ForecastRange.tsx"
import { moneyRange, sampleWords, timeRange } from "../../parts/forecast/forecastWords.ts"
import { Box } from "../../parts/layout/Page.tsx"
import { duration } from "../../parts/text/duration.ts"
import { dollars } from "../../parts/text/Money.tsx"

const Ranges = ({ forecast }: { readonly forecast: Forecast }) => (
  <>
    <ForecastRange
      label="Cost"
      value={dollars(forecast.cost_mid)}
      range={moneyRange(forecast.cost_low, forecast.cost_high)}
      low={forecast.cost_low}
      mid={forecast.cost_mid}
      high={forecast.cost_high}
    />
    <ForecastRange
      label="Time"
      value={duration(forecast.duration_mid)}
      range={timeRange(forecast.duration_low, forecast.duration_high)}
      low={forecast.duration_low}
      mid={forecast.duration_mid}
      high={forecast.duration_high}
    />
    <p className="muted">{sampleWords(forecast)}</p>
  </>
)

/** What the next audit will cost and how long it will take, and the button that starts it. */
export const NextAudit = ({
  repository,
  freshness
}: {
  readonly repository: Repository
  readonly freshness: Schema<"AuditFreshness"> | undefined
}) => {
  const { data } = useQuery(forecastsQuery(addressOf(repository)))
  const forecast = data?.audit
  const active = freshness?.active_audit_job_id ?? null
  return (
    <Box>
      <section className="stack" aria-labelledby="next-audit">
        <h2 id="next-audit">Next audit</h2>
        {forecast === undefined ? <Bones rows={3} what="the forecast" /> : <Ranges forecast={forecast} />}
        {active === null ? (
          <AuditButton repository={repository} />
        ) : (
          <p>
            An audit runs.{" "}
            <Link to="/jobs/$id" params={{ id: active }}>
              Follow it
            </Link>
          </p>
        )}
        <p className="muted">
          Audits <code>{repository.github_base_branch}</code>
          {freshness?.head_sha == null ? "" : " at "}
          {freshness?.head_sha == null ? null : <code>{freshness.head_sha.slice(0, 12)}</code>}.
        </p>
      </section>
    </Box>
  )
}
