import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { type Method, methodOf, paramsOf, pathPattern, type Route } from "./Route.ts"

const literals = (file: SourceFile, nodes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const tree = file.tree!
  return nodes.flatMap((node) =>
    [...tree.within(node, "string", "encapsed_string")].flatMap((part) => literalValue(file, part) ?? [])
  )
}

interface Chain {
  readonly guards: ReadonlyArray<string>
  readonly prefix: string
}

/** What calls before (`Route::middleware("auth")->…`) and after (`…->middleware("auth")`) say. */
const chainOf = (file: SourceFile, call: Call, byNode: ReadonlyMap<number, Call>): Chain => {
  const tree = file.tree!
  const guards: Array<string> = []
  let prefix = ""
  const take = (at: Call): void => {
    if (at.method === "middleware") guards.push(...literals(file, at.args))
    if (at.method === "can" || at.method === "authorize") guards.push(at.method)
    if (at.method === "prefix") prefix = `${literals(file, at.args)[0] ?? ""}/${prefix}`
  }
  for (
    let at = byNode.get(call.receiverNode), depth = 0;
    at !== undefined && depth < 12;
    at = byNode.get(at.receiverNode), depth++
  )
    take(at)
  for (
    let up = tree.parent(call.node), depth = 0;
    depth < 12 && tree.is(up, "member_call_expression");
    up = tree.parent(up), depth++
  ) {
    const at = byNode.get(up)
    if (at !== undefined) take(at)
  }
  return { guards, prefix }
}

/** The groups a call stands in, outermost first. */
const groupsAround = (file: SourceFile, node: number, byNode: ReadonlyMap<number, Call>): Chain => {
  const tree = file.tree!
  const guards: Array<string> = []
  let prefix = ""
  for (
    let up = tree.enclosing(node, "anonymous_function", "arrow_function"), depth = 0;
    up !== NONE && depth < 8;
    depth++
  ) {
    const holder = tree.enclosing(up, "member_call_expression", "scoped_call_expression")
    const call = byNode.get(holder)
    if (call?.method === "group") {
      const chain = chainOf(file, call, byNode)
      guards.unshift(...chain.guards)
      prefix = `${chain.prefix}/${prefix}`
      const options = call.args.length > 1 ? call.args[0] : undefined
      if (options !== undefined && /middleware/.test(tree.textOf(options).slice(0, 300)))
        guards.unshift(...literals(file, [options]))
    }
    up = tree.enclosing(up, "anonymous_function", "arrow_function")
  }
  return { guards, prefix }
}

const resourceful: ReadonlyArray<readonly [action: string, method: Method, suffix: string]> = [
  ["index", "GET", ""],
  ["store", "POST", ""],
  ["show", "GET", "/{id}"],
  ["update", "PUT", "/{id}"],
  ["destroy", "DELETE", "/{id}"]
]

const targetOf = (file: SourceFile, node: number | undefined): string | null => {
  if (node === undefined) return null
  const text = file.tree!.textOf(node).slice(0, 200)
  const pair = /^\[\s*([\w\\]+)::class\s*,\s*["'](\w+)["']/.exec(text)
  if (pair !== null) return `${pair[1]!.split("\\").at(-1)}.${pair[2]}`
  const single = /^([\w\\]+)::class$/.exec(text)?.[1]
  if (single !== undefined) return single.split("\\").at(-1)!
  return /^["']([\w\\]+)@(\w+)["']$/.exec(text)?.slice(1).join(".") ?? null
}

/** Routes files of Laravel. */
export const laravelRoutes = (file: SourceFile): ReadonlyArray<Route> => {
  if (!/\bRoute::/.test(file.text)) return []
  const tree = file.tree!
  const byNode = new Map(calls(file).map((call) => [call.node, call]))
  return [...byNode.values()].flatMap((call): ReadonlyArray<Route> => {
    const foot = /^Route(?:::|$)/.test(call.receiver ?? "")
    if (!foot || call.args[0] === undefined) return []
    const written = literalValue(file, call.args[0])
    const isResource = /^(?:resource|apiResource)$/.test(call.method)
    const method = methodOf(call.method)
    if (written === null || (method === null && !isResource)) return []
    const own = chainOf(file, call, byNode)
    const around = groupsAround(file, call.node, byNode)
    const target = call.args.at(-1)
    const closure = target !== undefined && tree.is(target, "anonymous_function", "arrow_function") ? target : NONE
    const handler = targetOf(file, target)
    const make = (verb: Method, suffix: string, action: string | null): Route => {
      const path = pathPattern(around.prefix, own.prefix, written, suffix)
      const guards = [...around.guards, ...own.guards]
      return {
        framework: "laravel",
        method: verb,
        path,
        params: paramsOf(path),
        group: around.prefix || file.path,
        handler: action === null || handler === null ? handler : `${handler}.${action}`,
        guards,
        isOpen: guards.includes("guest"),
        start: tree.start(call.node),
        end: tree.end(call.node),
        handlerNode: closure,
        handlerStart: closure === NONE ? -1 : tree.start(closure),
        handlerEnd: closure === NONE ? -1 : tree.end(closure)
      }
    }
    return isResource
      ? resourceful.map(([action, verb, suffix]) => make(verb, suffix, action))
      : [make(method!, "", null)]
  })
}
