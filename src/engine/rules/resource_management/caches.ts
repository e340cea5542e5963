import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type Assignment, assignments, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const cacheName = /cache|memo/i
const emptyStore =
  /^(?:new Map(?:<[^()]{0,200}>)?\(\)|\{\}|dict\(\)|Object\.create\(null\)|(?:collections\.)?(?:defaultdict|OrderedDict)\(\w*\))$/
/** Any sign that entries are removed, counted or replaced as a whole. */
const bounds = (name: string): RegExp =>
  new RegExp(
    `\\b${name}(?:\\.(?:delete|clear|pop|popitem|size|keys|entries)\\b|\\[[^\\]\\n]{1,80}\\]\\s*=\\s*(?:null|undefined|None)\\b|\\s*=(?!=))|\\bdelete\\s+${name}\\b|\\bdel\\s+${name}\\b|len\\(\\s*${name}|Object\\.keys\\(\\s*${name}|\\bglobal\\s+[\\w, ]{0,80}${name}\\b`,
    "g"
  )

const isModuleLevel = (file: SourceFile, tree: FlatTree, { node, target, value }: Assignment): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(target) &&
  cacheName.test(target) &&
  value !== NONE &&
  emptyStore.test(tree.textOf(value).slice(0, 260)) &&
  enclosingFunction(file, node) === null &&
  tree.enclosing(node, "class_body", "class_definition", "class_declaration") === NONE

/** Names of values that come from callers and that no list limits. */
const openKey =
  /(?:^|[._(\s`{])(?:url|uri|href|query|search|email|ip|token|session|user_?id|request|req|path|text|content|html|input)\b/i

const writtenKey = (tree: FlatTree, file: SourceFile, name: string): number => {
  for (const { receiver, method, args, node } of calls(file)) {
    if (receiver === name && (method === "set" || method === "setdefault") && args.length === 2) {
      if (enclosingFunction(file, node) !== null && openKey.test(tree.textOf(args[0]!).slice(0, 120))) return node
    }
  }
  for (const { target, node } of assignments(file)) {
    const key = target.startsWith(`${name}[`) ? target.slice(name.length + 1, -1) : null
    if (key !== null && openKey.test(key) && !/^["'`]/.test(key) && enclosingFunction(file, node) !== null) return node
  }
  return NONE
}

/** Caches at module level to which code of requests adds entries, and from which no code removes any. */
export const inspectCaches = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!cacheName.test(file.text)) return
  const tree = file.tree
  if (tree === null) return
  const found = assignments(file).filter((assignment) => isModuleLevel(file, tree, assignment))
  if (found.length > MAX_CACHES) return
  for (const { target, node } of found) {
    // The declaration itself is one `=`.
    if ((file.text.match(bounds(target.replace(/\$/g, "\\$"))) ?? []).length > 1) continue
    const write = writtenKey(tree, file, target)
    if (write === NONE) continue
    const message = `\`${target}\` receives an entry for every new key, and no code in this file removes or counts them.`
    emit({
      rule: "unbounded_cache",
      ...span(tree, node),
      message,
      identifiers: [target],
      steps: [{ ...span(tree, write), note: "An entry is added here." }]
    })
  }
}

const MAX_CACHES = 20
