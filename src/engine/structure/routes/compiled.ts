import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, type Call, calls, functions, importedNames } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { type Framework, guardName, type Method, methodOf, paramsOf, pathPattern, type Route } from "./Route.ts"

interface Router {
  readonly prefix: string
  readonly guards: ReadonlyArray<{ readonly name: string; readonly from: number }>
}

const frameworkOf = (file: SourceFile): Framework | null => {
  for (const { module } of importedNames(file).values()) {
    if (/gin-gonic\/gin\b/.test(module)) return "gin"
    if (/labstack\/echo\b|gofiber\/fiber\b/.test(module)) return "echo"
    if (/go-chi\/chi\b/.test(module)) return "chi"
    if (module === "net/http" || /gorilla\/mux\b/.test(module)) return "net/http"
  }
  return null
}

const verb = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Get|Post|Put|Patch|Delete|Any)$/

/** Routers have no more than this in front of them; a file made to have them must not make each route as long as itself. */
const MAX_GUARDS = 40

/** Functions and methods by their own name, the first of each. */
const namedFunctions = (file: SourceFile): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const { name, node } of functions(file)) {
    const own = name?.split(".").at(-1)
    if (own !== undefined && !found.has(own)) found.set(own, node)
  }
  return found
}

const functionAt = (file: SourceFile, node: number) => {
  const tree = file.tree!
  const written = tree.textOf(node)
  const name = /^(?:\w+\.)*(\w+)$/.exec(written)?.[1]
  const found = tree.is(node, "func_literal")
    ? node
    : name === undefined
      ? NONE
      : (file.memo(namedFunctions, namedFunctions).get(name) ?? NONE)
  return {
    handler: name === undefined ? null : written.slice(0, 100),
    handlerNode: found,
    handlerStart: found === NONE ? -1 : tree.start(found),
    handlerEnd: found === NONE ? -1 : tree.end(found)
  }
}

/** `api := r.Group("/api", auth)`, `r.Route("/x", func(r chi.Router) {…})`, `g.Use(auth)`. */
const routersOf = (file: SourceFile): Map<string, Router> => {
  const tree = file.tree!
  const found = new Map<string, { prefix: string; guards: Array<Router["guards"][number]> }>()
  const byNode = new Map(calls(file).map((call) => [call.node, call]))
  for (const { target, value } of assignments(file)) {
    const call = byNode.get(value)
    if (call === undefined || call.method !== "Group" || call.receiver === null) continue
    const outer = found.get(call.receiver)
    const prefix = call.args[0] === undefined ? null : literalValue(file, call.args[0])
    const own = call.args
      .slice(prefix === null ? 0 : 1)
      .map((node) => ({ name: guardName(tree.textOf(node)), from: call.node }))
    found.set(target, { prefix: `${outer?.prefix ?? ""}/${prefix ?? ""}`, guards: [...(outer?.guards ?? []), ...own] })
  }
  for (const call of byNode.values()) {
    if (call.method !== "Use" || call.receiver === null || call.args.length === 0) continue
    const router = found.get(call.receiver) ?? { prefix: "", guards: [] }
    if (router.guards.length > MAX_GUARDS) continue
    for (const node of call.args) router.guards.push({ name: guardName(tree.textOf(node)), from: call.node })
    found.set(call.receiver, router)
  }
  return found
}

/** `r.Route("/x", func(r chi.Router) {…})` around a call: prefixes and `Use` of the functions it stands in. */
const chiScope = (file: SourceFile, node: number): { prefix: string; scopes: ReadonlyArray<number> } => {
  const tree = file.tree!
  const scopes: Array<number> = []
  let prefix = ""
  for (
    let up = tree.enclosing(node, "func_literal"), depth = 0;
    up !== NONE && depth < 8;
    up = tree.enclosing(up, "func_literal"), depth++
  ) {
    const call = tree.parent(tree.parent(up))
    const method = tree.textOf(tree.child(tree.child(call, "function"), "field"))
    if (method === "Route")
      prefix = `${literalValue(file, tree.namedChildren(tree.parent(up))[0] ?? NONE) ?? ""}/${prefix}`
    if (method === "Route" || method === "Group") scopes.push(up)
  }
  return { prefix, scopes }
}

