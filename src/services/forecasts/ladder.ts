import type { Confidence, Forecast, ForecastSource } from "../../schema/Forecast.ts"
import type { Workflow } from "../../schema/Job.ts"

/** One ended job of the workflow. Seconds and USD. */
export interface PastRun {
  readonly same_repository: boolean
  /** The same repository, commit and params. */
  readonly same_code: boolean
  readonly completed: boolean
  readonly agent_runner: string | null
  /** Of its repository as they were counted last. */
  readonly lines: number | null
  readonly duration_s: number
  readonly cost_usd: number
  /** Its finished stages. */
  readonly stages: ReadonlyArray<{ readonly stage: string; readonly duration_s: number; readonly cost_usd: number }>
}

export interface Question {
  readonly workflow: Workflow
  readonly agent_runner: string | null
  /** The workflow's stages; `null` when this installation does not serve it. */
  readonly stages: ReadonlyArray<string> | null
  /** Lines of the repository, when an audit or a discovery has counted them. */
  readonly lines: number | null
  readonly cpuSecondUsd: number
}

export type Estimate = Omit<Forecast, "workflow" | "repo_name" | "agent_runner">

interface Band {
  readonly low: number
  readonly mid: number
  readonly high: number
}

interface Model {
  readonly cost: Band
  readonly duration: Band
  readonly sample_size: number
}

/** Finished runs of each stage below which a repository's stages are no model yet. */
export const minStageSamples = 3

/** The best rung that the history reaches; low <= mid <= high whatever the history. */
export const climb = (question: Question, history: ReadonlyArray<PastRun>): Estimate => {
  const runs = history.filter(isSound)
  const completed = runs.filter((run) => run.completed)
  const ofWorkspace = completed.map((run) => asIfOfSize(question, run))
  const ofRepository = completed.filter((run) => run.same_repository)
  const ofRunner = (run: PastRun) => question.agent_runner !== null && run.agent_runner === question.agent_runner
  const { stages } = question

  const rungs: ReadonlyArray<readonly [ForecastSource, Model | null]> = [
    [
      "stage_models_hash_exact",
      sumOfStages(
        stages,
        ofRepository.filter((run) => run.same_code),
        1
      )
    ],
    [
      "stage_models_per_stage_sum",
      sumOfStages(
        stages,
        runs.filter((run) => run.same_repository),
        minStageSamples
      )
    ],
    ["repo+workflow+agent_runner", whole(ofRepository.filter(ofRunner))],
    ["repo+workflow", whole(ofRepository)],
    ["tenant+workflow+agent_runner", whole(ofWorkspace.filter(ofRunner))],
    ["tenant+workflow", whole(ofWorkspace)]
  ]
  for (const [source, model] of rungs) if (model !== null) return estimate(source, model)
  return estimate("default", byDefault(question))
}

// Beyond three years or a hundred million dollars a row is wrong, and its sums would not fit the ledger.
const isAmount = (n: number) => n >= 0 && n < 1e8

const isSound = (run: PastRun) =>
  isAmount(run.duration_s) &&
  isAmount(run.cost_usd) &&
  run.stages.every((stage) => isAmount(stage.duration_s) && isAmount(stage.cost_usd))

/** Linear between order statistics; `sorted` is not empty. */
const quantile = (sorted: ReadonlyArray<number>, q: number): number => {
  const at = (sorted.length - 1) * q
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return below + (above - below) * (at - Math.floor(at))
}

/** From the 10th to the 90th percentile, wider the fewer samples there are: one sample alone says half to double. */
const band = (samples: ReadonlyArray<number>): Band => {
  const sorted = [...samples].sort((a, b) => a - b)
  const mid = quantile(sorted, 0.5)
  const doubt = 1 + 1 / sorted.length
  return {
    low: Math.min(mid, quantile(sorted, 0.1) / doubt),
    mid,
    high: Math.max(mid, quantile(sorted, 0.9) * doubt)
  }
}

const zero: Band = { low: 0, mid: 0, high: 0 }
const plus = (a: Band, b: Band): Band => ({ low: a.low + b.low, mid: a.mid + b.mid, high: a.high + b.high })

const whole = (runs: ReadonlyArray<PastRun>): Model | null =>
  runs.length === 0
    ? null
    : {
        cost: band(runs.map((run) => run.cost_usd)),
        duration: band(runs.map((run) => run.duration_s)),
        sample_size: runs.length
      }

const total = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0)

