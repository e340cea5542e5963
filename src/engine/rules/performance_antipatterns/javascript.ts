import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { loopAround } from "../../languages/code/loops.ts"
import { assignments, type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { routeTable } from "../../structure/routes/routeTable.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = ["arrow_function", "function_expression"]

/** The result of a callback: its expression, or that of its last `return`. */
const resultOf = (tree: FlatTree, callback: number): number => {
  const body = tree.child(callback, "body")
  if (!tree.is(body, "statement_block"))
    return tree.is(body, "parenthesized_expression") ? (tree.namedChildren(body)[0] ?? NONE) : body
  const last = tree.namedChildren(body).at(-1) ?? NONE
  return tree.is(last, "return_statement") ? (tree.namedChildren(last)[0] ?? NONE) : NONE
}

const isSpreadOf = (tree: FlatTree, part: number, name: string): boolean =>
  tree.is(part, "spread_element") && tree.textOf(tree.namedChildren(part)[0] ?? NONE) === name

/** A literal that holds all of `name` and something new; an object that only sets known keys does not grow. */
const spreads = (tree: FlatTree, literal: number, name: string): boolean => {
  if (!tree.is(literal, "object", "array")) return false
  const parts = tree.namedChildren(literal)
  if (!parts.some((part) => isSpreadOf(tree, part, name))) return false
  return parts.some(
    (part) =>
      !isSpreadOf(tree, part, name) &&
      (tree.is(literal, "array") ||
        tree.is(part, "spread_element") ||
        tree.is(tree.child(part, "key"), "computed_property_name"))
  )
}

const inspectReduce = (tree: FlatTree, { args, method, node }: Call, emit: Emit<RuleId>): void => {
  const callback = args[0] ?? NONE
  if (!/^reduce(?:Right)?$/.test(method) || !tree.is(callback, ...functionKinds)) return
  const parameter = tree.namedChildren(tree.child(callback, "parameters"))[0] ?? NONE
  const name = tree.textOf(tree.child(parameter, "pattern") === NONE ? parameter : tree.child(parameter, "pattern"))
  if (!/^[\w$]+$/.test(name) || !spreads(tree, resultOf(tree, callback), name)) return
  // The length of a literal list is fixed.
  if (/^\s*\[/.test(tree.textOf(node).slice(0, 2))) return
  const message = `\`...${name}\` copies everything collected so far for each element of the \`${method}\`.`
  emit({ rule: "copied_accumulator", ...headSpan(tree, resultOf(tree, callback)), message, identifiers: [name] })
}

const inspectLoops = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!file.text.includes("...")) return
  for (const { node, target, value, operator } of assignments(file)) {
    if (
      operator !== "=" ||
      !/^[\w$]+$/.test(target) ||
      !tree.is(node, "assignment_expression") ||
      !spreads(tree, value, target)
    )
      continue
    const loop = loopAround(file, node)
    if (loop === NONE || tree.is(loop, ...functionKinds) || isFew(tree, loop)) continue
    const message = `\`...${target}\` copies everything collected so far in each iteration of the loop.`
    emit({ rule: "copied_accumulator", ...span(tree, node), message, identifiers: [target] })
  }
}

const isFew = (tree: FlatTree, loop: number): boolean => {
  const right = tree.child(loop, "right")
  if (right !== NONE) return tree.is(right, "array")
  return /^[^;]*;[^;<]*<=?\s*\d{1,2}\s*;/.test(tree.text.slice(tree.start(loop), tree.start(loop) + 120))
}

const blocking =
  /^(?:fs|fse|fsExtra)\.\w+Sync$|^(?:\w+\.)?(?:execSync|spawnSync|execFileSync|pbkdf2Sync|scryptSync|gzipSync|gunzipSync|deflateSync|brotliCompressSync|readFileSync|writeFileSync|readdirSync|appendFileSync|copyFileSync)$|^bcrypt(?:js)?\.(?:hashSync|compareSync|genSaltSync)$/