const goRoute = (
  file: SourceFile,
  call: Call,
  framework: Framework,
  routers: Map<string, Router>
): ReadonlyArray<Route> => {
  const tree = file.tree!
  const written = call.args[0] === undefined ? null : literalValue(file, call.args[0])
  const isPlain = /^(?:HandleFunc|Handle)$/.test(call.method)
  if (written === null || call.args.length < 2 || (!isPlain && !verb.test(call.method))) return []
  if (!/^\/|^$|^[A-Z]+ \//.test(written) || (call.method === "Get" && framework === "net/http")) return []
  const stated = /^([A-Z]+) (\/.*)$/.exec(written)
  const chained = isPlain ? methodsAfter(file, call) : []
  const methods: ReadonlyArray<Method> =
    stated !== null
      ? [methodOf(stated[1]!) ?? "ANY"]
      : chained.length > 0
        ? chained
        : [isPlain ? "ANY" : (methodOf(call.method) ?? "ANY")]
  const router = routers.get(call.receiver ?? "")
  const { prefix, scopes } = framework === "chi" ? chiScope(file, call.node) : { prefix: "", scopes: [] }
  const scope = tree.enclosing(call.node, "func_literal", "function_declaration", "method_declaration")
  // Middleware of another function's router of the same name is not this one's.
  const ahead = (router?.guards ?? [])
    .filter(({ from }) => {
      const own = tree.enclosing(from, "func_literal", "function_declaration", "method_declaration")
      return from < call.node && (own === scope || scopes.includes(own))
    })
    .map(({ name }) => name)
  const with_ = /\.With\(([\w.]+)/.exec(call.receiver ?? "")?.[1]
  // gin takes middleware before the handler, echo after it.
  const isEcho = framework === "echo"
  const handler = isEcho ? call.args[1]! : call.args.at(-1)!
  const between = isEcho ? call.args.slice(2) : call.args.slice(1, -1)
  const wrapped = tree.is(handler, "call_expression") ? [guardName(tree.textOf(handler))] : []
  const path = pathPattern(framework === "chi" ? prefix : (router?.prefix ?? ""), stated?.[2] ?? written)
  return methods.map((method) => ({
    framework,
    method,
    path,
    params: paramsOf(path),
    group: call.receiver?.slice(0, 60) ?? file.path,
    guards: [
      ...ahead,
      ...(with_ === undefined ? [] : [with_]),
      ...between.map((node) => guardName(tree.textOf(node))),
      ...wrapped
    ],
    isOpen: false,
    start: tree.start(call.node),
    end: tree.end(call.node),
    ...functionAt(
      file,
      tree.is(handler, "call_expression")
        ? (tree.namedChildren(tree.child(handler, "arguments"))[0] ?? handler)
        : handler
    )
  }))
}

/** `.HandleFunc("/x", h).Methods("POST")` */
const methodsAfter = (file: SourceFile, call: Call): ReadonlyArray<Method> => {
  const tree = file.tree!
  const selector = tree.parent(call.node)
  if (!tree.is(selector, "selector_expression") || tree.textOf(tree.child(selector, "field")) !== "Methods") return []
  const list = tree.child(tree.parent(selector), "arguments")
  return tree
    .namedChildren(list)
    .flatMap((node) => methodOf((literalValue(file, node) ?? tree.textOf(node)).replace(/^http\.Method/, "")) ?? [])
}

export const goRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  const framework = frameworkOf(file)
  if (framework === null) return []
  const routers = routersOf(file)
  return calls(file).flatMap((call) => (call.receiver === null ? [] : goRoute(file, call, framework, routers)))
}

/** `app.MapPost("/x", handler).RequireAuthorization()` of ASP.NET's minimal APIs. */
export const minimalRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  const tree = file.tree!
  const groups = new Map<string, { prefix: string; guards: ReadonlyArray<string> }>()
  for (const { target, value } of assignments(file)) {
    const text = value === NONE ? "" : tree.textOf(value).slice(0, 300)
    const prefix = /\.MapGroup\(\s*"([^"]*)"/.exec(text)?.[1]
    if (prefix !== undefined)
      groups.set(target, { prefix, guards: /RequireAuthorization/.test(text) ? ["RequireAuthorization"] : [] })
  }
  return calls(file).flatMap((call): ReadonlyArray<Route> => {
    const method = /^Map(Get|Post|Put|Patch|Delete)$/.exec(call.method)?.[1]
    const written = call.args[0] === undefined ? null : literalValue(file, call.args[0])
    if (method === undefined || written === null || call.args.length < 2) return []
    const after: Array<string> = []
    for (
      let up = tree.parent(call.node), depth = 0;
      depth < 24 && tree.is(up, "member_access_expression", "invocation_expression");
      up = tree.parent(up), depth++
    ) {
      if (tree.is(up, "member_access_expression")) after.push(tree.textOf(tree.child(up, "name")).replace(/<.*$/, ""))
    }
    const group = groups.get(call.receiver ?? "")
    const path = pathPattern(group?.prefix ?? "", written)
    const handler = call.args[1]!
    const isLambda = tree.is(handler, "lambda_expression", "anonymous_method_expression")
    return [
      {
        framework: "aspnet",
        method: methodOf(method)!,
        path,
        params: paramsOf(path),
        group: call.receiver?.slice(0, 60) ?? "app",
        handler: isLambda ? null : tree.textOf(handler).slice(0, 100),
        guards: [...(group?.guards ?? []), ...after],
        isOpen: after.includes("AllowAnonymous"),
        start: tree.start(call.node),
        end: tree.end(call.node),
        handlerNode: isLambda ? handler : NONE,
        handlerStart: isLambda ? tree.start(handler) : -1,
        handlerEnd: isLambda ? tree.end(handler) : -1
      }
    ]
  })
}
