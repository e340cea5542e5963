import { addTo } from "../../core/collections/lists.ts"
import { baseName, directoryOf } from "../../core/text/paths.ts"
import { routeFiles } from "../architecture/routeFiles.ts"
import { at, code, type Guide, type Item, plural } from "../Draft.ts"
import type { ObservedFile, ObservedRoute } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { aroundFiles, inPart, mainFolder } from "./recipeParts.ts"

const MIN_ROUTES = 3
/** Two are enough where one file hands both to the server: there is no other way to add one. */
const MIN_ROUTES_OF_FILE = 2
const MIN_SHARE = 0.8

interface Placed {
  readonly route: ObservedRoute
  readonly file: ObservedFile
}

interface Handler {
  readonly name: string
  readonly line: number
  readonly end: number
  readonly file: ObservedFile
}

interface Handled extends Placed {
  readonly handler: Handler
}

const routesIn = (survey: Survey): ReadonlyArray<Placed> =>
  routeFiles(survey).flatMap((file) => file.routes.map((route) => ({ route, file })))

/** Functions and types by name, those of which there is one only or one in a file that the handler's text names. */
class Definitions {
  private readonly byName = new Map<string, Array<Handler>>()

  constructor(survey: Survey, names: ReadonlySet<string>) {
    for (const file of survey.source) {
      if (!file.has("definitions")) continue
      for (const { name, line, end } of file.definitions) {
        const last = name.split(/[.#:]+/).at(-1)!
        if (names.has(last)) addTo(this.byName, last, { name: last, line, end, file })
      }
    }
  }

  of(written: string, from: ObservedFile): Handler | null {
    const name = nameOf(written)
    const all = this.byName.get(name) ?? []
    const own = all.filter(({ file }) => file === from)
    if (own.length === 1) return own[0]!
    if (all.length === 1) return all[0]!
    // A receiver's methods lie in the folder of its type.
    const inFolder = all.filter(({ file }) => directoryOf(file.path) === directoryOf(from.path))
    if (from.language === "go" && own.length === 0 && inFolder.length === 1) return inFolder[0]!
    const words = ownerWords(written)
    const near = all.filter(({ file }) => words.some((word) => stemWords(file.path).includes(word)))
    return near.length === 1 ? near[0]! : null
  }
}

/** `create` of `orders#create`, `OrdersController@create`, `h.orders.create`, `OrderView.as_view()`. */
const nameOf = (written: string): string =>
  written
    .replace(/\.as_view\b.*$/, "")
    .replace(/\(.*$/, "")
    .split(/[.#@:>\\-]+/)
    .at(-1)!

const ownerWords = (written: string): ReadonlyArray<string> => {
  const owner =
    written
      .replace(/\.as_view\b.*$/, "")
      .split(/[.#@:>\\-]+/)
      .at(-2) ?? ""
  const plain = owner.replace(/(?:Controller|Handler|Api|View|Resource)s?$/i, "").toLowerCase()
  return plain === "" ? [] : [plain]
}

const stemWords = (path: string): ReadonlyArray<string> => {
  const stem = baseName(path)
    .replace(/\.\w+$/, "")
    .toLowerCase()
  return [stem, stem.replace(/[_-]?(?:controller|handler|api|view|resource)s?$/, "")]
}

const handledIn = (survey: Survey, routes: ReadonlyArray<Placed>): ReadonlyArray<Handled> => {
  const names = new Set(routes.flatMap(({ route }) => (route.handler === null ? [] : [nameOf(route.handler)])))
  const definitions = new Definitions(survey, names)
  return routes.flatMap((placed) => {
    const handler = placed.route.handler === null ? null : definitions.of(placed.route.handler, placed.file)
    return handler === null ? [] : [{ ...placed, handler }]
  })
}

const shownRoute = ({ method, path }: ObservedRoute): string => code(`${method} ${path}`)

/** Neither the shortest nor the longest, and one that has its own name. */
const typical = (handled: ReadonlyArray<Handled>): Handled | null => {
  const ordered = [...handled].sort(
    (a, b) => a.handler.end - a.handler.line - (b.handler.end - b.handler.line) || (a.file.path < b.file.path ? -1 : 1)
  )
  return ordered[ordered.length >> 1] ?? null
}

const share = (count: number, of: number, what: string): string =>
  count === of ? `all ${plural(of, what)} are there` : `${count} of ${plural(of, what)} are there`

const handlerStep = (handled: ReadonlyArray<Handled>, example: Handled): Item => {
  const files = handled.map(({ handler }) => handler.file)
  const { folder, count } = mainFolder(files)
  const { name, line, file } = example.handler
  return {
    text: `Write the handler in ${code(folder === "" ? "." : folder)} (${share(count, files.length, "known handler")}). For example ${code(name)} (${at({ path: file.path, line })}) answers ${shownRoute(example.route)}.`,
    cites: [{ path: file.path, line, end: line + 3, names: [name] }]
  }
}

const CENTRAL = 0.6

/** The file with most of some routes. */
const fullest = (routes: ReadonlyArray<Placed>): { readonly first: ObservedFile; readonly count: number } => {
  const files = new Map<ObservedFile, number>()
  for (const { file } of routes) files.set(file, (files.get(file) ?? 0) + 1)
  const [first, count] = [...files].sort((a, b) => b[1] - a[1] || (a[0].path < b[0].path ? -1 : 1))[0]!
  return { first, count }
}

const registrationStep = (routes: ReadonlyArray<Placed>, example: Placed): Item => {
  const files = new Set(routes.map(({ file }) => file))
  const { first, count } = fullest(routes)
  const isCentral = count >= CENTRAL * routes.length
  const { folder, count: inFolder } = mainFolder([...files])
  const place = { path: example.file.path, line: example.route.line }
  const where = isCentral
    ? `Register the route in ${code(first.path)} (${share(count, routes.length, "route")})`
    : `Register the route in a file of ${code(folder === "" ? "." : folder)} (${inFolder} of ${plural(files.size, "file")} with routes)`
  return {
    text: `${where}, as ${shownRoute(example.route)} is at ${at(place)} (${example.route.framework}).`,
    cites: [{ path: place.path, line: place.line }]
  }
}

/** `orders#create` and `OrdersController@create` are in the file of that name. */
const namesAnother = (handler: string | null): boolean => handler !== null && /^[\w\\/]+[#@]\w+$/.test(handler)

const declarationStep = (routes: ReadonlyArray<Placed>, example: Placed, isBeside: boolean): Item => {
  const files = [...new Set(routes.map(({ file }) => file))]
  const { folder, count } = mainFolder(files)
  const { first, count: inFirst } = fullest(routes)
  const { handler, framework } = example.route
  const place = { path: example.file.path, line: example.route.line }
  const name = handler === null ? "" : ` with ${code(handler)}`
  const together = isBeside ? "together " : ""
  const where =
    inFirst >= CENTRAL * routes.length
      ? `in ${code(first.path)} (${share(inFirst, routes.length, "route")})`
      : 2 * count > files.length
        ? `${together}in a file of ${code(folder === "" ? "." : folder)} (${count} of ${plural(files.length, "file")} with routes)`
        : `${together}in one of the ${plural(files.length, "file")} with routes, or in another beside them`
  return {
    text: `Declare the route${isBeside ? " and its handler" : ""} ${where}, as ${shownRoute(example.route)}${name} is at ${at(place)} (${framework}).`,
    cites: [{ path: place.path, line: place.line }]
  }
}

/** What decides who may call; other things that stand before a handler, such as `@Produces` or CORS, decide nothing. */
const decides =
  /auth|log_?in|signed|permi|role|require|ensure|guard|protect|csrf|session|token|polic|allow|secured|admin|owner|member|can[A-Z_]|limit|throttle/i

/** What most routes that change something pass before their handler, and those that do not. */
const guardItems = (routes: ReadonlyArray<Placed>): { readonly step: Item | null; readonly pitfall: Item | null } => {
  const mutating = routes.filter(({ route }) => /^(?:POST|PUT|PATCH|DELETE)$/.test(route.method))
  const counts = new Map<string, Array<Placed>>()
  for (const placed of mutating)
    for (const guard of new Set(placed.route.guards.filter((one) => decides.test(one)))) addTo(counts, guard, placed)
  const [best] = [...counts].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
  if (best === undefined || best[1].length < 5 || best[1].length < mutating.length * MIN_SHARE)
    return { step: null, pitfall: null }
  const [guard, members] = best
  const { route, file } = members[0]!
  const without = mutating.filter((one) => !one.route.guards.includes(guard)).slice(0, 3)
  return {
    step: {
      text: `Put ${code(guard)} before the handler when the route changes something: ${members.length} of ${mutating.length} such routes do, as at ${at({ path: file.path, line: route.line })}.`,
      cites: [{ path: file.path, line: route.line }]
    },
    pitfall:
      without.length === 0
        ? null
        : {
            text: `Not every route that changes something passes ${code(guard)}: ${without.map((one) => `${shownRoute(one.route)} (${at({ path: one.file.path, line: one.route.line })})`).join(", ")}. Do not copy from these without asking why.`,
            cites: without.map((one) => ({ path: one.file.path, line: one.route.line }))
          }
  }
}

const descriptionItem = (survey: Survey): Item | null => {
  const file = survey.files.find((one) => one.has("entities") && one.entities.some(({ as }) => as === "OpenAPI schema"))
  return file === undefined
    ? null
    : { text: `${code(file.path)} describes the API (OpenAPI).`, cites: [{ path: file.path, line: 1 }] }
}

const holderItems = (routes: ReadonlyArray<Placed>): ReadonlyArray<Item> => {
  const counts = new Map<string, { count: number; readonly line: number }>()
  for (const { file, route } of routes) {
    const known = counts.get(file.path)
    if (known === undefined) counts.set(file.path, { count: 1, line: route.line })
    else known.count++
  }
  return [...counts]
    .sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
    .slice(0, 5)
    .map(([path, { count, line }]) => ({
      text: `${at({ path, line })}: ${plural(count, "route")}.`,
      cites: [{ path, line }]
    }))
}

/** Calls of protocol buffers: where there are more of them than routes, endpoints are made otherwise. */
const remoteCalls = (survey: Survey): number =>
  survey.files
    .filter((file) => file.language === "proto" && file.has("entities"))
    .reduce((sum, { entities }) => sum + entities.filter(({ name }) => /Req(?:uest)?$/.test(name)).length, 0)

/** Whether handlers are where the routes are: written in place, or most of those that have a name. */
const isBeside = (routes: ReadonlyArray<Placed>, handled: ReadonlyArray<Handled>, example: Placed): boolean => {
  const named = routes.filter(({ route }) => route.handler !== null).length
  const beside = handled.filter(({ handler, file }) => handler.file === file).length
  // A branch or a row leads to what answers, wherever that is.
  if (example.route.handler === null && /^(?:comparison|table) of /.test(example.route.framework)) return false
  return 2 * beside >= named && !namesAnother(example.route.handler)
}

const leastOf = (routes: ReadonlyArray<Placed>): number =>
  routes.every(({ file, route }) => file === routes[0]!.file && !/^(?:comparison|table) of /.test(route.framework))
    ? MIN_ROUTES_OF_FILE
    : MIN_ROUTES

const isHandled = (placed: Placed): placed is Handled => "handler" in placed

/** How an endpoint is added, as the endpoints that are there show it. */
const MIN_COPIED = 4

/** Two files of a folder with the same routes: one is an older copy, and which of them is served is not known. */
const areCopied = (routes: ReadonlyArray<Placed>): boolean => {
  const byFile = new Map<ObservedFile, Set<string>>()
  for (const { route, file } of routes) {
    const known = byFile.get(file) ?? new Set()
    byFile.set(file, known.add(`${route.method} ${route.path}`))
  }
  const [[first, own] = [null, new Set<string>()], [second, others] = [null, new Set<string>()], ...more] = byFile
  return (
    first !== null &&
    second !== null &&
    more.length === 0 &&
    directoryOf(first.path) === directoryOf(second.path) &&
    own.size >= MIN_COPIED &&
    own.size === others.size &&
    [...own].every((route) => others.has(route))
  )
}

export const endpointRecipe = (survey: Survey): Guide | null => {
  const routes = routesIn(survey)
  if (routes.length < Math.max(leastOf(routes), remoteCalls(survey)) || areCopied(routes)) return null
  const handled = handledIn(survey, routes)
  const apart = handled.filter(({ handler, file }) => handler.file !== file)
  const isApart = apart.length >= 0.5 * routes.length
  const { first, count } = fullest(routes)
  const { folder } = mainFolder([...new Set(routes.map(({ file }) => file))])
  const isCentral = count >= CENTRAL * routes.length
  // What is shown is of the place that is named.
  const isShown = ({ file }: Placed) => (isCentral ? file === first : directoryOf(file.path) === folder)
  const shown = routes.filter(isShown)
  const example = typical((isApart ? apart : handled).filter(isShown)) ?? shown[shown.length >> 1]!
  const files = [...new Set(isApart ? apart.map(({ handler }) => handler.file) : routes.map(({ file }) => file))]
  const guards = guardItems(routes)
  const steps = isApart
    ? [handlerStep(apart, isHandled(example) ? example : apart[0]!), registrationStep(routes, example)]
    : [declarationStep(routes, example, isBeside(routes, handled, example))]
  return {
    slug: "add-an-endpoint",
    title: "Add an endpoint",
    description: `When something new is to be reachable over HTTP. There are ${plural(routes.length, "route")} of ${[...new Set(routes.map(({ route }) => route.framework))].slice(0, 3).join(", ")}.`,
    items: [
      ...inPart("Steps", [...steps, guards.step, ...aroundFiles(survey, files)]),
      ...inPart("Pitfalls", [guards.pitfall]),
      ...inPart("Where to look", [...holderItems(routes), descriptionItem(survey)])
    ]
  }
}
