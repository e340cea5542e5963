import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { type Call, calls, enclosingFunction, type FunctionInfo } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

interface Dialect {
  /** Methods that take a lock, each with the one that releases it. */
  readonly pairs: ReadonlyMap<string, string>
  readonly receiver: RegExp
  readonly blocks: ReadonlyArray<string>
  readonly functionKinds: ReadonlyArray<string>
  /** Parts that always run. */
  readonly always: ReadonlyArray<string>
  /** Whether an exception may end a function anywhere. */
  readonly throws: boolean
}

const dialects: Partial<Record<SourceFile["language"], Dialect>> = {
  go: {
    pairs: new Map([
      ["Lock", "Unlock"],
      ["RLock", "RUnlock"]
    ]),
    receiver: /./,
    blocks: ["block", "expression_case", "default_case", "type_case", "communication_case"],
    functionKinds: ["function_declaration", "method_declaration", "func_literal"],
    always: ["defer_statement"],
    throws: false
  },
  python: {
    pairs: new Map([["acquire", "release"]]),
    receiver: /lock|mutex/i,
    blocks: ["block"],
    functionKinds: ["function_definition", "lambda"],
    always: ["finally_clause"],
    throws: true
  },
  java: {
    pairs: new Map([["lock", "unlock"]]),
    receiver: /lock|mutex/i,
    blocks: ["block", "switch_block_statement_group"],
    functionKinds: ["method_declaration", "constructor_declaration", "lambda_expression"],
    always: ["finally_clause"],
    throws: true
  },
  csharp: {
    pairs: new Map([["Enter", "Exit"]]),
    receiver: /^(?:System\.Threading\.)?Monitor$/,
    blocks: ["block", "switch_section"],
    functionKinds: ["method_declaration", "constructor_declaration", "local_function_statement", "lambda_expression"],
    always: ["finally_clause"],
    throws: true
  }
}

/** Functions whose purpose is to return with the lock held. */
const taking = /lock|acquire|enter|begin|start|open|suspend|pause|hold|reserve|^run$|freeze/i
const leaving = ["return_statement", "continue_statement", "break_statement", "throw_statement", "raise_statement"]
const endings = [...leaving, "goto_statement"]

/** What is locked: the receiver, and for `Monitor.Enter(x)` the argument. */
const subjectOf = (tree: FlatTree, { receiver, args }: Call, { throws }: Dialect, isMonitor: boolean): string =>
  isMonitor && throws
    ? `${receiver}(${args[0] === undefined ? "" : tree.textOf(args[0])})`
    : (receiver ?? "").replace(/^(?:this|self)\./, "")

const blockOf = (tree: FlatTree, node: number, { blocks }: Dialect): number => tree.enclosing(node, ...blocks)

const statementsOf = (tree: FlatTree, block: number): ReadonlyArray<number> => {
  const list = tree.childOfKind(block, "statement_list")
  return tree.namedChildren(list === NONE ? block : list)
}

