import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { assignments, type Call, calls, functions, importedNames } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { type Framework, type Method, type Mount, methodOf, paramsOf, pathPattern, type Route } from "./Route.ts"
import { classRoutes, nextRoutes } from "./scriptClasses.ts"
import { literalsOf, namesOf } from "./scriptNodes.ts"

const functionKinds = ["arrow_function", "function_expression", "generator_function"]
const maker =
  /^(?:express|express\.Router|Router|new Router|new KoaRouter|KoaRouter|Hono|OpenAPIHono|new Hono|fastify|Fastify|polka|restify\.createServer|connect|Koa|PromiseRouter|asyncRouter)$/
/** Routers have no more than this in front of them; a file made to have them must not make each route as long as itself. */
const MAX_GUARDS = 40
const routerName = /^(?:app|router|server|fastify|instance|\w*[rR]outer|\w*[aA]pp|apiRoutes|routes)$/

interface Router {
  readonly framework: Framework
  readonly prefix: string
  readonly guards: ReadonlyArray<{ readonly name: string; readonly from: number; readonly under: string }>
}

const frameworkOf = (file: SourceFile): Framework | null => {
  for (const { module } of importedNames(file).values()) {
    if (/^(?:express|express-promise-router|restify|polka)$/.test(module)) return "express"
    if (/^(?:koa-router|@koa\/router|koa)$/.test(module)) return "koa"
    if (/^fastify(?:-plugin)?$|^@fastify\//.test(module)) return "fastify"
    if (/^hono\b|^@hono\//.test(module)) return "hono"
    if (/^@effect\/platform(?:\/|$)/.test(module)) return "Effect HttpRouter"
  }
  return null
}

const hooks = /^(?:preHandler|onRequest|preValidation|preParsing|config|before|pre)$/

const optionGuards = (file: SourceFile, node: number): ReadonlyArray<string> => {
  const tree = file.tree!
  return tree.namedChildren(node).flatMap((pair) => {
    if (!tree.is(pair, "pair") || !hooks.test(tree.textOf(tree.child(pair, "key")))) return []
    return namesOf(file, tree.child(pair, "value"))
  })
}

interface OpenRouter {
  readonly framework: Framework
  prefix: string
  readonly guards: Array<Router["guards"][number]>
}
type Routers = Map<string, OpenRouter>

const calleeAtHead = /^(?:await\s+)?(require\(["'][\w@/-]+["']\)(?:\.\w+)?|(?:new\s+)?[\w.$]+)\s*(?:<[^<>()]*>)?\s*\(/
const requiredMaker = /^require\(["'](express|fastify|koa|koa-router|@koa\/router|hono)["']\)(?:\.Router)?$/

/** The framework of a router that this text makes, or null. */
const madeBy = (written: string, framework: Framework | null): Framework | null => {
  const callee = calleeAtHead.exec(written)?.[1]
  if (callee === undefined) return null
  const required = requiredMaker.exec(callee)?.[1]
  if (required === undefined && !maker.test(callee) && !maker.test(callee.replace(/^new\s+/, ""))) return null
  const named = /hono|koa/i.exec(required ?? callee)?.[0].toLowerCase() as "hono" | "koa" | undefined
  if (named !== undefined) return named
  if (/^fastify$/i.test(required ?? callee)) return "fastify"
  return required === undefined ? (framework ?? "express") : "express"
}

const madeRouters = (file: SourceFile, framework: Framework | null, found: Routers): void => {
  const tree = file.tree!
  for (const { node, target, value } of assignments(file)) {
    if (!tree.is(unwrap(file, value), "call_expression", "new_expression", "await_expression")) continue
    const written = tree.textOf(value).slice(0, 200)
    const own = madeBy(written, framework)
    const prefix = /prefix:\s*["'`]([^"'`$]{1,100})["'`]/.exec(written)?.[1] ?? ""
    const name = tree.is(node, "public_field_definition", "field_definition") ? `this.${target}` : target
    if (own !== null) found.set(name, { framework: own, prefix, guards: [] })
  }
}

/** `module.exports = (app) => …`: routers that are handed in. */
const givenRouters = (file: SourceFile, framework: Framework | null, found: Routers): void => {
  for (const info of functions(file)) {
    for (const { name, type } of info.parameters) {
      const isTyped = /^(?:express\.)?(?:Express|Application|Router|FastifyInstance|Hono)\b/.test(type ?? "")
      const isNamed = routerName.test(name) && (framework !== null || /^(?:app|router|fastify|server)$/.test(name))
      if ((!isTyped && !isNamed) || found.has(name)) continue
      const own = framework ?? (/fastify|instance/i.test(`${name}${type}`) ? "fastify" : "express")
      found.set(name, { framework: own, prefix: "", guards: [] })
    }
  }
}

/** What `use`, `addHook` and `prefix` put in front of a router's routes. */
const putInFront = (file: SourceFile, call: Call, router: OpenRouter): void => {
  const [first, ...rest] = call.args
  if (first === undefined || router.guards.length > MAX_GUARDS) return
  const path = literalValue(file, first)
  if (call.method === "prefix" && path !== null) router.prefix = path
  const takesGuards = call.method === "use" || (call.method === "addHook" && rest[0] !== undefined)
  if (!takesGuards) return
  const under = call.method === "addHook" || path === null ? "" : path.replace(/\/?\*$/, "")
  const listed = call.method === "addHook" ? rest.slice(0, 1) : path === null ? call.args : rest
  for (const name of listed.flatMap((node) => namesOf(file, node))) router.guards.push({ name, from: call.node, under })
}

/** Routers of the file by variable, with what was put in front of all their routes. */
const routersOf = (file: SourceFile, framework: Framework | null): ReadonlyMap<string, Router> => {
  const found: Routers = new Map()
  madeRouters(file, framework, found)
  givenRouters(file, framework, found)
  for (const call of calls(file)) {
    const router = call.receiver === null ? undefined : found.get(call.receiver)
    if (router !== undefined) putInFront(file, call, router)
  }
  return found
}

const isHandler = (file: SourceFile, node: number): boolean =>
  file.tree!.is(unwrap(file, node), ...functionKinds, "identifier", "member_expression", "call_expression", "array")

/** Functions of this file by name, the first of each. */
const namedFunctions = (file: SourceFile): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const { name, body, node } of functions(file)) {
    if (name !== null && body !== NONE && !found.has(name)) found.set(name, node)
  }
  return found
}

/** The function given in place, or inside a wrapper: `asyncHandler(async (req, res) => …)`. */
const functionIn = (file: SourceFile, node: number, depth = 0): number => {
  const tree = file.tree!
  const at = unwrap(file, node)
  if (tree.is(at, ...functionKinds)) return at
  if (tree.is(at, "identifier")) return file.memo(namedFunctions, namedFunctions).get(tree.textOf(at)) ?? NONE
  if (tree.is(at, "array")) return functionIn(file, tree.namedChildren(at).at(-1) ?? NONE, depth + 1)
  if (tree.is(at, "call_expression") && depth < 3) {
    for (const argument of tree.namedChildren(tree.child(at, "arguments"))) {
      const found = functionIn(file, argument, depth + 1)
      if (found !== NONE) return found
    }
  }
  return NONE
}

interface Place {
  readonly file: SourceFile
  readonly call: Call
  readonly name: string
  readonly router: Router
}

const handlerOf = (file: SourceFile, node: number | undefined) => {
  const tree = file.tree!
  const handlerNode = node === undefined ? NONE : functionIn(file, node)
  const written = node === undefined ? "" : tree.textOf(unwrap(file, node))
  return {
    handler: /^[\w$.]+$/.test(written) ? written.slice(0, 100) : null,
    handlerNode,
    handlerStart: handlerNode === NONE ? -1 : tree.start(handlerNode),
    handlerEnd: handlerNode === NONE ? -1 : tree.end(handlerNode)
  }
}

const routeAt = (place: Place, method: Method, path: string, args: ReadonlyArray<number>): Route => {
  const { file, call, name, router } = place
  const tree = file.tree!
  const full = pathPattern(router.prefix, path)
  const middleware = args
    .slice(0, -1)
    .flatMap((node) => (tree.is(node, "object") ? optionGuards(file, node) : namesOf(file, node)))
  const last = args.at(-1)
  const inArray = last !== undefined && tree.is(last, "array") ? namesOf(file, last).slice(0, -1) : []
  const ahead = router.guards
    .filter(({ from, under }) => from < call.node && path.startsWith(under))
    .map((guard) => guard.name)
  return {
    framework: router.framework,
    method,
    path: full,
    params: paramsOf(full),
    group: name,
    guards: [...ahead, ...middleware, ...inArray],
    isOpen: false,
    start: tree.start(call.node),
    end: tree.end(call.node),
    ...handlerOf(file, last)
  }
}

/** `router.route("/x").get(a).post(b)`: the path stands at the foot of the chain. */
const chainFoot = (call: Call, byNode: ReadonlyMap<number, Call>): Call | null => {
  let at: Call | undefined = byNode.get(call.receiverNode)
  for (let depth = 0; at !== undefined && depth < 12; depth++) {
    if (at.method === "route" && at.receiver !== null) return at
    at = byNode.get(at.receiverNode)
  }
  return null
}

const objectRoute = (place: Place): ReadonlyArray<Route> => {
  const { file, call } = place
  const tree = file.tree!
  const options = call.args[0]
  if (options === undefined || !tree.is(options, "object")) return []
  const values = new Map(
    tree
      .namedChildren(options)
      .filter((pair) => tree.is(pair, "pair"))
      .map((pair) => [tree.textOf(tree.child(pair, "key")).replace(/["']/g, ""), tree.child(pair, "value")])
  )
  const path = literalsOf(file, values.get("url") ?? values.get("path"))[0]
  const handler = values.get("handler")
  const methods = literalsOf(file, values.get("method")).flatMap((word) => methodOf(word) ?? [])
  if (path === undefined || methods.length === 0) return []
  return methods.map((method) => {
    const route = routeAt(place, method, path, handler === undefined ? [] : [handler])
    return { ...route, guards: [...route.guards, ...optionGuards(file, options)] }
  })
}

/** A path alone, or among other things that are said of the route: `server.get({ path: "/users", name: "users" }, …)`. */
const pathsIn = (file: SourceFile, node: number | undefined): ReadonlyArray<string> => {
  const tree = file.tree!
  if (node === undefined || !tree.is(node, "object")) return literalsOf(file, node)
  const pairs = tree.namedChildren(node).filter((pair) => tree.is(pair, "pair"))
  const named = pairs.find((pair) => /^["']?(?:path|url)["']?$/.test(tree.textOf(tree.child(pair, "key"))))
  return named === undefined ? [] : literalsOf(file, tree.child(named, "value"))
}

const routesOfCall = (place: Place, byNode: ReadonlyMap<number, Call>): ReadonlyArray<Route> => {
  const { file, call } = place
  const method = methodOf(call.method)
  if (call.method === "route" && place.router.framework === "fastify") return objectRoute(place)
  if (method === null || call.method === "route" || call.method === "handle" || call.method === "match") return []
  const foot = chainFoot(call, byNode)
  const paths = pathsIn(file, foot === null ? call.args[0] : foot.args[0]).filter((path) => /^[/*:]|^$/.test(path))
  const args = foot === null ? call.args.slice(1) : call.args
  const last = args.at(-1)
  if (last === undefined || !isHandler(file, last)) return []
  return paths.map((path) => routeAt(place, method, path, args))
}

const plainRoutes = (file: SourceFile, mounts: Array<Mount>): ReadonlyArray<Route> => {
  const framework = frameworkOf(file)
  const routers = routersOf(file, framework)
  if (routers.size === 0) return []
  const byNode = new Map(calls(file).map((call) => [call.node, call]))
  const names = importedNames(file)
  return calls(file).flatMap((call): ReadonlyArray<Route> => {
    if (call.receiver === null) return []
    const foot = chainFoot(call, byNode)
    const name = foot?.receiver ?? call.receiver
    const router = routers.get(name)
    if (router === undefined) return []
    if (/^(?:use|register|route)$/.test(call.method) && call.args.length > 0) {
      const mount = mountOf(file, call, router, names)
      if (mount !== null) mounts.push(mount)
    }
    return routesOfCall({ file, call, name, router }, byNode)
  })
}

const mountOf = (
  file: SourceFile,
  call: Call,
  router: Router,
  names: ReadonlyMap<string, { readonly module: string }>
): Mount | null => {
  const tree = file.tree!
  const isRegister = call.method === "register"
  const path = literalValue(file, call.args[0]!)
  const target = isRegister ? call.args[0]! : call.args.at(-1)!
  if (!isRegister && path === null) return null
  const written = tree.textOf(target)
  const required = /^require\(["']([^"']+)["']\)/.exec(written)?.[1]
  const root = /^[\w$]+/.exec(written)?.[0] ?? ""
  if (required === undefined && (root === "" || tree.is(target, ...functionKinds))) return null
  const options = isRegister && call.args[1] !== undefined ? tree.textOf(call.args[1]).slice(0, 300) : ""
  const prefix = isRegister ? (/prefix:\s*["'`]([^"'`$]{1,100})/.exec(options)?.[1] ?? "") : (path ?? "")
  const guards = isRegister ? [] : call.args.slice(1, -1).flatMap((node) => namesOf(file, node))
  const ahead = router.guards
    .filter(({ from, under }) => from < call.node && prefix.startsWith(under))
    .map(({ name }) => name)
  return {
    prefix: pathPattern(router.prefix, prefix),
    target: required ?? names.get(root)?.module ?? root,
    guards: [...ahead, ...guards]
  }
}

export const scriptRoutes = (file: SourceFile) => {
  const mounts: Array<Mount> = []
  const routes = [...plainRoutes(file, mounts), ...classRoutes(file), ...nextRoutes(file)]
  return { routes, mounts, actions: [] }
}
