import { NONE } from "../../languages/tree/FlatTree.ts"
import type { EvaluatedCall } from "../evaluation/EvaluatedCall.ts"
import { clip, MAX_EXTERNALS, originAt, type Run } from "../evaluation/Run.ts"
import { deepTaintsOf, RESULT, tainted, taintsOf, unknown, type Value } from "../values/Value.ts"

const isRequest = (value: Value): boolean =>
  value.type?.startsWith("http:") === true && !taintsOf(value).some(({ origin }) => origin.kind === "source")

/** A Ruby method without a receiver may be one that the class around it inherits or includes. */
const inheritedPath = (run: Run, node: number, path: string): string | null => {
  if (run.file.language !== "ruby" || !/^[a-z_]\w*[?!]?$/.test(path)) return null
  const owner = run.index.className(node)
  return owner === null ? null : `self:${owner}.${path}`
}

export const recordExternal = (run: Run, node: number, { call, receiver, path, args, named }: EvaluatedCall): void => {
  if (/^(?:\?|http:)/.test(path) || run.frame.externals.length >= MAX_EXTERNALS) return
  const all = [...args, ...named.values()]
  const requests = new Map<number, string>()
  args.forEach((arg, i) => {
    if (isRequest(arg)) requests.set(i, run.tree.textOf(call.args[i] ?? NONE))
  })
  if (requests.size === 0 && !all.some((arg) => deepTaintsOf(arg).length > 0)) return
  const own = receiver === null ? inheritedPath(run, node, path) : null
  run.frame.externals.push({
    path: own ?? path,
    start: run.tree.start(node),
    end: run.tree.end(node),
    args: all,
    requests
  })
}

/** What a function of another file returns is known when files are joined. */
export const resultAt = (run: Run, node: number, { call, path }: EvaluatedCall, type: string | null): Value => {
  if (run.frame.info === null || run.language.ownPaths?.test(path) !== true) return unknown(type)
  const origin = originAt(run, node, { kind: "result", name: clip(call.callee), path, index: RESULT, property: "" })
  return { ...tainted({ origin, trail: null, safe: 0 }), type }
}
