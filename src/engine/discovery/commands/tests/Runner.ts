import { baseName } from "../../../core/text/paths.ts"
import type { ObservedFile } from "../../Observed.ts"
import type { Survey } from "../../Survey.ts"

/** One test file of a unit, with the name of a test in it as far as one was observed. */
export interface Example {
  readonly file: ObservedFile
  /** Path from the folder of the unit. */
  readonly path: string
  readonly symbol: string | null
}

export type Ways = (example: Example) => Partial<Record<"test" | "test_file" | "test_case", string>>

export interface Runner {
  /** Manifests and settings in which words stand for the runner. */
  readonly stated: RegExp
  readonly words: RegExp
  /** Words with which the manifest says that nothing is run that way. */
  readonly unless?: RegExp
  readonly tests: RegExp
  readonly ways: (survey: Survey, folder: string) => Ways
  readonly isBundled?: boolean
}

export const className = (path: string): string => baseName(path).replace(/\.\w+$/, "")