const leavesAtEnd = (tree: FlatTree, block: number): boolean => {
  const last = statementsOf(tree, block).at(-1) ?? NONE
  return (
    tree.is(last, ...endings) || /^(?:panic|os\.Exit|log\.Fatal\w*|t\.Fatal\w*)\(/.test(tree.textOf(last).slice(0, 20))
  )
}

interface Taken {
  readonly file: SourceFile
  readonly tree: FlatTree
  readonly dialect: Dialect
  readonly call: Call
  readonly holder: FunctionInfo
  readonly subject: string
  readonly releases: ReadonlyArray<Call>
}

/** `return &reader{index: i}` with the lock of `i` held: who gets the value releases it by closing that. */
const isGivenAway = (tree: FlatTree, { receiver }: Call, leave: number): boolean => {
  const owner = /^\w+/.exec(receiver ?? "")?.[0] ?? ""
  return (
    owner !== "" &&
    tree
      .within(leave, "keyed_element")
      .some((node) => tree.textOf(tree.namedChildren(node).at(-1) ?? NONE).slice(0, owner.length + 1) === owner)
  )
}

/** A `return` after the lock was taken that no release comes before. */
const leak = ({ tree, dialect, call, holder, releases }: Taken, retaken: ReadonlyArray<number>): number => {
  const home = blockOf(tree, call.node, dialect)
  for (const leave of tree.within(holder.body, "return_statement")) {
    if (leave < call.node || !tree.contains(home, leave)) continue
    if (tree.enclosing(leave, ...dialect.functionKinds) !== holder.node) continue
    if (retaken.some((node) => node > call.node && node < leave) || isGivenAway(tree, call, leave)) continue
    const isReleased = releases.some(({ node }) => {
      if (node < call.node || node > tree.lastDescendant(leave)) return false
      const block = blockOf(tree, node, dialect)
      return tree.contains(block, leave) || !leavesAtEnd(tree, block)
    })
    if (!isReleased) return leave
  }
  return NONE
}

/** A call between acquiring and releasing that may throw. */
const riskBetween = ({ file, tree, call, releases }: Taken): Call | null => {
  const last = releases.at(-1)!
  const home = tree.parent(tree.parent(call.node))
  if (!tree.contains(home, last.node)) return null
  const inner = callsWithin(file, home)
  return (
    inner.find(
      ({ node, receiver }) =>
        node > call.node &&
        node < last.node &&
        receiver !== call.receiver &&
        tree.start(node) >= tree.end(call.node) &&
        // `lock.readLock()` of a release: it gives what is released.
        !releases.some((release) => tree.contains(release.node, node))
    ) ?? null
  )
}

/** Released before it is first acquired: the caller of this function holds the lock, before and afterwards. */
const isHeldByCaller = ({ call, releases }: Taken, others: ReadonlyArray<number>): boolean => {
  const released = Math.min(...releases.map(({ node }) => node))
  return released < Math.min(call.node, ...others)
}

/** Released in a goroutine that the function starts: the lock is the goroutine's from there on. */
const isHandedOver = ({ tree, holder }: Taken, short: string, release: string): boolean =>
  tree.within(holder.body, "go_statement").some((node) => tree.textOf(node).includes(`${short}.${release}(`))

/** `get` returns with the lock held, and `put` releases it without having taken it. */
const isReleasedByAnother = ({ file, call, holder }: Taken, short: string, release: string): boolean => {
  const takes = ({ body }: FunctionInfo): boolean =>
    callsWithin(file, body).some(({ method }) => method === call.method)
  return calls(file).some(({ node, method, receiver }) => {
    if (method !== release || receiver?.replace(/^.*[.>]/, "") !== short) return false
    const other = enclosingFunction(file, node)
    return other?.name != null && other.body !== NONE && other.node !== holder.node && !takes(other)
  })
}

const report = (
  taken: Taken,
  emit: Emit<RuleId>,
  problem: string,
  step: { readonly node: number; readonly note: string } | null
) => {
  const { tree, call, subject } = taken
  emit({
    rule: "lock_not_released",
    ...span(tree, call.node),
    message: `\`${subject}\` ${problem}.`,
    identifiers: [subject.replace(/^.*[.>]/, "").replace(/\W.*$/, "")].filter((name) => name !== ""),
    ...(step === null ? {} : { steps: [{ ...span(tree, step.node), note: step.note }] })
  })
}

const inspectTaken = (taken: Taken, others: ReadonlyArray<number>, emit: Emit<RuleId>): void => {
  const { file, tree, dialect, call, holder, subject, releases } = taken
  const release = dialect.pairs.get(call.method)!
  const short = subject.replace(/^.*[.>]/, "")
  if (isHeldByCaller(taken, others) || isHandedOver(taken, short, release)) return
  if (releases.length === 0) {
    // Returned (`return mu.Unlock`), or released by another method.
    const isReleased = file.text.includes(`${short}.${release}`) || tree.textOf(holder.node).includes(`.${release}`)
    if (!isReleased && !/Monitor/.test(subject))
      report(taken, emit, "is taken here and never released in this file", null)
    return
  }
  if (releases.some(({ node }) => tree.enclosing(node, ...dialect.always) > holder.node)) return
  const out = leak(taken, others)
  if (out !== NONE) {
    if (isReleasedByAnother(taken, short, release)) return
    const line = file.line(tree.start(out))
    report(taken, emit, `is still held when line ${line} returns`, {
      node: out,
      note: "The function returns here with the lock held."
    })
    return
  }
  if (!dialect.throws) return
  const risk = riskBetween(taken)
  if (risk === null) return
  const note = "When this call throws, the release is not reached."
  report(taken, emit, `stays held when \`${risk.callee.slice(0, 60)}\` throws`, { node: risk.node, note })
}

/** Real functions use one lock less often than this. */
const MAX_USES = 60

const releaseMethods: ReadonlySet<string> = new Set(Object.values(dialects).flatMap(({ pairs }) => [...pairs.values()]))

const usesBySubject = (file: SourceFile, subject: (call: Call) => string) => {
  const byFunction = new Map<number, Map<string, Array<Call>>>()
  const read = (holder: FunctionInfo): Map<string, Array<Call>> => {
    const uses = new Map<string, Array<Call>>()
    for (const call of callsWithin(file, holder.body)) {
      const key = subject(call)
      const listed = uses.get(key)
      if (listed === undefined) uses.set(key, [call])
      else listed.push(call)
    }
    return uses
  }
  return {
    of: (holder: FunctionInfo, key: string): ReadonlyArray<Call> => {
      const uses = byFunction.get(holder.node) ?? read(holder)
      byFunction.set(holder.node, uses)
      return uses.get(key) ?? []
    },
    /** Calls on other expressions that are never locked here: one of them may be the same lock by another name. */
    aliases: (holder: FunctionInfo, key: string, acquire: string): ReadonlyArray<Call> => {
      const uses = byFunction.get(holder.node) ?? read(holder)
      byFunction.set(holder.node, uses)
      const found: Array<Call> = []
      for (const [other, listed] of uses) {
        if (other !== key && listed.length <= MAX_USES && !listed.some(({ method }) => method === acquire))
          found.push(...listed.filter(({ method }) => releaseMethods.has(method)))
      }
      return found.sort((a, b) => a.node - b.node)
    }
  }
}

/** The method that releases the lock which a call acquires; undefined for any other call. */
const releaseOf = (file: SourceFile, tree: FlatTree, call: Call, dialect: Dialect): string | undefined => {
  if (call.receiver === null || !dialect.receiver.test(call.receiver)) return undefined
  const takesArguments = file.language === "csharp" || file.language === "python"
  if (!takesArguments && call.args.length > 0) return undefined
  return tree.is(tree.parent(call.node), "expression_statement") ? dialect.pairs.get(call.method) : undefined
}

/** Locks that stay held on some path out of the function. */
export const inspectLocks = (file: SourceFile, emit: Emit<RuleId>): void => {
  const dialect = dialects[file.language]
  const tree = file.tree
  if (dialect === undefined || tree === null) return
  const isMonitor = file.language === "csharp"
  const known = usesBySubject(file, (call) => subjectOf(tree, call, dialect, isMonitor))
  for (const call of calls(file)) {
    const release = releaseOf(file, tree, call, dialect)
    if (release === undefined) continue
    const holder = enclosingFunction(file, call.node)
    if (holder === null || holder.body === NONE || taking.test(holder.name?.split(".").at(-1) ?? "")) continue
    const subject = subjectOf(tree, call, dialect, isMonitor)
    const same = known.of(holder, subject)
    if (same.length > MAX_USES) continue
    const releases = [...same, ...known.aliases(holder, subject, call.method)].filter(
      ({ method }) => method === release
    )
    const others = same.filter(({ method }) => method === call.method).map(({ node }) => node)
    inspectTaken({ file, tree, dialect, call, holder, subject, releases }, others, emit)
  }
}
