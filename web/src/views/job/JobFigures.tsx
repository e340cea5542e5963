import { hasEnded, type Job } from "../../api/jobs.ts"
import { Meter } from "../../parts/charts/Meter.tsx"
import { moneyRange, timeRange } from "../../parts/forecast/forecastWords.ts"
import { type Figure, Figures } from "../../parts/layout/Figures.tsx"
import { stageWords } from "../../parts/stages/stageWords.ts"
import { currentOf, type Story } from "../../parts/stages/story.ts"
import { figure } from "../../parts/text/counted.ts"
import { duration } from "../../parts/text/duration.ts"
import { dollars } from "../../parts/text/Money.tsx"
import { auditOutcomeOf } from "./jobResult.ts"

const secondsOf = ({ started_at, finished_at }: Job, now: Date) =>
  started_at === null
    ? null
    : Math.max(0, (finished_at === null ? now.getTime() : Date.parse(finished_at)) - Date.parse(started_at)) / 1000

const againstForecast = (value: number, low: number, high: number) => (
  <Meter value={value} max={Math.max(high, value)} band={{ from: low, to: high }} />
)

const elapsed = (job: Job, now: Date): Figure => {
  const seconds = secondsOf(job, now)
  const { forecast } = job
  return {
    label: hasEnded(job) ? "Took" : "Elapsed",
    figure: seconds === null ? "–" : duration(seconds),
    ...(forecast === null
      ? {}
      : {
          of: `forecast ${timeRange(forecast.duration_low, forecast.duration_high)}`,
          children: againstForecast(seconds ?? 0, forecast.duration_low, forecast.duration_high)
        })
  }
}

const cost = (job: Job): Figure => {
  const { forecast, cost_usd } = job
  return {
    label: hasEnded(job) ? "Cost" : "Cost so far",
    figure: dollars(cost_usd),
    ...(forecast === null
      ? {}
      : {
          of: `forecast ${moneyRange(forecast.cost_low, forecast.cost_high)}`,
          children: againstForecast(cost_usd, forecast.cost_low, forecast.cost_high)
        })
  }
}

const progress = (story: Story): Figure | null => {
  const current = currentOf(story)
  if (current === null) return null
  const { name } = stageWords(current.name)
  if (current.progress === null) return { label: "Stage", figure: name }
  const { done, total } = current.progress
  return {
    label: `${name}: files`,
    figure: figure(done),
    of: `of ${figure(total)}`,
    children: <Meter value={done} max={total} />
  }
}

const found = (job: Job): Figure | null => {
  const outcome = auditOutcomeOf(job)
  if (outcome === null) return null
  const { created, seen_again, resurfaced, expired } = outcome
  return {
    label: "New observations",
    figure: figure(created),
    children: (
      <span className="soft">
        {figure(seen_again)} seen again, {figure(resurfaced)} reopened, {figure(expired)} expired
      </span>
    )
  }
}

/** Time and cost against the forecast; how far it is; what it found. */
export const JobFigures = ({ job, story, now }: { readonly job: Job; readonly story: Story; readonly now: Date }) => (
  <Figures figures={[elapsed(job, now), cost(job), progress(story), found(job)].filter((figure) => figure !== null)} />
)
