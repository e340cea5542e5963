import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Annotation, annotationsOf } from "../../languages/code/annotations.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, calls, type FunctionInfo, functions, importedNames } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import {
  type Action,
  type Framework,
  guardName,
  type Method,
  type Mount,
  methodOf,
  paramsOf,
  pathPattern,
  type Route,
  type RouteTable
} from "./Route.ts"

interface Router {
  readonly framework: Framework
  readonly prefix: string
  readonly guards: ReadonlyArray<string>
}

const dependency = /\b(?:Depends|Security)\(\s*([\w.]+)/g

const dependenciesIn = (text: string): ReadonlyArray<string> =>
  [...text.slice(0, 2_000).matchAll(dependency)].map(([, name]) => name!)

const makers = /^(?:[\w.]*\.)?(?:FastAPI|APIRouter|Flask|Blueprint|APIFlask|APIBlueprint|Quart|Sanic|Starlette)$/

const routersOf = (file: SourceFile): Map<string, Router> => {
  const found = new Map<string, Router>()
  const byNode = new Map(calls(file).map((call) => [call.node, call]))
  for (const { target, value } of assignments(file)) {
    const call = byNode.get(value)
    if (call === undefined || !makers.test(call.callee)) continue
    const framework: Framework = /FastAPI|APIRouter|Starlette/.test(call.callee) ? "fastapi" : "flask"
    const given = call.named.get("prefix") ?? call.named.get("url_prefix")
    const dependencies = call.named.get("dependencies")
    found.set(target, {
      framework,
      prefix: given === undefined ? "" : (literalValue(file, given) ?? ""),
      guards: dependencies === undefined ? [] : dependenciesIn(file.tree!.textOf(dependencies))
    })
  }
  for (const info of functions(file)) {
    for (const mark of annotationsOf(file, info.node)) {
      const name = /^([\w.]+)\.before_request$/.exec(mark.written)?.[1]
      const router = name === undefined ? undefined : found.get(name)
      if (name !== undefined && router !== undefined && info.name !== null)
        found.set(name, { ...router, guards: [...router.guards, info.name] })
    }
  }
  return found
}

const methodsOf = (file: SourceFile, mark: Annotation, verb: string): ReadonlyArray<Method> => {
  const method = methodOf(verb)
  if (method !== null && method !== "ANY") return [method]
  const listed = mark.named.get("methods")
  const words =
    listed === undefined
      ? []
      : [
          ...file
            .tree!.textOf(listed)
            .slice(0, 200)
            .matchAll(/["'](\w+)["']/g)
        ]
  const methods = words.flatMap(([, word]) => methodOf(word!) ?? [])
  return listed === undefined ? ["GET"] : methods
}

/** Dependencies that a function's own parameters ask for, by name, and parameter types that stand for one. */
const parameterGuards = (file: SourceFile, info: FunctionInfo): ReadonlyArray<string> => {
  const tree = file.tree!
  return info.parameters.flatMap(({ node, type }) => {
    const named = dependenciesIn(tree.textOf(node))
    if (named.length > 0) return named
    return type !== null && /^(?:\w*(?:Current|Auth|Admin|Logged|Active|Verified)\w*|\w*(?:Dep|Dependency))$/.test(type)
      ? [type]
      : []
  })
}

const decorated = (file: SourceFile): ReadonlyArray<Route> => {
  const tree = file.tree!
  const routers = routersOf(file)
  return functions(file).flatMap((info): ReadonlyArray<Route> => {
    if (info.name === null) return []
    const marks = annotationsOf(file, info.node)
    return marks.flatMap((mark): ReadonlyArray<Route> => {
      const parts = /^([\w.]+)\.(\w+)$/.exec(mark.written)
      if (parts === null || methodOf(parts[2]!) === null || mark.args.length === 0) return []
      const known = routers.get(parts[1]!)
      const isImported = importedNames(file).has(parts[1]!.split(".")[0]!)
      if (
        known === undefined &&
        !(isImported && /^(?:\w+\.)?(?:\w*_)?(?:app|bp|blueprint|router|api)$/.test(parts[1]!))
      )
        return []
      const written = literalValue(file, mark.args[0]!)
      if (written === null || !/^\/|^$/.test(written)) return []
      const framework = known?.framework ?? (parts[2] === "route" ? "flask" : "fastapi")
      const path = pathPattern(known?.prefix ?? "", written)
      const own = mark.named.get("dependencies")
      const guards = [
        ...(known?.guards ?? []),
        ...marks.filter((other) => other !== mark).map(({ name }) => name),
        ...(own === undefined ? [] : dependenciesIn(tree.textOf(own))),
        ...parameterGuards(file, info)
      ]
      return methodsOf(file, mark, parts[2]!).map((method) => ({
        framework,
        method,
        path,
        params: paramsOf(path),
        group: parts[1]!,
        handler: info.name,
        guards,
        isOpen: guards.some((guard) => /^(?:public|allow_anonymous|login_exempt|no_auth\w*)$/.test(guard)),
        start: tree.start(mark.node),
        end: tree.end(mark.node),
        handlerNode: info.node,
        handlerStart: tree.start(info.node),
        handlerEnd: tree.end(info.node)
      }))
    })
  })
}

const included = (file: SourceFile): ReadonlyArray<Mount> =>
  calls(file).flatMap((call): ReadonlyArray<Mount> => {
    if (!/^(?:include_router|register_blueprint)$/.test(call.method) || call.args[0] === undefined) return []
    const prefix = call.named.get("prefix") ?? call.named.get("url_prefix")
    const dependencies = call.named.get("dependencies")
    const written = file.tree!.textOf(call.args[0])
    const [root = "", ...rest] = written.split(".")
    const origin = importedNames(file).get(root)
    const target =
      origin === undefined ? written : [origin.module, origin.imported, ...rest].join(".").replace(/\.\*/g, "")
    return [
      {
        prefix: prefix === undefined ? "/" : pathPattern(literalValue(file, prefix) ?? ""),
        target,
        guards: dependencies === undefined ? [] : dependenciesIn(file.tree!.textOf(dependencies))
      }
    ]
  })

/** `path("orders/<int:id>/", views.detail)` of a Django URL configuration. */
const urlRoutes = (file: SourceFile): { routes: ReadonlyArray<Route>; mounts: ReadonlyArray<Mount> } => {
  const tree = file.tree!
  const routes: Array<Route> = []
  const mounts: Array<Mount> = []
  for (const call of calls(file)) {
    if (call.receiver !== null || !/^(?:path|re_path|url)$/.test(call.method) || call.args.length < 2) continue
    const written = literalValue(file, call.args[0]!)
    if (written === null) continue
    const path = pathPattern(written)
    const target = tree.textOf(call.args[1]!).slice(0, 400)
    const include = /^include\(\s*(?:\(\s*)?["']?([\w.]+)/.exec(target)?.[1]
    if (include !== undefined) {
      mounts.push({ prefix: path, target: include, guards: [] })
      continue
    }
    const wrappers = [...target.matchAll(/([a-z_]\w*)\(/g)]
      .map(([, name]) => name!)
      .filter((name) => name !== "as_view")
    const handler = /([\w.]+?)(?:\.as_view\b|\s*\)|\s*,|$)/.exec(target.replace(/^(?:[a-z_]\w*\()+/, ""))?.[1] ?? null
    routes.push({
      framework: "django",
      method: "ANY",
      path,
      params: paramsOf(path),
      group: "urlpatterns",
      handler,
      guards: wrappers.map(guardName),
      isOpen: false,
      start: tree.start(call.node),
      end: tree.end(call.node),
      handlerNode: NONE,
      handlerStart: -1,
      handlerEnd: -1
    })
  }
  return { routes, mounts }
}

const viewBase = /(?:View|ViewSet|APIView|Mixin|Resource|ViewSetMixin)$/
const setting = /^(?:permission_classes|decorators|permission_required|method_decorators)$/
const httpMethods = /^(?:get|post|put|patch|delete|create|update|partial_update|destroy|list|retrieve|form_valid)$/
const meant: Readonly<Record<string, Method>> = {
  create: "POST",
  update: "PUT",
  partial_update: "PATCH",
  destroy: "DELETE",
  list: "GET",
  retrieve: "GET",
  form_valid: "POST"
}

const listedNames = (text: string): ReadonlyArray<string> =>
  [...text.slice(0, 600).matchAll(/[A-Za-z_]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !/^(?:permissions|rest_framework|name|dispatch|method_decorator)$/.test(name))

const classViews = (file: SourceFile): ReadonlyArray<Action> => {
  const tree = file.tree!
  return [...tree.of("class_definition")].flatMap((node): ReadonlyArray<Action> => {
    const bases = tree.namedChildren(tree.child(node, "superclasses")).map((base) => tree.textOf(base))
    if (!bases.some((base) => viewBase.test(base.split(".").at(-1)!))) return []
    const group = tree.textOf(tree.child(node, "name"))
    const body = tree.child(node, "body")
    const settings = tree.namedChildren(body).flatMap((statement) => {
      const at = tree.is(statement, "expression_statement") ? (tree.namedChildren(statement)[0] ?? NONE) : NONE
      const target = tree.is(at, "assignment") ? tree.textOf(tree.child(at, "left")) : ""
      return setting.test(target) ? [{ target, value: tree.child(at, "right") }] : []
    })
    const ownMarks = annotationsOf(file, node)
    const own = [
      ...bases.filter((base) => /Mixin$/.test(base)).map((base) => base.split(".").at(-1)!),
      ...settings.flatMap(({ value }) => listedNames(tree.textOf(value))),
      ...settings.filter(({ target }) => target === "permission_required").map(({ target }) => target),
      ...ownMarks.flatMap(({ args, name }) =>
        name === "method_decorator" ? args.flatMap((argument) => listedNames(tree.textOf(argument))) : [name]
      )
    ]
    const isOpen = own.includes("AllowAny")
    return tree.namedChildren(body).flatMap((child): ReadonlyArray<Action> => {
      const at = tree.is(child, "decorated_definition") ? tree.child(child, "definition") : child
      if (!tree.is(at, "function_definition")) return []
      const name = tree.textOf(tree.child(at, "name"))
      const marks = annotationsOf(file, at)
      if (!httpMethods.test(name) && !marks.some((mark) => mark.name === "action")) return []
      const method = methodOf(name) ?? meant[name]
      const guards = marks.flatMap((mark) => {
        const classes = mark.named.get("permission_classes")
        if (classes !== undefined) return listedNames(tree.textOf(classes))
        return mark.name === "method_decorator"
          ? mark.args.flatMap((arg) => listedNames(tree.textOf(arg)))
          : [mark.name]
      })
      const methods = method === undefined ? [] : [method]
      const range = { start: tree.start(at), end: tree.end(at) }
      return [
        {
          framework: "django",
          name: `${group}.${name}`,
          group,
          guards: [...own, ...guards],
          isOpen,
          methods,
          ...range,
          node: at
        }
      ]
    })
  })
}

const requireMethod = /^require_(?:POST|http_methods|GET|safe)$/

const functionViews = (file: SourceFile): ReadonlyArray<Action> => {
  const tree = file.tree!
  return functions(file).flatMap((info): ReadonlyArray<Action> => {
    if (info.parameters[0]?.name !== "request" || !info.exported || info.name === null) return []
    const marks = annotationsOf(file, info.node)
    const body = tree.textOf(info.body)
    const asked = marks.filter(({ name }) => requireMethod.test(name) || name === "api_view")
    const words = asked.flatMap(({ name, args }) => [
      name.replace("require_", ""),
      ...args.map((arg) => tree.textOf(arg))
    ])
    const methods = [...words.join(" ").matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE)\b/g)].map(([word]) => word as Method)
    if (methods.length === 0 && /request\.POST\b|request\.method\s*==\s*["']POST["']/.test(body)) methods.push("POST")
    const guards = marks.flatMap((mark) =>
      mark.name === "permission_classes" ? mark.args.flatMap((arg) => listedNames(tree.textOf(arg))) : [mark.name]
    )
    return [
      {
        framework: "django",
        name: info.name,
        group: "views",
        guards,
        isOpen: guards.some((guard) => /^(?:login_not_required|AllowAny|login_exempt|public)$/.test(guard)),
        methods,
        start: tree.start(info.node),
        end: tree.end(info.node),
        node: info.node
      }
    ]
  })
}

export const pythonRoutes = (file: SourceFile): RouteTable => {
  const isUrls = /(?:^|\/)urls(?:\.py$|\/)/.test(file.path) || /\burlpatterns\b/.test(file.text)
  const urls = isUrls ? urlRoutes(file) : { routes: [], mounts: [] }
  const isDjango = /\bdjango\b|\brest_framework\b/.test(file.text)
  return {
    routes: [...decorated(file), ...urls.routes],
    mounts: [...included(file), ...urls.mounts],
    actions: isDjango ? [...functionViews(file), ...classViews(file)] : []
  }
}
