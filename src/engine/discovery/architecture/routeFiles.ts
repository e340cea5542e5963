import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"

/** Servers that tests, load tests and examples start are none of the product. */
const isAside =
  /(?:^|\/)(?:tests?|testing|testdata|e2e|__mocks__|mocks?|fakes?|dumm(?:y|ies)|stubs?|fixtures|examples?|samples?|demos?|bench\w*|\w*stress|load[-_]?(?:tests?|gen\w*)|contrib)\//i

/** Where those who look after a running program ask what it is busy with. */
const isOfDebugging = /^\/?debug\/(?:pprof|vars|requests|events)(?:\/|$)/

/** Files of the product that declare routes, other than those of a profiler only. */
export const routeFiles = (survey: Survey): ReadonlyArray<ObservedFile> =>
  survey.source.filter(
    (file) =>
      file.has("routes") && !isAside.test(file.path) && !file.routes.every(({ path }) => isOfDebugging.test(path))
  )
