import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Json, type Project } from "../../core/tool/AuditTool.ts"
import { type Call, calls, functions, importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** Handlers that would be a mistake, were Express older than version 5: only package.json can tell. */
export type ExpressFacts = ReadonlyArray<{
  readonly start: number
  readonly end: number
  readonly route: string
  readonly awaits: string
}>

const routeMethod = /^(?:get|post|put|patch|delete|all|use|head|options)$/

/** Names of applications and routers that Express itself made. */
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

/** An `await` in this function itself that no `catch` around it sees. */
const unguardedAwait = (tree: FlatTree, fn: number): number => {
  for (const node of tree.within(fn, "await_expression")) {
    let at = node
    let up = tree.parent(node)
    for (; up !== fn; at = up, up = tree.parent(up)) {
      if (tree.is(up, "arrow_function", "function_expression", "function_declaration", "method_definition")) break
      const isTried = tree.is(up, "try_statement") && tree.fieldOf(at) === "body"
      if (isTried && tree.childOfKind(up, "catch_clause") !== NONE) break
      // `await x.catch(next)` deals with it on the spot.
    }
    if (up === fn && !/\.catch\(/.test(tree.textOf(node).slice(0, 2_000))) return node
  }
  return NONE
}

const functionOf = (file: SourceFile, tree: FlatTree, argument: number): number => {
  if (tree.is(argument, "arrow_function", "function_expression")) return argument
  if (!tree.is(argument, "identifier")) return NONE
  const name = tree.textOf(argument)
  const found = functions(file).filter((info) => info.name === name)
  return found.length === 1 ? found[0]!.node : NONE
}

const handlersOf = (call: Call): ReadonlyArray<number> => (call.method === "use" ? call.args : call.args.slice(1))

export const expressFacts = (file: SourceFile, tree: FlatTree): ExpressFacts | undefined => {
  if (!/["']express["']/.test(file.text) || /express-async-errors/.test(file.text)) return undefined
  const routers = routersOf(file, tree)
  if (routers.size === 0) return undefined
  const found: Array<ExpressFacts[number]> = []
  const seen = new Set<number>()
  for (const call of calls(file)) {
    if (call.receiver === null || !routers.has(call.receiver) || !routeMethod.test(call.method)) continue
    for (const argument of handlersOf(call)) {
      const fn = functionOf(file, tree, argument)
      if (fn === NONE || seen.has(fn) || !tree.is(tree.firstChild(fn), "async")) continue
      seen.add(fn)
      const awaited = unguardedAwait(tree, fn)
      if (awaited === NONE) continue
      const path =
        call.args[0] !== undefined && tree.is(call.args[0], "string")
          ? `(${tree.textOf(call.args[0]).slice(0, 60)})`
          : ""
      const awaits = tree.textOf(awaited).replace(/\s+/g, " ").slice(0, 60)
      found.push({
        start: tree.start(call.node),
        end: tree.start(argument) + 1,
        route: `${call.callee}${path}`,
        awaits
      })
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
    // A manifest that cannot be read says nothing about Express.
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
    if (at <= 0) {
      if (at < 0) return false
      const top = project.manifest("package.json")
      const last = top === null ? null : versionIn(top)
      return last !== null && isBeforeFive(last)
    }
  }
}

export const concludeExpress = (path: string, facts: Json, project: Project, emit: Emit<RuleId>): void => {
  if (!usesExpress4(path, project)) return
  for (const { start, end, route, awaits } of facts as unknown as ExpressFacts) {
    const message = `When \`${awaits.replace(/`/g, "'")}\` fails, \`${route.replace(/`/g, "'")}\` neither answers nor passes the error on.`
    emit({ rule: "unguarded_async_handler", start, end, message })
  }
}
