import { baseName } from "../../core/text/paths.ts"
import { productNames } from "../commands/programs/productNames.ts"
import type { ObservedFile } from "../Observed.ts"
import { keyedFramework } from "../observers/routes/keyedRoutes.ts"
import type { Survey } from "../Survey.ts"

/** Servers that tests, load tests and examples start are none of the product. */
const isAside =
  /(?:^|\/)(?:tests?|testing|testdata|e2e|__mocks__|mocks?|mirage|msw|fakes?|dumm(?:y|ies)|stubs?|fixtures|examples?|samples?|demos?|bench\w*|\w*stress|load[-_]?(?:tests?|gen\w*)|contrib)\//i

/** The same by the name of the file, unless that is what the product is. */
const standsIn =
  /^(?:(dummy|mock|fake|stub|test|demo)(?:ing)?[-_.]?(?:http[-_.]?)?(?:server|api|backend|service|app)s?|(?:server|api|backend|service)[-_.](dummy|mock|fake|stub|demo))\.\w+$/i

/** Libraries by which a page or a test is answered without a server. */
const answersItself = /^(?:miragejs|ember-cli-mirage|msw|nock|fetch-mock|axios-mock-adapter|pretender)(?:\/|$)/

/** Where those who look after a running program ask what it is busy with. */
const isOfDebugging = /^\/?debug\/(?:pprof|vars|requests|events)(?:\/|$)/

/** Calls by which a program begins to answer requests. */
const serves =
  /(?:^|[.:])(?:create(?:Secure)?Server|ListenAndServe(?:TLS)?|Serve|(?:Threading)?HTTPServer|TCPServer|WSGIServer|make_server|run_simple|serve_forever|start_server)$|^(?:Bun|Deno)\.serve$/

const isServed = (survey: Survey): boolean =>
  survey.source.some(
    (file) => file.has("calls") && !isAside.test(file.path) && file.calls.some(([callee]) => serves.test(callee))
  )

/** Files of the product that declare routes, other than those of a profiler only. */
export const routeFiles = (survey: Survey): ReadonlyArray<ObservedFile> => {
  const products = [...productNames(survey)]
  const isStandIn = (path: string): boolean => {
    const match = standsIn.exec(baseName(path))
    const word = (match?.[1] ?? match?.[2])?.toLowerCase()
    return word !== undefined && !products.some((name) => name.includes(word))
  }
  const found = survey.source.filter(
    (file) =>
      file.has("routes") &&
      !isAside.test(file.path) &&
      !isStandIn(file.path) &&
      !(file.has("imports") && file.imports.some(({ module }) => answersItself.test(module))) &&
      !file.routes.every(({ path }) => isOfDebugging.test(path))
  )
  const isKeyed = (file: ObservedFile): boolean => file.routes.every(({ framework }) => framework === keyedFramework)
  // A browser has such tables of its pages as well.
  return found.some(isKeyed) && !isServed(survey) ? found.filter((file) => !isKeyed(file)) : found
}
