import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FileSummary, type Match, type Project } from "../../core/tool/AuditTool.ts"
import { type JoinedRoute, joinRoutes } from "../../structure/routes/joinRoutes.ts"
import { type RouteTable, routeFacts } from "../../structure/routes/Route.ts"
import { keyRange, specOf } from "./document.ts"
import type { RuleId } from "./rules.ts"

/** An operation of a document, as a fact. */
interface SpecOperation {
  readonly method: string
  readonly path: string
  readonly start: number
  readonly end: number
}

export interface DriftFacts {
  readonly routes: RouteTable | null
  readonly operations: ReadonlyArray<SpecOperation> | null
}

const MAX_OPERATIONS = 3_000

export const specFacts = (file: SourceFile): DriftFacts | null => {
  const spec = specOf(file)
  if (spec === null || spec.operations.length === 0) return null
  const operations = spec.operations.slice(0, MAX_OPERATIONS).map(({ method, path, entry }) => ({
    method,
    path: `${spec.base}${path}`,
    ...keyRange(entry)
  }))
  return { routes: null, operations }
}

export const codeFacts = (table: RouteTable): DriftFacts | null => {
  const routes = routeFacts(table)
  return routes === undefined ? null : { routes, operations: null }
}

/** Two ways of writing one address: names of parameters, a version or a base in front, and case do not count. */
const addressOf = (path: string): string =>
  path
    .toLowerCase()
    .replace(/\{[^{}]{0,80}\}/g, "{}")
    .replace(/\/+$/, "")
    .replace(/^(?:\/(?:api|rest))?(?:\/v\d+(?:\.\d+)?)?(?=\/)/, "")

const MIN_MATCHED = 5
const MIN_SHARE = 0.7
const MAX_REPORTED = 20

/** Addresses that documents leave out on purpose. */
const undocumented =
  /health|ready|live(?:z|ness)?\b|metrics|docs|swagger|openapi|redoc|favicon|robots|static|assets|\bdebug|internal|callback|webhook|log(?:in|out)\b|\{rest\}|^\/?$|admin|test|ping|status|version|graphql|well-known|\.\w+$/i

/** Part of a repository that is one program, as far as folders show. */
const unitOf = (path: string): string => {
  const parts = path.split("/")
  return parts.length < 2
    ? ""
    : /^(?:packages|apps|services|modules|projects|components)$/.test(parts[0]!)
      ? parts.slice(0, 2).join("/")
      : parts[0]!
}

const methodsOf = (route: JoinedRoute): ReadonlyArray<string> => {
  if (route.method !== "ANY") return [route.method]
  const known = route.answeredBy?.action.methods ?? []
  return known.length === 0 ? ["ANY"] : known
}

const routeLanguages: ReadonlySet<string> = new Set(["javascript", "typescript", "tsx", "python"])

export const reportDrift = (
  all: ReadonlyArray<FileSummary<DriftFacts>>,
  project: Project,
  emit: (path: string, hit: Match<RuleId>) => void
): void => {
  const facts = all.map(({ path, facts: one }) => ({ path, ...one }))
  const specs = facts.filter(({ operations }) => operations !== null)
  if (specs.length === 0) return
  const joined = joinRoutes(facts.flatMap(({ path, routes }) => (routes === null ? [] : [{ path, facts: routes }])))
  const units = new Map<string, Array<JoinedRoute>>()
  for (const route of joined) {
    const unit = unitOf(route.file)
    const known = units.get(unit)
    if (known === undefined) units.set(unit, [route])
    else known.push(route)
  }
  const languageOf = new Map(project.files.map(({ path, language }) => [path, language]))
  for (const spec of specs) {
    const operations = new Map(
      spec.operations!.map((operation) => [`${operation.method} ${addressOf(operation.path)}`, operation])
    )
    const addresses = new Set(spec.operations!.map(({ path }) => addressOf(path)))
    for (const routes of units.values()) compare({ path: spec.path, operations, addresses }, routes, languageOf, emit)
  }
}

interface Documented {
  readonly path: string
  readonly operations: ReadonlyMap<string, SpecOperation>
  readonly addresses: ReadonlySet<string>
}

const compare = (
  spec: Documented,
  routes: ReadonlyArray<JoinedRoute>,
  languageOf: ReadonlyMap<string, string>,
  emit: (path: string, hit: Match<RuleId>) => void
): void => {
  const seen = new Set<string>()
  const missing: Array<JoinedRoute> = []
  let matched = 0
  for (const route of routes) {
    const address = addressOf(route.path)
    const methods = methodsOf(route)
    const isKnown = methods.some((method) =>
      method === "ANY" ? spec.addresses.has(address) : spec.operations.has(`${method} ${address}`)
    )
    for (const method of methods) seen.add(`${method} ${address}`)
    if (isKnown) matched++
    else if (!undocumented.test(route.path) && !/^(?:HEAD|OPTIONS)$/.test(route.method)) missing.push(route)
  }
  if (matched < MIN_MATCHED) return
  if (matched >= MIN_SHARE * (matched + missing.length)) {
    for (const route of missing.slice(0, MAX_REPORTED)) {
      if (!routeLanguages.has(languageOf.get(route.file) ?? "")) continue
      const message = `\`${route.method} ${route.path}\` is not in \`${spec.path}\`, which describes ${matched} of the routes beside it.`
      emit(route.file, {
        rule: "route_not_in_spec",
        start: route.start,
        end: Math.min(route.end, route.start + 120),
        message
      })
    }
  }
  const absent = [...spec.operations.values()].filter(({ method, path }) => {
    const address = addressOf(path)
    return !seen.has(`${method} ${address}`) && !seen.has(`ANY ${address}`)
  })
  if (absent.length * 10 > spec.operations.size * 3) return
  for (const { method, path, start, end } of absent.slice(0, MAX_REPORTED)) {
    const message = `${method} \`${path}\` is described here, and no route of the code answers it; ${matched} others have one.`
    emit(spec.path, { rule: "operation_not_in_code", start, end, message })
  }
}
