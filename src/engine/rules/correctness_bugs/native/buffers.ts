import {
  bytesOf,
  constantOf,
  type Declared,
  localArrayAt,
  plain,
  sizeofOperand,
  variableAt
} from "../../../languages/native/functions.ts"
import { literalValue } from "../../../languages/syntax/strings.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { quoted } from "../Check.ts"
import type { RuleId } from "../rules.ts"
import { type CallCheck, type CallSite, nativeMatch } from "./CallSite.ts"

/** Bytes of a string literal with its terminator; null for anything else. */
const literalBytes = ({ file }: CallSite, node: number | undefined): number | null => {
  const value = node === undefined ? null : literalValue(file, node)
  return value === null ? null : Buffer.byteLength(value) + 1
}

/** Text that comes from outside of the program and may have any length. */
const outside = (site: CallSite, node: number): string | null => {
  const { tree, fn } = site
  const at = plain(tree, node)
  const text = tree.textOf(at)
  if (/^(?:secure_)?getenv\s*\(/.test(text)) return "an environment variable"
  if (/^\*?\(?argv\b/.test(text) && /^\*|\[/.test(text) && fn.declared.get("argv")?.[0]?.isParameter === true)
    return "a program argument"
  const variable = variableAt(tree, fn, at)
  if (variable === null || variable.isParameter || variable.pointers === 0) return null
  const values = fn.calls.filter(
    ({ node: call, method }) => /^(?:secure_)?getenv$/.test(method) && targetOf(site, call) === variable.name
  )
  return values.length > 0 ? "an environment variable" : null
}

/** The variable that the value of a call is given to. */
const targetOf = ({ tree }: CallSite, call: number): string | null => {
  const parent = tree.parent(call)
  if (tree.is(parent, "init_declarator")) return tree.textOf(tree.child(parent, "declarator")).replace(/^[*\s]+/, "")
  return tree.is(parent, "assignment_expression") ? tree.textOf(tree.child(parent, "left")) : null
}

/** Whether the function looks at the length of a text anywhere before it is copied. */
const isMeasured = ({ tree, fn, call }: CallSite, source: number): boolean => {
  const text = tree.textOf(plain(tree, source))
  return fn.calls.some(
    ({ method, args, node }) =>
      node < call.node &&
      /^(?:w?cs|str)n?len$|len(?:gth)?$|size/i.test(method) &&
      args.some((arg) => tree.textOf(plain(tree, arg)) === text)
  )
}

const sourceSize = (site: CallSite, node: number): number | null => {
  const array = localArrayAt(site.tree, site.fn, node)
  return array === null ? null : bytesOf(site.file, array)
}

const named = (declared: Declared, bytes: number | null): string =>
  bytes === null ? `\`${declared.name}\`` : `\`${declared.name}\`, which has ${bytes} bytes`

/** strcpy and strcat into an array of this function. */
export const stringCopy: CallCheck = (site) => {
  const { file, tree, fn, call, name, args } = site
  const [target, source] = args
  const array = localArrayAt(tree, fn, target)
  if (array === null || source === undefined) return null
  const room = bytesOf(file, array)
  const length = literalBytes(site, source)
  if (length !== null) {
    if (room === null || length <= room) return null
    const message = `\`${name}\` writes ${length} bytes, the terminator included, into ${named(array, room)}.`
    return nativeMatch(tree, call.node, { rule: "buffer_too_small", message, noun: `\`${array.name}\`` })
  }
  const origin = outside(site, source)
  if (origin !== null && !isMeasured(site, source)) {
    const message = `\`${name}\` copies ${quoted(tree, source)}, ${origin} of any length, into ${named(array, room)}.`
    return nativeMatch(tree, call.node, { rule: "unbounded_copy", message, noun: `\`${array.name}\`` })
  }
  const from = variableAt(tree, fn, source)
  const isParameter = from?.isParameter === true && from.pointers + (from.isArray ? 1 : 0) > 0
  if (!isParameter || isMeasured(site, source) || name === "strcat" || sourceSize(site, source) !== null) return null
  const message = `\`${name}\` copies the parameter \`${from.name}\` into ${named(array, room)}, and nothing in this function compares its length.`
  return nativeMatch(tree, call.node, { rule: "copy_of_parameter", message, noun: `\`${array.name}\`` })
}

interface Conversion {
  readonly conversion: string
  readonly hasPrecision: boolean
  readonly hasWidth: boolean
  readonly isSuppressed: boolean
}

export const conversionsOf = (format: string): ReadonlyArray<Conversion> =>
  [
    ...format.matchAll(
      /%(?:%|([-+ #0']*)(\*(?!\[)|\d+)?(\.(?:\*|\d*))?(?:hh|h|ll|l|j|z|t|L|q|I64)?([a-zA-Z]|\[\^?\]?[^\]]*\]))/g
    )
  ]
    .filter((match) => match[4] !== undefined)
    .map((match) => ({
      conversion: match[4]!.startsWith("[") ? "[" : match[4]!,
      hasWidth: match[2] !== undefined && match[2] !== "*",
      hasPrecision: match[3] !== undefined,
      isSuppressed: match[2] === "*"
    }))

/** sprintf of texts into an array of this function. */
export const stringFormat: CallCheck = (site) => {
  const { file, tree, fn, call, name, args } = site
  const array = localArrayAt(tree, fn, args[0])
  const format = args[1] === undefined ? null : literalValue(file, args[1])
  if (array === null || format === null) return null
  const conversions = conversionsOf(format)
  const fixed = Buffer.byteLength(format.replace(/%[-+ #0']*[\d.*]*(?:hh|h|ll|l|j|z|t)?[a-zA-Z%]/g, "")) + 1
  const room = bytesOf(file, array)
  if (room !== null && fixed > room) {
    const message = `The text of the format alone has ${fixed} bytes, and \`${name}\` writes into ${named(array, room)}.`
    return nativeMatch(tree, call.node, { rule: "buffer_too_small", message, noun: `\`${array.name}\`` })
  }
  if (conversions.length !== args.length - 2) return null
  const open = conversions.findIndex(
    ({ conversion, hasPrecision }, i) => conversion === "s" && !hasPrecision && isOfAnyLength(site, args[i + 2]!)
  )
  return open < 0 ? null : unboundedText(site, args[open + 2]!, named(array, room), array.name)
}

const isPlainParameter = ({ tree, fn }: CallSite, node: number): boolean => {
  const from = variableAt(tree, fn, node)
  return from?.isParameter === true && from.pointers === 1
}

const isOfAnyLength = (site: CallSite, node: number): boolean =>
  !isMeasured(site, node) && (outside(site, node) !== null || isPlainParameter(site, node))

const unboundedText = (site: CallSite, source: number, target: string, name: string) => {
  const { tree, call } = site
  const origin = outside(site, source)
  const what =
    origin === null ? `the parameter ${quoted(tree, source)}` : `${quoted(tree, source)}, ${origin} of any length,`
  const message = `\`${call.method}\` writes ${what} into ${target}.`
  const rule = origin === null ? "copy_of_parameter" : "unbounded_copy"
  return nativeMatch(tree, call.node, { rule, message, noun: `\`${name}\`` })
}

const scanRule = ({ tree, name, args }: CallSite): RuleId => {
  if (name === "sscanf") return "unbounded_scan_of_text"
  // The lines of a file are often bounded by who writes it; those of a terminal or a pipe are not.
  const isFile = name === "fscanf" && tree.textOf(plain(tree, args[0]!)) !== "stdin"
  return isFile ? "unbounded_file_input" : "unbounded_input"
}

/** `%s` without a width reads as much as there is. */
export const scanFormat: CallCheck = (site) => {
  const { file, tree, fn, call, name, args } = site
  const first = name === "scanf" ? 0 : 1
  const format = args[first] === undefined ? null : literalValue(file, args[first])
  if (format === null) return null
  const stored = conversionsOf(format).filter(({ isSuppressed }) => !isSuppressed)
  for (const [i, { conversion, hasWidth }] of stored.entries()) {
    const array = conversion !== "s" && conversion !== "[" ? null : localArrayAt(tree, fn, args[first + 1 + i])
    if (array === null || hasWidth || (name === "sscanf" && fitsInto(site, args[0]!, array))) continue
    const shown = conversion === "[" ? "[…]" : "s"
    const message = `\`%${shown}\` has no width, so \`${name}\` writes any number of bytes into ${named(array, bytesOf(file, array))}.`
    return nativeMatch(tree, call.node, { rule: scanRule(site), message, noun: `\`${array.name}\`` })
  }
  return null
}

const fitsInto = (site: CallSite, source: number, target: Declared): boolean => {
  const from = sourceSize(site, source)
  const room = bytesOf(site.file, target)
  if (from !== null && room !== null) return from <= room
  return hasSameSize(site, source, target) || isMeasuredBy(site, source, target)
}

/** `char part[text.length() + 1]`, `char part[strlen(text) + 1]`: as long as the text itself. */
const isMeasuredBy = ({ tree }: CallSite, source: number, { size }: Declared): boolean => {
  const text = /^[\w.>-]+?(?=(?:(?:\.|->)(?:c_str|data)\(\))?$)/.exec(tree.textOf(plain(tree, source)))?.[0]
  const room = tree.textOf(size).replace(/\s+/g, "")
  return (
    text !== undefined && [`strlen(${text})+1`, `${text}.length()+1`, `${text}.size()+1`].some((own) => room === own)
  )
}

/** Both are as long as one constant of a header says. */
const hasSameSize = ({ tree, fn }: CallSite, source: number, target: Declared): boolean => {
  const from = localArrayAt(tree, fn, source)
  return from !== null && from.type === target.type && tree.textOf(from.size) === tree.textOf(target.size)
}

export const getsCall: CallCheck = ({ tree, call, args, fn }) => {
  if (args.length !== 1 || fn.declared.has("gets")) return null
  const message = `\`gets\` reads a line of any length into ${quoted(tree, args[0]!)}; there is no way to bound it.`
  return nativeMatch(tree, call.node, { rule: "unbounded_input", message, noun: "`gets`" })
}

const writesAt = (site: CallSite, name: string): boolean => {
  const { tree, fn } = site
  for (const node of tree.within(fn.body, "assignment_expression")) {
    const left = tree.child(node, "left")
    if (!tree.is(left, "subscript_expression", "pointer_expression")) continue
    if (new RegExp(`^\\*?\\s*\\(?\\s*${name}\\b`).test(tree.textOf(left).slice(0, 200))) return true
  }
  return fn.calls.some(
    ({ method, args }) =>
      /^(?:memset|bzero|explicit_bzero|ZeroMemory)$/.test(method) && args.some((arg) => tree.textOf(arg) === name)
  )
}

/** The name of an entry of a folder has at most 255 bytes. */
const isEntryInPath = ({ tree }: CallSite, source: number, array: Declared, room: number | null): boolean =>
  /(?:->|\.)\s*d_name$/.test(tree.textOf(plain(tree, source))) &&
  (room === null ? /^(?:PATH_MAX|MAXPATHLEN|FILENAME_MAX)\b/.test(tree.textOf(array.size)) : room > 255)

/** strncpy of as much as fits leaves no room for the terminator. */
export const boundedCopy: CallCheck = (site) => {
  const { file, tree, fn, call, name, args } = site
  const [target, source, size] = args
  if (target === undefined || source === undefined || size === undefined) return null
  const boundedBySource = boundFromSource(site, source, size)
  if (boundedBySource !== null) return boundedBySource
  const array = localArrayAt(tree, fn, target)
  if (name !== "strncpy" || array === null || array.isStatic || array.value !== NONE) return null
  const room = bytesOf(file, array)
  const operand = sizeofOperand(tree, size)
  const isWhole =
    operand !== NONE ? tree.textOf(operand) === array.name : room !== null && constantOf(file, size) === room
  if (!isWhole || writesAt(site, array.name) || isEntryInPath(site, source, array, room)) return null
  const length = literalBytes(site, source)
  if (length !== null && (room === null || length <= room)) return null
  const from = sourceSize(site, source)
  if (from !== null && room !== null && from <= room) return null
  const message = `When ${quoted(tree, source)} has as many characters as \`${array.name}\` has bytes, \`strncpy\` writes no terminator, and nothing in this function adds one.`
  return nativeMatch(tree, call.node, { rule: "missing_terminator", message, noun: `\`${array.name}\`` })
}

/** `strncpy(target, source, strlen(source))`: the bound is the length of what it should bound. */
const boundFromSource = ({ tree, fn, call, name }: CallSite, source: number, size: number) => {
  const measured = /^strlen\s*\(\s*(.+?)\s*\)(?:\s*\+\s*1)?$/s.exec(tree.textOf(plain(tree, size)))?.[1]
  const text = tree.textOf(plain(tree, source))
  const array = measured === text ? localArrayAt(tree, fn, call.args[0]) : null
  if (array === null) return null
  const isCompared = fn.calls.some(
    ({ node, method, args }) => node < call.node && method === "strlen" && args.some((arg) => tree.textOf(arg) === text)
  )
  if (isCompared || tree.is(plain(tree, source), "string_literal", "concatenated_string")) return null
  const message = `The bound of \`${name}\` is the length of ${quoted(tree, source)}, not the size of \`${array.name}\`, so it bounds nothing.`
  return nativeMatch(tree, call.node, { rule: "bound_from_source", message, noun: `\`${array.name}\`` })
}

/** `name[7] = '\\0'` before a literal is appended: both fit, whatever the bound says. */
const fitsBehindCut = (site: CallSite, target: number, source: number): boolean => {
  const { file, tree, fn, call } = site
  const array = localArrayAt(tree, fn, target)
  const room = array === null ? null : bytesOf(file, array)
  const length = literalBytes(site, source)
  if (array === null || room === null || length === null) return false
  const before = tree.text.slice(tree.start(fn.body), tree.start(call.node))
  const cut = new RegExp(`\\b${array.name}\\s*\\[\\s*(\\d{1,6})\\s*\\]\\s*=\\s*(?:'\\\\0'|0)\\s*;`).exec(before)
  const isOnlyOne =
    fn.calls.filter(
      ({ method, args }) => /cat$/.test(method) && args[0] !== undefined && tree.textOf(args[0]) === array.name
    ).length === 1
  return cut !== null && isOnlyOne && Number(cut[1]) + length <= room
}

/** strncat's bound is what may be appended, without the terminator. */
export const boundedAppend: CallCheck = (site) => {
  const { tree, call, args } = site
  const [target, source, size] = args
  if (target === undefined || source === undefined || size === undefined) return null
  const name = tree.textOf(plain(tree, target)).replace(/\s+/g, "")
  const text = tree.textOf(plain(tree, size)).replace(/\s+/g, "")
  const isWhole = text === `sizeof(${name})` || text === `sizeof${name}`
  const isLessLength = text === `sizeof(${name})-strlen(${name})` || text === `sizeof${name}-strlen(${name})`
  if (!isWhole && !isLessLength) return boundFromSource(site, source, size)
  if (fitsBehindCut(site, target, source)) return null
  const what = isWhole ? "the size of the whole buffer" : "the space that is left, without one for the terminator"
  const message = `\`strncat\` appends up to ${quoted(tree, size)} characters to \`${name}\` and a terminator: that is ${what}.`
  return nativeMatch(tree, call.node, { rule: "append_bound", message, noun: `\`${name}\`` })
}

/** `sizeof` of a pointer where the size of what it points to is meant. */
export const sizeOfPointer: CallCheck = ({ tree, fn, call, name, args }) => {
  const size = args[sizeArgument[name] ?? 2]
  const operand = size === undefined ? NONE : sizeofOperand(tree, size)
  if (operand === NONE || !tree.is(operand, "identifier")) return null
  const variable = variableAt(tree, fn, operand)
  if (variable === null) return null
  // `char (&name)[6]`: a reference to an array knows its size.
  const isArrayParameter = variable.isParameter && variable.isArray && !variable.isReference
  const isPointer = variable.pointers === 1 && !variable.isArray && !variable.isReference
  if (!isArrayParameter && !isPointer) return null
  const uses = args.some((arg) => tree.textOf(plain(tree, arg)) === variable.name)
  if (!uses) return null
  const kind = isArrayParameter ? "a parameter, and arrays are passed as pointers" : "a pointer"
  const message = `\`${variable.name}\` is ${kind}, so ${quoted(tree, size!)} is the size of a pointer, not of what \`${name}\` writes or compares.`
  return nativeMatch(tree, call.node, { rule: "size_of_pointer", message, noun: `\`${name}\`` })
}

const sizeArgument: Readonly<Record<string, number>> = { snprintf: 1, vsnprintf: 1, fgets: 1, strlcpy: 2, strlcat: 2 }
