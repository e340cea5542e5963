import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { type Action, type Method, methodOf, paramsOf, pathPattern, type Route, type RouteTable } from "./Route.ts"

const symbolsIn = (text: string): ReadonlyArray<string> =>
  /^%i/i.test(text)
    ? text.replace(/^%i./i, "").replace(/\W$/, "").split(/\s+/).filter(Boolean)
    : [...text.slice(0, 1_000).matchAll(/:?["']?([a-z_]\w*[!?]?)["']?/gi)].map(([, name]) => name!)

const wordOf = (file: SourceFile, node: number | undefined): string | null => {
  if (node === undefined) return null
  const tree = file.tree!
  return tree.is(node, "simple_symbol") ? tree.textOf(node).slice(1) : literalValue(file, node)
}

interface Scope {
  readonly prefix: string
  readonly module: string
  /** Controller that `member` and `collection` routes belong to. */
  readonly controller: string | null
  readonly member: boolean
}

const restful: ReadonlyArray<readonly [action: string, method: Method, suffix: string]> = [
  ["index", "GET", ""],
  ["create", "POST", ""],
  ["new", "GET", "/new"],
  ["show", "GET", "/:id"],
  ["edit", "GET", "/:id/edit"],
  ["update", "PATCH", "/:id"],
  ["destroy", "DELETE", "/:id"]
]

const nested = (file: SourceFile, call: Call, scope: Scope): Scope => {
  const word = wordOf(file, call.args[0]) ?? ""
  const option = (name: string) => wordOf(file, call.named.get(name))
  switch (call.method) {
    case "namespace":
      return {
        ...scope,
        prefix: `${scope.prefix}/${option("path") ?? word}`,
        module: `${scope.module}${word}/`,
        controller: null
      }
    case "scope": {
      const module = option("module")
      return {
        ...scope,
        prefix: `${scope.prefix}/${option("path") ?? word}`,
        module: `${scope.module}${module === null ? "" : `${module}/`}`
      }
    }
    case "resources":
    case "resource": {
      const path = `${scope.prefix}/${option("path") ?? word}`
      const key = call.method === "resource" ? "" : `/:${word.replace(/ies$/, "y").replace(/s$/, "")}_id`
      return {
        ...scope,
        prefix: `${path}${key}`,
        controller: `${scope.module}${option("controller") ?? word}`,
        member: true
      }
    }
    case "member":
      return { ...scope, prefix: scope.prefix.replace(/:\w+_id$/, ":id") }
    case "collection":
      return { ...scope, prefix: scope.prefix.replace(/\/:\w+_id$/, "") }
    default:
      return scope
  }
}

const railsRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  const tree = file.tree!
  const routes: Array<Route> = []
  const byNode = new Map(calls(file).map((call) => [call.node, call]))
  const scopes = new Map<number, Scope>()
  const root: Scope = { prefix: "", module: "", controller: null, member: false }
  const scopeOf = (node: number): Scope => {
    const up = tree.enclosing(node, "call")
    return up === NONE ? root : (scopes.get(up) ?? root)
  }
  const add = (call: Call, method: Method, written: string, handler: string | null): void => {
    const path = pathPattern(written)
    routes.push({
      framework: "rails",
      method,
      path,
      params: paramsOf(path),
      group: handler?.split("#")[0] ?? "routes",
      handler,
      guards: [],
      isOpen: false,
      start: tree.start(call.node),
      end: tree.end(call.node),
      handlerNode: NONE,
      handlerStart: -1,
      handlerEnd: -1
    })
  }
  for (const call of byNode.values()) {
    if (call.receiver !== null) continue
    const scope = scopeOf(call.node)
    scopes.set(call.node, nested(file, call, scope))
    const method = methodOf(call.method)
    if (call.method === "resources" || call.method === "resource") addResource(file, call, scope, add)
    else if (method !== null || call.method === "match") addPlain(file, call, scope, method ?? "ANY", add)
  }
  return routes
}

const addResource = (
  file: SourceFile,
  call: Call,
  scope: Scope,
  add: (call: Call, method: Method, path: string, handler: string) => void
): void => {
  const only = call.named.get("only")
  const except = call.named.get("except")
  const tree = file.tree!
  const kept = only === undefined ? null : new Set(symbolsIn(tree.textOf(only)))
  const dropped = new Set(except === undefined ? [] : symbolsIn(tree.textOf(except)))
  for (const argument of call.args) {
    const name = wordOf(file, argument)
    if (name === null) continue
    const controller = `${scope.module}${wordOf(file, call.named.get("controller")) ?? name}`
    for (const [action, method, suffix] of restful) {
      if (dropped.has(action) || (kept !== null && !kept.has(action))) continue
      if (call.method === "resource" && action === "index") continue
      const path = `${scope.prefix}/${wordOf(file, call.named.get("path")) ?? name}${call.method === "resource" ? suffix.replace("/:id", "") : suffix}`
      add(call, method, path, `${controller}#${action}`)
    }
  }
}

const addPlain = (
  file: SourceFile,
  call: Call,
  scope: Scope,
  method: Method,
  add: (call: Call, method: Method, path: string, handler: string | null) => void
): void => {
  const tree = file.tree!
  const to = wordOf(file, call.named.get("to"))
  const first = wordOf(file, call.args[0])
  // `get "/y" => "a#c"`
  const arrow = [...call.named].find(([key]) => /^["'/]/.test(key))
  if (arrow !== undefined && first === null) {
    add(call, method, `${scope.prefix}/${arrow[0].replace(/["']/g, "")}`, literalValue(file, arrow[1]))
    return
  }
  if (first === null) return
  const action = wordOf(file, call.named.get("action")) ?? first.replace(/^\/|\W.*$/g, "")
  const target = to?.includes("#")
    ? `${scope.module}${to}`
    : scope.controller === null
      ? null
      : `${scope.controller}#${action}`
  const via = call.named.get("via")
  const methods =
    call.method !== "match" || via === undefined
      ? [method]
      : symbolsIn(tree.textOf(via)).flatMap((word) => methodOf(word) ?? [])
  for (const one of methods) add(call, one, `${scope.prefix}/${first}`, target)
}

interface Filter {
  readonly name: string
  readonly only: ReadonlySet<string> | null
  readonly except: ReadonlySet<string>
  readonly skips: boolean
}

const filtersIn = (file: SourceFile, body: number): ReadonlyArray<Filter> => {
  const tree = file.tree!
  const syntax = syntaxOf(file.language)!
  return tree.namedChildren(body).flatMap((child): ReadonlyArray<Filter> => {
    const call = tree.is(child, "call") ? syntax.callAt(tree, child) : null
    if (call === null || call.receiver !== null) return []
    const match = /^(skip_)?(?:prepend_|append_)?before_(?:action|filter)$/.exec(call.method)
    const isLoad = /^(?:load_and_authorize_resource|authorize_resource|authorize_actions_for)$/.test(call.method)
    const isRequire =
      /^(?:require_\w*(?:login|admin|permission|sudo_mode)\w*|requires_login|accept_api_auth_only|http_basic_authenticate_with)$/.test(
        call.method
      )
    if (match === null && !isLoad && !isRequire) return []
    const only = call.named.get("only")
    const except = call.named.get("except")
    const names =
      match === null
        ? [call.method]
        : call.args.map((argument) => wordOf(file, argument) ?? tree.textOf(argument).slice(0, 40))
    return names.map((name) => ({
      name,
      only: only === undefined ? null : new Set(symbolsIn(tree.textOf(only))),
      except: new Set(except === undefined ? [] : symbolsIn(tree.textOf(except))),
      skips: match?.[1] !== undefined
    }))
  })
}

const meant: Readonly<Record<string, Method>> = {
  index: "GET",
  show: "GET",
  new: "GET",
  edit: "GET",
  create: "POST",
  update: "PATCH",
  destroy: "DELETE"
}

/** Public methods of controllers, with the filters that run before them. */
const railsActions = (file: SourceFile): ReadonlyArray<Action> => {
  const tree = file.tree!
  return [...tree.of("class")].flatMap((node): ReadonlyArray<Action> => {
    const name = tree.textOf(tree.child(node, "name"))
    const body = tree.child(node, "body")
    if (!name.endsWith("Controller") || body === NONE) return []
    const outer = tree.enclosing(node, "module")
    const module = outer === NONE ? "" : `${tree.textOf(tree.child(outer, "name"))}::`
    const group = `${module}${name}`
      .replace(/Controller$/, "")
      .replace(/::/g, "/")
      .replace(/([a-z\d])([A-Z])/g, "$1_$2")
      .toLowerCase()
    const filters = filtersIn(file, body)
    const found: Array<Action> = []
    for (const child of tree.children(body)) {
      if (tree.is(child, "identifier") && /^(?:private|protected)$/.test(tree.textOf(child))) break
      if (!tree.is(child, "method")) continue
      const action = tree.textOf(tree.child(child, "name"))
      const runs = filters.filter(
        ({ only, except, skips }) => !skips && (only === null || only.has(action)) && !except.has(action)
      )
      const skipped = filters.some(
        ({ only, except, skips }) =>
          (skips && (only === null || only.has(action)) && !except.has(action)) || (!skips && except.has(action))
      )
      found.push({
        framework: "rails",
        name: `${group}#${action}`,
        group,
        guards: runs.map((filter) => filter.name),
        isOpen: skipped,
        methods: meant[action] === undefined ? [] : [meant[action]],
        start: tree.start(child),
        end: tree.end(child),
        node: child
      })
    }
    return found
  })
}

const sinatraRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  const tree = file.tree!
  return calls(file).flatMap((call): ReadonlyArray<Route> => {
    const method = methodOf(call.method)
    const block = tree.child(call.node, "block")
    const written = call.args[0] === undefined ? null : literalValue(file, call.args[0])
    if (call.receiver !== null || method === null || block === NONE || written?.startsWith("/") !== true) return []
    const path = pathPattern(written)
    return [
      {
        framework: "sinatra",
        method,
        path,
        params: paramsOf(path),
        group: file.path,
        handler: null,
        guards: [...call.named.keys()].filter((key) => /auth|role|login/.test(key)),
        isOpen: false,
        start: tree.start(call.node),
        end: tree.start(block),
        handlerNode: block,
        handlerStart: tree.start(block),
        handlerEnd: tree.end(block)
      }
    ]
  })
}

export const rubyRoutes = (file: SourceFile): RouteTable => {
  const isRoutes = /\broutes\.draw\b|\bRoutes\.draw\b/.test(file.text)
  const isSinatra = /\bsinatra\b|Sinatra::/.test(file.text)
  return {
    routes: isRoutes ? railsRoutes(file) : isSinatra ? sinatraRoutes(file) : [],
    mounts: [],
    actions: /Controller\b/.test(file.text) ? railsActions(file) : []
  }
}