const inspectHandlers = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!/Sync\(/.test(file.text)) return
  const handlers = new Set(
    routeTable(file)
      .routes.map(({ handlerNode }) => handlerNode)
      .filter((node) => node !== NONE)
  )
  for (const handler of handlers) {
    for (const { node, callee } of callsWithin(file, handler)) {
      if (!blocking.test(callee) || /existsSync$/.test(callee)) continue
      const message = `${excerpt(tree, node)} blocks all other requests until it is done.`
      emit({ rule: "sync_in_handler", ...span(tree, node), message })
    }
  }
}

const inspectClones = (file: SourceFile, tree: FlatTree, call: Call, emit: Emit<RuleId>): void => {
  if (call.callee !== "JSON.parse" || !/^JSON\.stringify\(/.test(tree.textOf(call.args[0] ?? NONE).slice(0, 20))) return
  const loop = loopAround(file, call.node)
  if (loop === NONE || isFew(tree, loop)) return
  const message = `${excerpt(tree, call.node)} serialises and parses the object in each iteration.`
  emit({ rule: "json_clone_in_loop", ...span(tree, call.node), message })
}

/** `xs.filter(f)[0]` */
const inspectFirst = (tree: FlatTree, subscript: number, emit: Emit<RuleId>): void => {
  const isTarget = tree.is(tree.parent(subscript), "assignment_expression") && tree.fieldOf(subscript) === "left"
  if (isTarget || tree.textOf(tree.child(subscript, "index")) !== "0") return
  emit({
    rule: "filtered_to_find_one",
    ...span(tree, subscript),
    message: "All elements are filtered and only the first match is used; `find` stops there."
  })
}

/** `xs.filter(f).length > 0` */
const inspectSize = (tree: FlatTree, parent: number, emit: Emit<RuleId>): void => {
  if (!tree.is(parent, "member_expression") || tree.textOf(tree.child(parent, "property")) !== "length") return
  const compared = tree.parent(parent)
  const after = tree.text.slice(tree.end(parent), tree.end(compared)).replace(/\s+/g, "")
  if (!tree.is(compared, "binary_expression") || !/^(?:>0|[!=]==?0|>=1|<1)$/.test(after)) return
  emit({
    rule: "filtered_to_find_one",
    ...span(tree, compared),
    message: `${excerpt(tree, compared)} counts all matches to test whether there is one; \`some\` stops at the first.`
  })
}

/** `.filter((x) => { if (bad(x)) errors.push(x); return … })` is to see each element. */
const doesMore = (tree: FlatTree, callback: number): boolean =>
  tree.within(callback, "assignment_expression", "augmented_assignment_expression", "update_expression").length > 0 ||
  /\.(?:push|unshift|add|set|delete|splice)\(/.test(tree.textOf(callback))

const inspectFilters = (tree: FlatTree, call: Call, emit: Emit<RuleId>): void => {
  if (call.method !== "filter" || call.args.length === 0 || !tree.is(call.args[0]!, ...functionKinds)) return
  if (doesMore(tree, call.args[0]!)) return
  const parent = tree.parent(call.node)
  const isSubscript = tree.is(parent, "subscript_expression") && tree.child(parent, "object") === call.node
  if (isSubscript) inspectFirst(tree, parent, emit)
  else inspectSize(tree, parent, emit)
}

const inspectCalls = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    inspectReduce(tree, call, emit)
    inspectClones(file, tree, call, emit)
    inspectFilters(tree, call, emit)
  }
}

export const inspectJavaScript = (file: SourceFile, emit: Emit<RuleId>): void => {
  const { text } = file
  const hasFilters = /\)\s*(?:\.length|\[0\])/.test(text) && text.includes(".filter(")
  const hasReduce = text.includes(".reduce") && text.includes("...")
  const hasCalls = hasFilters || hasReduce || text.includes("JSON.parse(JSON.stringify")
  const hasSpreads = /=\s*(?:\[|\{)\s*\.\.\./.test(text)
  const hasSync = /Sync\(/.test(text)
  const tree = hasCalls || hasSpreads || hasSync ? file.tree : null
  if (tree === null) return
  if (hasSpreads) inspectLoops(file, tree, emit)
  if (hasSync) inspectHandlers(file, tree, emit)
  if (hasCalls) inspectCalls(file, tree, emit)
}
