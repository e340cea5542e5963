import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { carriedValues } from "../../languages/code/carriedValues.ts"
import { assignmentsTo } from "../../languages/code/lastAssigned.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Assignment, assignments, type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

export const mentionsStorage = /\blocalStorage\b/

const storedSecret =
  /^(?:[\w.:-]*[_.:-])?(?:(?:access|auth|refresh|id|api|bearer|session|jwt|user|login|admin)[_.-]?token|token|jwt|password|passwd|secret|api[_-]?key|credentials?|client[_-]?secret|private[_-]?key)$/i
const notASession = /csrf|xsrf|push|device|fcm|expir|count|name|type|design|reset|invite|cancel/i

const isStored = (key: string): boolean =>
  storedSecret.test(key.replace(/([a-z])([A-Z])/g, "$1_$2")) && !notASession.test(key)

const reportToken = (file: SourceFile, node: number, key: string, value: number, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  // Emptied, or set to a flag.
  if (value === NONE || tree.is(value, "null", "undefined", "true", "false", "number")) return
  if (literalValue(file, value) !== null) return
  const message = `\`${key}\` is stored in \`localStorage\`, which every script of the page can read.`
  emit({
    start: tree.start(node),
    end: tree.end(node),
    rule: "token_in_local_storage",
    message,
    identifiers: ["localStorage"]
  })
}

/** `localStorage.setItem("token", token)` */
const storingCall = (file: SourceFile, call: Call, emit: Emit<RuleId>): void => {
  if (call.method !== "setItem" || !/(?:^|\.)localStorage$/.test(call.receiver ?? "")) return
  const [key, value = NONE] = call.args
  const name = key === undefined ? null : (literalValue(file, key) ?? constantOf(file, key))
  if (name !== null && isStored(name)) reportToken(file, call.node, name, value, emit)
}

/** `localStorage.token = token` */
const storingAssignment = (file: SourceFile, { target, node, value }: Assignment, emit: Emit<RuleId>): void => {
  const stored = /(?:^|\.)localStorage(?:\.([\w$]+)|\[["']([\w$.:-]+)["']\])$/.exec(target)
  const name = stored?.[1] ?? stored?.[2]
  if (name !== undefined && isStored(name)) reportToken(file, node, name, value, emit)
}

/** Tokens in storage that every script of the page can read. */
export const storedTokens = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) storingCall(file, call, emit)
  for (const assignment of assignments(file)) storingAssignment(file, assignment, emit)
}

/** `TOKEN_KEY`: the literal it holds in this file, or what its name means. */
const constantOf = (file: SourceFile, node: number): string | null => {
  const written = file.tree!.textOf(node)
  if (!/^[\w$.]{3,60}$/.test(written)) return null
  const assigned = assignmentsTo(file, written)[0]
  if (assigned !== undefined && assigned.value !== NONE) return literalValue(file, assigned.value)
  const name = written.slice(written.lastIndexOf(".") + 1)
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? name.replace(/_(?:KEY|NAME|STORAGE|STORAGE_KEY)$/, "").toLowerCase() : null
}

export const mentionsQuery =
  /[?&](?:password|passwd|pwd|passphrase|secret|client_secret|access_token|auth_token|refresh_token|api_?[kK]ey|apikey|private_key)=/i

const ending =
  /^[^\s]*[?&](password|passwd|pwd|passphrase|secret|client_secret|access_token|auth_token|refresh_token|api_?key|private_key)=$/i
/** `postgresql:`, `otpauth:`: not requested by browsers. */
const otherScheme = /^(?!https?:)[a-z][\w+.]*:/i

/** `client_id=…`, concatenated: the body of a form, not a URL. */
const formBody = /^\w+=/

/** The first literal of the concatenation that a literal is part of. */
const beginningOf = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  let first = node
  for (let depth = 0; depth < MAX_DEPTH && tree.is(tree.parent(first), ...additions); depth++)
    first = tree.parent(first)
  for (let depth = 0; depth < 2 * MAX_DEPTH && tree.is(first, ...additions); depth++) first = tree.child(first, "left")
  return tree
    .textOf(first)
    .slice(0, 80)
    .replace(/^[a-zA-Z$@]*["'`]+/, "")
}
const MAX_DEPTH = 30
const additions = ["binary_expression", "binary_operator", "binary"]

/** A secret in the query string of a URL. */
export const secretsInUrls = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const syntax = syntaxOf(file.language)!
  const strings = new Set([...syntax.stringKinds])
  const nodes = tree.of(...syntax.stringKinds)
  for (const match of file.text.matchAll(new RegExp(mentionsQuery, "gi"))) {
    const end = match.index + match[0].length
    let node = lastStarting(file, nodes, match.index)
    while (node !== NONE && (tree.end(node) < end || !strings.has(tree.kind(node)))) node = tree.parent(node)
    if (node === NONE) continue
    const head = file.text.slice(tree.start(node), end).replace(/^[a-zA-Z$@]*["'`]+/, "")
    const found = ending.exec(head.slice(-400).replace(/\$?\{[^{}]*\}|#\{[^{}]*\}/g, "x"))
    if (found === null || head.includes("#?") || otherScheme.test(head) || !isFilled(file, node, end)) continue
    const beginning = beginningOf(file, node)
    if (otherScheme.test(beginning) || formBody.test(beginning)) continue
    const name = found[1]!
    const message = `A value is added to a URL's query string as \`${name}\`; servers, proxies and browsers keep URLs in logs and histories.`
    emit({
      start: tree.start(node),
      end: tree.end(node),
      rule: /^(?:api|access)/i.test(name) ? "api_key_in_url" : "secret_in_url",
      message
    })
  }
}

/** A value follows the equals sign: an interpolation, or the string ends there and is concatenated. */
const isFilled = (file: SourceFile, node: number, end: number): boolean => {
  const tree = file.tree!
  const next = file.text.slice(end, end + 2)
  if (/^(?:\$\{|#\{|\{|\$\w|%s|%v|%@)/.test(next)) return !/^%/.test(next) || isFormatted(file, node)
  if (end < tree.end(node) - 1) return false
  const parent = tree.parent(node)
  if (tree.child(parent, "left") === node) return carriedValues(file, tree.child(parent, "right")).length > 0
  // `base + "?password=" + value` is an addition to an addition.
  return tree.child(parent, "right") === node && tree.child(tree.parent(parent), "left") === parent
}

/** The last of these nodes that starts at or before an offset. */
const lastStarting = (file: SourceFile, nodes: Int32Array, offset: number): number => {
  let low = 0
  let high = nodes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (file.tree!.start(nodes[middle]!) <= offset) low = middle + 1
    else high = middle
  }
  return low === 0 ? NONE : nodes[low - 1]!
}

const isFormatted = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const parent = tree.parent(node)
  return tree.is(parent, "argument_list", "arguments", "argument", "binary_operator", "binary")
}
