import type { Effect, Scope } from "effect"
import type { Figure } from "./figures.ts"

export interface ScenarioOptions {
  readonly seed: number
  /** Share of the full form's faults. */
  readonly scale: number
  /** No fault is begun after this many minutes. */
  readonly minutes: number
}

export interface Report {
  readonly figures: ReadonlyArray<Figure>
  /** A line for each case that a figure counts. */
  readonly details: ReadonlyArray<string>
}

/** Faults of one kind under load, and what became of everything that was acknowledged. */
export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly run: (options: ScenarioOptions) => Effect.Effect<Report, unknown, Scope.Scope>
}
