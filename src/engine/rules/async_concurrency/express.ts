import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Project } from "../../core/tool/AuditTool.ts"
import { type Call, calls, functions, importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** Handlers whose failures Express before version 5 does not see; its version is known from package.json only. */
export type ExpressFacts = ReadonlyArray<{
  readonly start: number
  readonly end: number
  readonly route: string
  readonly awaits: string
}>

const routeMethod = /^(?:get|post|put|patch|delete|all|use|head|options)$/

/** Names of applications and routers that Express itself created. */
const routersOf = (file: SourceFile, tree: FlatTree): ReadonlySet<string> => {
  const imported = importedNames(file)
  const fromExpress = new Set([...imported].filter(([, { module }]) => module === "express").map(([name]) => name))
  const found = new Set<string>()
  if (fromExpress.size === 0) return found
  for (const node of tree.of("variable_declarator")) {
    const value = tree.textOf(tree.child(node, "value")).slice(0, 80)
    const maker = /^(?:new\s+)?([\w$]+)(?:\.Router)?\(/.exec(value)?.[1]
    if (maker !== undefined && fromExpress.has(maker)) found.add(tree.textOf(tree.child(node, "name")))
  }
  return found
}

const functionKinds = ["arrow_function", "function_expression", "function_declaration", "method_definition"]

/** Whether the failure of a node leaves the function: no `catch` and no inner function is around it. */
const reachesFunction = (tree: FlatTree, node: number, fn: number): boolean => {
  let at = node
  for (let up = tree.parent(node); up !== fn; at = up, up = tree.parent(up)) {
    if (tree.is(up, ...functionKinds)) return false
    const isTried = tree.is(up, "try_statement") && tree.fieldOf(at) === "body"
    if (isTried && tree.childOfKind(up, "catch_clause") !== NONE) return false
  }
  return true
}

/** An `await` of this function itself whose failure is not caught; `await x.catch(next)` catches it directly. */
const unguardedAwait = (tree: FlatTree, fn: number): number =>
  tree
    .within(fn, "await_expression")
    .find((node) => reachesFunction(tree, node, fn) && !/\.catch\(/.test(tree.textOf(node).slice(0, 2_000))) ?? NONE

const functionOf = (file: SourceFile, tree: FlatTree, argument: number): number => {
  if (tree.is(argument, "arrow_function", "function_expression")) return argument
  if (!tree.is(argument, "identifier")) return NONE
  const name = tree.textOf(argument)
  const found = functions(file).filter((info) => info.name === name)
  return found.length === 1 ? found[0]!.node : NONE
}

const handlersOf = (call: Call): ReadonlyArray<number> => (call.method === "use" ? call.args : call.args.slice(1))

const unguardedHandler = (tree: FlatTree, call: Call, argument: number, awaited: number): ExpressFacts[number] => {
  const [first] = call.args
  const path = first !== undefined && tree.is(first, "string") ? `(${tree.textOf(first).slice(0, 60)})` : ""
  return {
    start: tree.start(call.node),
    end: tree.start(argument) + 1,
    route: `${call.callee}${path}`,
    awaits: tree.textOf(awaited).replace(/\s+/g, " ").slice(0, 60)
  }
}

export const expressFacts = (file: SourceFile, tree: FlatTree): ExpressFacts | undefined => {
  if (!/["']express["']/.test(file.text) || /express-async-errors/.test(file.text)) return undefined
  const routers = routersOf(file, tree)
  if (routers.size === 0) return undefined
  const found: Array<ExpressFacts[number]> = []
  const seen = new Set<number>()
  const routes = calls(file).filter(
    ({ receiver, method }) => receiver !== null && routers.has(receiver) && routeMethod.test(method)
  )
  for (const call of routes) {
    for (const argument of handlersOf(call)) {
      const fn = functionOf(file, tree, argument)
      if (fn === NONE || seen.has(fn) || !tree.is(tree.firstChild(fn), "async")) continue
      seen.add(fn)
      const awaited = unguardedAwait(tree, fn)
      if (awaited !== NONE) found.push(unguardedHandler(tree, call, argument, awaited))
    }
  }
  return found.length === 0 ? undefined : found
}

const versionIn = (manifest: string): string | null => {
  try {
    const parsed: unknown = JSON.parse(manifest)
    if (typeof parsed !== "object" || parsed === null) return null
    const { dependencies } = parsed as { readonly dependencies?: Record<string, unknown> }
    if (typeof dependencies !== "object" || dependencies === null || "express-async-errors" in dependencies) return null
    const version = dependencies.express
    return typeof version === "string" ? version : null
  } catch {
    // A manifest that cannot be parsed has no version of Express.
    return null
  }
}

const isBeforeFive = (version: string): boolean =>
  /^[\^~=v\s]*[0-4](?:\.|$)/.test(version) && !/\|\||[<>]/.test(version)

/** The nearest package.json that names Express decides. */
const usesExpress4 = (path: string, project: Project): boolean => {
  for (let at = path.lastIndexOf("/"); ; at = path.lastIndexOf("/", at - 1)) {
    const manifest = project.manifest(at < 0 ? "package.json" : `${path.slice(0, at)}/package.json`)
    const version = manifest === null ? null : versionIn(manifest)
    if (version !== null) return isBeforeFive(version)
    if (at <= 0) return false
  }
}

export const reportHandlers = (path: string, handlers: ExpressFacts, project: Project, emit: Emit<RuleId>): void => {
  if (!usesExpress4(path, project)) return
  for (const { start, end, route, awaits } of handlers) {
    const message = `When \`${awaits.replace(/`/g, "'")}\` fails, \`${route.replace(/`/g, "'")}\` neither sends a response nor passes on the error.`
    emit({ rule: "unguarded_async_handler", start, end, message })
  }
}
