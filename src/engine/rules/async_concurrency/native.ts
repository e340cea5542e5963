import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import type { State } from "../../languages/native/Analysis.ts"
import { type NativeFunction, nativeFunctions } from "../../languages/native/functions.ts"
import { neverReturns } from "../../languages/native/noReturn.ts"
import { walkPaths } from "../../languages/native/paths.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const HELD = 1
const FREE = 2
const MAX_CALLS = 1_000

const locking = /^(?:pthread_mutex_lock|pthread_rwlock_(?:rd|wr)lock|pthread_spin_lock|mtx_lock|EnterCriticalSection)$/
const unlocking = /^(?:pthread_mutex_unlock|pthread_rwlock_unlock|pthread_spin_unlock|mtx_unlock|LeaveCriticalSection)$/

/** The lock that a call takes or releases, as written. */
const lockOf = (tree: FlatTree, args: ReadonlyArray<number>): string => tree.textOf(args[0] ?? -1).replace(/\s+/g, "")

/** The condition under which a call that returns 0 for success has failed: as it stands, or compared with 0. */
const failsWhen = (condition: string): boolean => !/==0\)*$|^0==/.test(condition)

/** Released before it is first taken: the caller holds the lock, before and afterwards. */
const isHeldByCaller = (tree: FlatTree, fn: NativeFunction, lock: string): boolean => {
  const uses = fn.calls.filter(
    ({ method, args }) => (locking.test(method) || unlocking.test(method)) && lockOf(tree, args) === lock
  )
  const first = Math.min(...uses.map(({ node }) => node))
  return uses.some(({ node, method }) => node === first && unlocking.test(method))
}

/** A call right before the return that is given what holds the lock, to a function that may release it. */
const mayBeReleasedByCallee = (tree: FlatTree, fn: NativeFunction, node: number, lock: string): boolean => {
  const owner = /^&?(\w+)(?:->|\.)/.exec(lock)?.[1]
  const block = tree.parent(node)
  if (owner === undefined || block === fn.body) return false
  return fn.calls.some(
    (call) =>
      call.node < node &&
      tree.contains(block, call.node) &&
      call.args.some((argument) => tree.textOf(argument) === owner)
  )
}

const inspectFunction = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const released = new Set(
    fn.calls.filter(({ method }) => unlocking.test(method)).map(({ args }) => lockOf(tree, args))
  )
  const byNode = new Map(fn.calls.map((call) => [call.node, call]))
  const leaves: Array<{ readonly node: number; readonly state: State }> = []
  const same = (state: State): State => state
  /** Locks by the variable that the outcome of taking them is kept in. */
  const outcomes = new Map<string, string>()
  const lockTakenBy = (node: number): string | null => {
    const call = fn.calls.find((one) => locking.test(one.method) && tree.contains(node, one.node))
    return call === undefined ? null : lockOf(tree, call.args)
  }
  walkPaths(
    tree,
    fn,
    {
      call: (state, node) => {
        const call = byNode.get(node)
        if (call === undefined) return state
        if (neverReturns(call.method, tree.textOf(call.args[0] ?? -1)) || call.method === "pthread_exit") return null
        if (!locking.test(call.method) && !unlocking.test(call.method)) return state
        const lock = lockOf(tree, call.args)
        return new Map(state).set(lock, locking.test(call.method) ? HELD : FREE)
      },
      assign: (state, target, value) => {
        const name = tree.textOf(target)
        const lock = lockTakenBy(value)
        if (lock !== null) outcomes.set(name, lock)
        return lock === null && !state.has(`=${name}`)
          ? state
          : new Map(state).set(`=${name}`, lock === null ? FREE : HELD)
      },
      declare: same,
      read: same,
      refine: (state, condition, holds) => {
        const text = tree.textOf(condition).replace(/\s+/g, "")
        const name = /^\(*(\w+)(?:[!=<>]=?0)?\)*$/.exec(text)?.[1] ?? ""
        const lock = lockTakenBy(condition) ?? (state.get(`=${name}`) === HELD ? outcomes.get(name) : undefined)
        return lock === undefined || failsWhen(text) !== holds ? state : new Map(state).set(lock, FREE)
      },
      leave: (state, node) => leaves.push({ node, state })
    },
    new Map()
  )
  // A function whose last return keeps the lock is meant to.
  const last = leaves.reduce(
    (latest, leave) => (leave.node === fn.body || leave.node > latest.node ? leave : latest),
    leaves[0]!
  )
  for (const { node, state } of leaves) {
    for (const [lock, bits] of state) {
      if (bits !== HELD || !released.has(lock) || last.state.get(lock) !== FREE || node === fn.body) continue
      if (isHeldByCaller(tree, fn, lock)) continue
      const message = `\`${lock}\` is still held at this return; the other paths through \`${fn.info.name}\` release it.`
      emit({
        rule: "lock_not_released",
        confidence: mayBeReleasedByCallee(tree, fn, node, lock) ? 0.5 : 0.7,
        start: tree.start(node),
        end: tree.end(node),
        message,
        noun: `\`${lock.slice(0, 60)}\``
      })
    }
  }
}

/** Locks of C and C++ that a return leaves held although other paths release them. */
export const inspectNative = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const fn of nativeFunctions(file)) {
    const isLocking =
      fn.calls.some(({ method }) => locking.test(method)) && fn.calls.some(({ method }) => unlocking.test(method))
    if (isLocking && fn.calls.length <= MAX_CALLS) inspectFunction(file, fn, emit)
  }
}
