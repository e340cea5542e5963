import { addTo } from "../../core/collections/lists.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { type Assignment, assignments, type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { wordsOf } from "../../secrets/shape.ts"
import type { RuleId } from "./rules.ts"

/** Match<RuleId> over a node, its identifiers those the message names in back quotes. */
export const matchAt = (
  file: SourceFile,
  node: number,
  match: Omit<Match<RuleId>, "start" | "end">
): Match<RuleId> => ({
  start: file.tree!.start(node),
  end: file.tree!.end(node),
  ...match
})

/** Sums of thousands of parts nest as deep. */
const MAX_DEPTH = 200

/** Nested so deep in one expression that its purpose is unknown. */
export const isBuried = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const { functionKinds } = syntaxOf(file.language)!
  let up = tree.parent(node)
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (up === NONE || tree.is(up, ...functionKinds)) return false
    up = tree.parent(up)
  }
  return true
}

/** Names that a node's value is assigned to, from the nearest outwards, within its function. */
export const targetsOf = (file: SourceFile, node: number): ReadonlyArray<string> => {
  const tree = file.tree!
  const syntax = syntaxOf(file.language)!
  const names: Array<string> = []
  let up = tree.parent(node)
  for (let depth = 0; depth < MAX_DEPTH && up !== NONE && !tree.is(up, ...syntax.functionKinds); depth++) {
    const at = up
    up = tree.parent(up)
    if (!tree.is(at, ...syntax.assignmentKinds)) continue
    for (const { name, target, value } of syntax.assignmentsAt(tree, at)) {
      if (value !== NONE && tree.contains(value, node)) names.push(/^["']/.test(name) ? target : name)
    }
  }
  return names
}

/** Name of the innermost function that has one. */
export const functionNameOf = (file: SourceFile, node: number): string => {
  for (let at = node, depth = 0; depth < 4; depth++) {
    const found = enclosingFunction(file, at)
    if (found === null) return ""
    if (found.name !== null && !found.name.includes('("')) return found.name
    at = found.node
  }
  return ""
}

export const spaced = (name: string): string => ` ${wordsOf(name).join(" ")} `

const computeByName = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<Assignment>> => {
  const grouped = new Map<string, Array<Assignment>>()
  for (const assignment of assignments(file)) addTo(grouped, assignment.name, assignment)
  return grouped
}

/** All that the file assigns to a name, in order. */
export const assignmentsTo = (file: SourceFile, name: string): ReadonlyArray<Assignment> =>
  file.memo(computeByName, computeByName).get(name) ?? []

/** The value of a name that is assigned only once in the file; the node itself when it is not a name. */
export const resolved = (file: SourceFile, node: number): number => {
  const tree = file.tree!
  const at = unwrap(file, node)
  if (!tree.is(at, "identifier", "constant", "name", "variable_name", "member_expression", "attribute", "field_access"))
    return at
  const written = tree.textOf(at).replace(/^(?:this|self)\./, "")
  if (!/^[$\w]+$/.test(written)) return at
  const plain = written.replace(/^\$/, "")
  const assigned = [...assignmentsTo(file, plain), ...(plain === written ? [] : assignmentsTo(file, written))]
  return assigned.length === 1 && assigned[0]!.value !== NONE && assigned[0]!.operator === "="
    ? unwrap(file, assigned[0]!.value)
    : at
}

const computeCallAt = (file: SourceFile): ReadonlyMap<number, Call> =>
  new Map(calls(file).map((call) => [call.node, call]))

export const callAt = (file: SourceFile, node: number): Call | undefined =>
  file.memo(computeCallAt, computeCallAt).get(node)

const lookups = /^(?:getProperty|getenv|getEnv|GetEnv|get|getOrDefault|getString|fetch|env|environ)$/

/** The default of a lookup of settings: `getProperty("cipher", "DES")`. */
const defaultOf = (file: SourceFile, node: number): number => {
  const call = callAt(file, node)
  return call !== undefined && lookups.test(call.method) && call.args.length === 2 ? call.args[1]! : NONE
}

export const literalOf = (file: SourceFile, node: number | undefined): string | null => {
  if (node === undefined || node === NONE) return null
  const at = resolved(file, node)
  const otherwise = defaultOf(file, at)
  return literalValue(file, otherwise === NONE ? at : resolved(file, otherwise))
}

export const numberOf = (file: SourceFile, node: number | undefined): number | null => {
  if (node === undefined || node === NONE) return null
  const text = file.tree!.textOf(resolved(file, node)).replaceAll("_", "")
  if (/^\d{1,9}[uUlL]*$/.test(text)) return Number.parseInt(text, 10)
  const product = /^(\d{1,6})\s*\*\s*(\d{1,6})$/.exec(text)
  return product === null ? null : Number(product[1]) * Number(product[2])
}

/** Formats and protocols that prescribe an old algorithm. */
const prescribing: ReadonlySet<string> = new Set(
  (
    "pdf pdfbox git office msoffice ooxml poi xls hssf ntlm ntlmv2 lanman lmhash smb cifs krb krb5 kerberos ssh ssh2 sshd openssh conch pkcs pkcs5 pkcs7 pkcs8 " +
    "pkcs12 pgp openpgp gpg gnupg zip rar vnc rfb rdp tds snmp radius pem jks keystore tls ssl desfire emv mifare jose jwe bouncycastle xmlsec " +
    "xmlenc wsse drm cenc hls quic mysql mariadb postgres postgresql scram cram apop sasl pop pop3 imap smtp jabber xmpp sip stun turn " +
    "rtc webrtc sdp websocket gravatar hotp totp legacy compat compatibility deprecated protocol protocols scrypt argon argon2 hkdf bittorrent torrent " +
    "oscore wpa eap chap mschap mschapv2 rsync cdp telnet amt wsman ipmi redfish hawk dcerpc msrpc netlogon oauth1 migration migrations"
  ).split(" ")
)

export const isPrescribed = (file: SourceFile, node: number): boolean =>
  /rfc[-_]?\d{3,5}/i.test(file.path) ||
  wordsOf(file.path).some((word) => prescribing.has(word)) ||
  wordsOf(file.symbolAt(file.tree!.start(node)) ?? "").some((word) => prescribing.has(word))

/** A name that announces the missing check: its users know, so it is reported with less confidence. */
export const announces = (name: string): boolean =>
  /insecure|unverified|untrusted|trust_?(?:all|any|every)|allow_?all|accept_?(?:all|any)|noop|skip_?(?:tls|ssl|verify)|no_?verify|dummy|naive|lenient|unsafe/i.test(
    name
  )

const optIn =
  /insecure|unsafe|verif|skip|ignore_?(?:tls|ssl|cert)|(?:tls|ssl)_?version|self_?-?signed|allow|trust|reject|strict|cert|validat|ssl_?mode|identity|development|\bdev\b|is_?dev|\blocal|debug|\btest|mock|danger|!==?\s*["']prod|!\s*\w*prod|not \w*prod/i

const branch =
  /^(?:if_statement|if|elif_clause|else_if_clause|elsif|unless|if_modifier|unless_modifier|ternary_expression|conditional_expression|conditional|if_expression|if_let_expression|match_arm|case_clause|expression_case)$/
const multiway = /^(?:expression_switch_statement|switch_statement|switch_expression|match_statement|case)$/

/** A branch, of which `part` is not the condition, whose condition is about just this. */
const isOptInBranch = (file: SourceFile, node: number, part: number): boolean => {
  const tree = file.tree!
  const kind = tree.kind(node)
  if (!branch.test(kind)) return false
  const condition = tree.child(node, "condition")
  const conditionIndex = kind === "conditional_expression" && file.language === "python" ? 1 : 0
  const test = condition !== NONE ? condition : tree.namedChildren(node).at(conditionIndex)
  return test !== undefined && test !== part && optIn.test(tree.textOf(test).slice(0, 300))
}

const isOptInSwitch = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  if (!multiway.test(tree.kind(node))) return false
  return optIn.test(file.text.slice(tree.start(node), tree.start(node) + 160).split("{", 1)[0]!)
}

/** `skipVerify && { rejectUnauthorized: false }` */
const isOptInOperand = (file: SourceFile, node: number, part: number): boolean => {
  const tree = file.tree!
  if (!tree.is(node, "binary_expression", "boolean_operator")) return false
  const left = tree.child(node, "left")
  return left !== part && optIn.test(tree.textOf(left).slice(0, 200))
}

/** A condition about just this: the user of the program has requested it. */
export const isOptedIn = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  if (/verif/i.test(functionNameOf(file, node))) return true
  for (let up = tree.parent(node), part = node; up !== NONE; part = up, up = tree.parent(up))
    if (isOptInBranch(file, up, part) || isOptInSwitch(file, up) || isOptInOperand(file, up, part)) return true
  return false
}

const encrypts = /encrypt\w*\s*\(|ENCRYPT_MODE|\bSeal\(/i
const decrypts = /decrypt\w*\s*\(|DECRYPT_MODE|\bOpen\(/i

const decryptsAlone = (file: SourceFile, node: number): boolean => {
  const text = file.tree!.textOf(node)
  return decrypts.test(text) && !encrypts.test(text)
}

/** Code that decrypts and never encrypts reads what others wrote. Many calls ask it of the same function or file. */
export const onlyDecrypts = (file: SourceFile, node: number): boolean => file.memoAt(node, decryptsAlone)
