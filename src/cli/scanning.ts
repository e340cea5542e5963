import { Effect } from "effect"
import { Advisories, scanInProcess } from "../engine/index.ts"
import { AppConfig } from "../layers/Config.ts"
import { cacheFolder } from "./cacheFolder.ts"
import { failed } from "./failures.ts"
import { progressBar } from "./progress.ts"

/** A scan as the terminal runs it: with the imported advisories, a progress bar, and the results kept for `home`. */
export const scanner = (home: string | null) =>
  Effect.gen(function* () {
    const onEvent = yield* progressBar
    const advisories = Advisories.advisoriesFolder((yield* AppConfig).dataDir)
    const cache = home === null ? null : yield* cacheFolder(home)
    return (request: Omit<Parameters<typeof scanInProcess>[0], "advisories" | "cache">) =>
      scanInProcess({ ...request, advisories, ...(cache === null ? {} : { cache }) }, { onEvent }).pipe(
        Effect.mapError(({ message }) => failed(message))
      )
  })