/** A model per stage, and one of what a completed run takes between its stages. */
const sumOfStages = (
  stages: ReadonlyArray<string> | null,
  runs: ReadonlyArray<PastRun>,
  minSamples: number
): Model | null => {
  if (stages === null || stages.length === 0) return null
  let [cost, duration, sample_size] = [zero, zero, Number.POSITIVE_INFINITY]
  for (const name of stages) {
    const samples = runs.flatMap((run) => run.stages.filter(({ stage }) => stage === name))
    if (samples.length < minSamples) return null
    cost = plus(cost, band(samples.map((sample) => sample.cost_usd)))
    duration = plus(duration, band(samples.map((sample) => sample.duration_s)))
    sample_size = Math.min(sample_size, samples.length)
  }
  const between = runs.filter((run) => run.completed)
  if (between.length > 0) {
    const rest = (of: "cost_usd" | "duration_s") =>
      band(between.map((run) => Math.max(0, run[of] - total(run.stages.map((stage) => stage[of])))))
    cost = plus(cost, rest("cost_usd"))
    duration = plus(duration, rest("duration_s"))
  }
  return { cost, duration, sample_size }
}

/**
 * CPU seconds to start and per 1,000 lines. Measured with all tools, on cores half as fast as usual ones, were an audit (0.5, 2.1,
 * 7.3, 16 and 29 CPU seconds for 1,300, 14,000, 141,000, 402,000 and 266,000 lines: Python takes twice as much as Go) and a
 * discovery (2, 3, 8, 18 and 22) of the same code; the others are guesses until one has run.
 */
const defaults: Record<Workflow, { readonly start: number; readonly perThousandLines: number }> = {
  standard_audit: { start: 0.8, perThousandLines: 0.05 },
  audit: { start: 0.8, perThousandLines: 0.06 },
  discover: { start: 1.5, perThousandLines: 0.05 },
  revalidate: { start: 0.8, perThousandLines: 0.05 },
  review: { start: 0.8, perThousandLines: 0.06 },
  fix: { start: 2, perThousandLines: 0.12 },
  change_review: { start: 1.6, perThousandLines: 0.12 },
  mission_step: { start: 2, perThousandLines: 0.12 },
  // It reads nothing.
  mission_pull_request: { start: 0, perThousandLines: 0 }
}

/** They read every file; what the others take depends on the change and on what proposes it. */
const readsAll: ReadonlySet<Workflow> = new Set(["standard_audit", "audit", "discover", "revalidate"])

/** Seconds for fetching, queueing and recording, and CPU seconds that pass in a second of the rest. */
const pace = { around: 1.5, within: 0.8 }

const typicalLines = 50_000
// Nothing is known of the repository, or only its size: the band says so.
const doubt = { ofSize: 4, ofSpeed: 2.5 }

/** CPU seconds, and seconds. */
const byLines = (workflow: Workflow, lines: number) => {
  const { start, perThousandLines } = defaults[workflow]
  const cpu = start + (perThousandLines * lines) / 1000
  return { cpu, duration: pace.around + cpu / pace.within }
}

const byDefault = ({ workflow, lines, cpuSecondUsd }: Question): Model => {
  const { cpu, duration } = byLines(workflow, lines ?? typicalLines)
  const factor = lines === null ? doubt.ofSize : doubt.ofSpeed
  const around = (mid: number): Band => ({ low: mid / factor, mid, high: mid * factor })
  return { cost: around(cpu * cpuSecondUsd), duration: around(duration), sample_size: 0 }
}

/** What the run would have cost and taken in a repository of the size that is asked about. */
const asIfOfSize = ({ workflow, lines }: Question, run: PastRun): PastRun => {
  if (lines === null || run.lines === null || !readsAll.has(workflow)) return run
  const [here, there] = [byLines(workflow, lines), byLines(workflow, run.lines)]
  return {
    ...run,
    cost_usd: (run.cost_usd * here.cpu) / there.cpu,
    duration_s: (run.duration_s * here.duration) / there.duration
  }
}

/**
 * Runs on the same code count from the first, runs of the repository from the tenth as `high`; other repositories of the
 * workspace never. A band wider than fourfold takes a step off.
 */
const confidenceOf = (source: ForecastSource, { sample_size, cost, duration }: Model): Confidence => {
  if (source === "default") return "none"
  const [forMedium, forHigh] =
    source === "stage_models_hash_exact"
      ? [1, 3]
      : source.startsWith("tenant")
        ? [10, Number.POSITIVE_INFINITY]
        : [3, 10]
  const steps = Number(sample_size >= forMedium) + Number(sample_size >= forHigh)
  const isWide = ({ low, high }: Band) => high > 4 * low && high > 0
  const levels = ["low", "medium", "high"] as const
  return levels[Math.max(0, steps - Number(isWide(cost) || isWide(duration)))] ?? "low"
}

// To what the ledger counts in; rounding keeps the order.
const usd = (n: number) => Math.round(n * 1e9) / 1e9
const seconds = (n: number) => Math.round(n * 1000) / 1000

const estimate = (source: ForecastSource, model: Model): Estimate => ({
  cost_low: usd(model.cost.low),
  cost_mid: usd(model.cost.mid),
  cost_high: usd(model.cost.high),
  duration_low: seconds(model.duration.low),
  duration_mid: seconds(model.duration.mid),
  duration_high: seconds(model.duration.high),
  sample_size: model.sample_size,
  confidence: confidenceOf(source, model),
  source
})
