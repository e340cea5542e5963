import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { loopAround } from "../../languages/code/loops.ts"
import { assignments, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { inspectLocks } from "./locks.ts"
import type { RuleId } from "./rules.ts"

const inspectWaitGroup = (file: SourceFile, tree: FlatTree, literal: number, emit: Emit<RuleId>): void => {
  for (const { node, method, receiver } of callsWithin(file, literal)) {
    if (method !== "Add" || receiver === null || !/wg|waitgroup|wait/i.test(receiver)) continue
    if (tree.enclosing(node, "func_literal") !== literal) continue
    const text = tree.textOf(literal)
    // A group created in the goroutine, or for work that the goroutine starts itself, is its own.
    const isOwn = text.includes(`${receiver} sync.WaitGroup`) || text.includes(`${receiver}.Wait()`)
    const startsMore = callsWithin(file, literal).some((call) => tree.is(tree.parent(call.node), "go_statement"))
    if (isOwn || startsMore || !text.includes(`${receiver}.Done()`)) continue
    const message = `\`${receiver}.Add\` runs after the goroutine has started; \`${receiver}.Wait\` may have returned by then.`
    emit({ rule: "wait_group_race", ...span(tree, node), message, identifiers: [receiver.replace(/^.*\./, "")] })
  }
}

const mapMaker = /^(?:make\(\s*map\[|map\[)/

const inspectMapWrites = (
  file: SourceFile,
  tree: FlatTree,
  statement: number,
  literal: number,
  emit: Emit<RuleId>
): void => {
  const text = tree.textOf(literal)
  if (
    /\.(?:Lock|Do|Acquire)\(|<-/.test(text.replace(/<-\s*ctx\.Done\(\)/g, "")) ||
    loopAround(file, statement) === NONE
  )
    return
  const holder = enclosingFunction(file, statement)
  if (holder === null) return
  for (const node of tree.within(literal, "assignment_statement")) {
    const target = tree.namedChildren(tree.child(node, "left"))[0] ?? NONE
    if (!tree.is(target, "index_expression")) continue
    const name = tree.textOf(tree.child(target, "operand"))
    const creation = (mapsOf(file).get(name) ?? []).find((one) => tree.contains(holder.node, one))
    if (creation === undefined || tree.contains(literal, creation)) continue
    // Created in each iteration, it belongs to one goroutine.
    const loop = loopAround(file, statement)
    if (tree.contains(loop, creation)) continue
    const message = `Every goroutine of this loop writes to the map \`${name}\`, and no lock prevents concurrent writes.`
    const steps = [{ ...span(tree, creation), note: `\`${name}\` is created here, outside of the goroutines.` }]
    emit({ rule: "shared_map_write", ...span(tree, node), message, identifiers: [name], steps })
    return
  }
}

const computeMaps = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const { node, target, value } of assignments(file)) {
    if (value === NONE || !mapMaker.test(file.tree!.textOf(value).slice(0, 40))) continue
    const known = found.get(target)
    if (known === undefined) found.set(target, [node])
    else known.push(node)
  }
  return found
}
const mapsOf = (file: SourceFile) => file.memo(computeMaps, computeMaps)

export const inspectGo = (file: SourceFile, emit: Emit<RuleId>): void => {
  const hasLocks = /\.R?Lock\(\)/.test(file.text)
  const hasGoroutines = file.text.includes("go func")
  if (!hasLocks && !hasGoroutines) return
  const tree = file.tree
  if (tree === null) return
  if (hasLocks) inspectLocks(file, emit)
  if (!hasGoroutines) return
  for (const statement of tree.of("go_statement")) {
    const literal = tree.child(tree.childOfKind(statement, "call_expression"), "function")
    if (!tree.is(literal, "func_literal")) continue
    inspectWaitGroup(file, tree, literal, emit)
    inspectMapWrites(file, tree, statement, literal, emit)
  }
}
