import { escape as escapeRegExp } from "effect/RegExp"
import { constantOf, type Declared, plain, sizeofOperand, variableAt } from "../../../languages/native/functions.ts"
import { neverReturns } from "../../../languages/native/noReturn.ts"
import { literalValue } from "../../../languages/syntax/strings.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { quoted } from "../Check.ts"
import { type CallCheck, type CallSite, isDiscarded, nativeMatch } from "./CallSite.ts"

/** `memset(p, n, 0)` writes nothing. */
export const emptyFill: CallCheck = ({ file, tree, call, args }) => {
  const [target, value, size] = args
  if (target === undefined || value === undefined || size === undefined) return null
  if (
    tree.textOf(plain(tree, size)) !== "0" ||
    constantOf(file, value) === 0 ||
    tree.is(plain(tree, value), "char_literal")
  )
    return null
  const message = `The size is 0, so nothing is written; ${quoted(tree, value)} is meant as the size.`
  return nativeMatch(tree, call.node, { rule: "swapped_fill_arguments", message })
}

/** `memcmp(a, b, n == 0)`: the parenthesis is in the wrong place. */
export const comparisonAsSize: CallCheck = ({ tree, call, name, args }) => {
  const size = args[2]
  if (size === undefined || !tree.is(size, "binary_expression")) return null
  if (!/^(?:==|!=|<|>|<=|>=)$/.test(tree.textOf(tree.child(size, "operator")))) return null
  const message = `The size that \`${name}\` is given is the comparison ${quoted(tree, size)}, so it is 0 or 1.`
  return nativeMatch(tree, call.node, { rule: "comparison_as_size", message, noun: `\`${name}\`` })
}

/** A bound that does not fit the literal it bounds. */
export const comparedLength: CallCheck = (site) => {
  const comparison = comparisonAsSize(site)
  const { file, tree, call, name, args } = site
  const size = args[2]
  if (comparison !== null || size === undefined) return comparison
  const bound = tree.is(plain(tree, size), "number_literal") ? constantOf(file, size) : null
  const literal = [args[0]!, args[1]!].find((arg) => tree.is(plain(tree, arg), "string_literal"))
  const value = literal === undefined ? null : literalValue(file, literal)
  if (bound === null || bound === 0 || value === null || /[\\\0]/.test(tree.textOf(literal!))) return null
  const length = Buffer.byteLength(value)
  // Options may be shortened, and the last blank left to what follows.
  if (name !== "memcmp" && (value.startsWith("-") || (bound === length - 1 && /\W$/.test(value)))) return null
  if (name === "memcmp" ? bound <= length + 1 : bound >= length) return null
  const effect = name === "memcmp" ? "bytes after the literal are read" : "the end of the literal is not compared"
  const message = `${quoted(tree, literal!)} has ${length} characters and the bound is ${bound}: ${effect}.`
  return nativeMatch(tree, call.node, { rule: "comparison_bound", message, noun: `\`${name}\`` })
}

/** `p = realloc(p, n)`. */
export const lostReallocation: CallCheck = (site) => {
  const { tree, fn, call, args } = site
  const target = assignedTo(site)
  if (target === NONE || args[0] === undefined) return null
  const name = tree.textOf(target).replace(/\s+/g, "")
  if (name !== tree.textOf(plain(tree, args[0])).replace(/\s+/g, "") || endsOnFailure(site, name)) return null
  if (fn.info.name === "main" || isKeptBefore(site, name)) return null
  const message = `When \`realloc\` fails it returns NULL and leaves the block as it is; \`${name}\`, the only pointer to it, is then lost.`
  return nativeMatch(tree, call.node, { rule: "lost_reallocation", message, noun: `\`${name}\`` })
}

/** `before = p; p = realloc(p, n)`: another variable still holds the block. */
const isKeptBefore = ({ tree, fn, call }: CallSite, name: string): boolean =>
  tree.within(fn.body, "init_declarator", "assignment_expression").some((node) => {
    const value = tree.child(node, tree.is(node, "init_declarator") ? "value" : "right")
    return node < call.node && !tree.contains(node, call.node) && tree.textOf(value).replace(/\s+/g, "") === name
  })

/** What the value of the call is assigned to; NONE where it is not. */
const assignedTo = ({ tree, call }: CallSite): number => {
  let at = call.node
  while (tree.is(tree.parent(at), "cast_expression", "parenthesized_expression")) at = tree.parent(at)
  const parent = tree.parent(at)
  return tree.is(parent, "assignment_expression") && tree.child(parent, "right") === at
    ? tree.child(parent, "left")
    : NONE
}

/** Whether the program ends where memory is exhausted, as is usual for tools: nothing is lost then. */
const endsOnFailure = ({ tree, fn, call, file }: CallSite, name: string): boolean => {
  const statement = tree.enclosing(call.node, "expression_statement", "if_statement", "while_statement", "declaration")
  const text = file.text.slice(tree.start(statement), tree.end(statement) + 400)
  const end = text.indexOf("}")
  return (
    fn.calls.some(({ node, method, args }) => {
      const offset = tree.start(node) - tree.start(statement)
      return offset > 0 && offset < (end < 0 ? text.length : end) && neverReturns(method, tree.textOf(args[0] ?? NONE))
    }) ||
    (/\b(?:\w*assertf?|REQUIRE|INSIST|ENSURE|RUNTIME_CHECK)\s*\(/.test(text.slice(0, end < 0 ? undefined : end)) &&
      text.includes(name))
  )
}

/** `malloc(strlen(s + 1))` and `malloc(strlen(s))` that is copied into. */
export const allocatedLength: CallCheck = (site) => {
  const { tree, fn, call, args } = site
  const size = plain(tree, args.at(-1) ?? NONE)
  if (!tree.is(size, "call_expression") || tree.textOf(tree.child(size, "function")) !== "strlen") return null
  const inner = tree.namedChildren(tree.child(size, "arguments"))[0] ?? NONE
  const text = tree.textOf(inner)
  if (
    tree.is(inner, "binary_expression") &&
    tree.textOf(tree.child(inner, "operator")) === "+" &&
    tree.textOf(tree.child(inner, "right")) === "1"
  ) {
    const message = `${quoted(tree, size)} is the length without the first character; \`+ 1\`, for the terminator, belongs behind the call.`
    return nativeMatch(tree, call.node, { rule: "no_room_for_terminator", message })
  }
  const statement = tree.enclosing(call.node, "declaration", "expression_statement")
  const copies = fn.calls.some(
    ({ method, args: [target, source], node }) =>
      node > call.node &&
      method === "strcpy" &&
      source !== undefined &&
      tree.textOf(source) === text &&
      new RegExp(`\\b${escapeRegExp(tree.textOf(target!))}\\s*=`).test(tree.textOf(statement).slice(0, 300))
  )
  if (!copies) return null
  const message = `${quoted(tree, size)} bytes are allocated, and \`strcpy\` writes one more: the terminator.`
  return nativeMatch(tree, call.node, { rule: "no_room_for_terminator", message })
}

/** `p = malloc(sizeof(p))`. */
export const allocatedPointerSize: CallCheck = (site) => {
  const { tree, fn, call, args } = site
  const size = args.at(-1)
  const operand = size === undefined ? NONE : sizeofOperand(tree, size)
  if (!tree.is(operand, "identifier")) return null
  const variable = variableAt(tree, fn, operand)
  if (variable === null || variable.pointers !== 1 || variable.isArray) return null
  const declarator = tree.enclosing(call.node, "init_declarator")
  const isInit = declarator !== NONE && tree.contains(tree.child(declarator, "declarator"), variable.node)
  const target = assignedTo(site)
  if (!isInit && (target === NONE || tree.textOf(target) !== variable.name)) return null
  const message = `${quoted(tree, size!)} is the size of the pointer \`${variable.name}\`, not of what it points to; \`sizeof(*${variable.name})\` is.`
  return nativeMatch(tree, call.node, { rule: "allocation_of_pointer_size", message, noun: `\`${variable.name}\`` })
}

/** malloc(a * b) with two factors that are not known here. */
export const multipliedSize: CallCheck = ({ file, tree, fn, call, name, args }) => {
  const size = plain(tree, args.at(-1) ?? NONE)
  if (!tree.is(size, "binary_expression") || tree.textOf(tree.child(size, "operator")) !== "*") return null
  const factors = [tree.child(size, "left"), tree.child(size, "right")].map((factor) => plain(tree, factor))
  const isOpen = factors.every((factor) => {
    const variable = variableAt(tree, fn, factor)
    return (variable?.isParameter === true || tree.is(factor, "field_expression")) && constantOf(file, factor) === null
  })
  const names = factors.map((factor) => tree.textOf(factor))
  if (!isOpen || isCompared(file.text.slice(tree.start(fn.body), tree.start(call.node)), names)) return null
  const message = `${quoted(tree, size)} may be more than fits, and \`${name}\` then allocates less than is written; no comparison bounds either factor.`
  return nativeMatch(tree, call.node, { rule: "allocation_overflow", message, noun: `\`${name}\`` })
}

const isCompared = (text: string, names: ReadonlyArray<string>): boolean =>
  names.some((name) => {
    const escaped = escapeRegExp(name)
    return new RegExp(`${escaped}\\s*(?:[<>]|[!=]=)|(?:[<>]=?|[!=]=)\\s*${escaped}|/\\s*${escaped}`).test(text)
  })

/** Input that becomes the size of an allocation without a comparison. */
export const allocationFromInput: CallCheck = ({ file, tree, fn, call, name, args }) => {
  const size = args.at(-1) ?? NONE
  if (size === NONE) return null
  for (const node of tree.within(size, "identifier")) {
    const variable = variableAt(tree, fn, node)
    if (variable === null || variable.isParameter || variable.pointers > 0) continue
    const source = fn.calls.find(
      ({ method, node: other }) =>
        other < call.node &&
        /^(?:atoi|atol|atoll|strtou?ll?|ntohl|be32toh|le32toh)$/.test(method) &&
        isGivenTo(tree, other, variable.name)
    )
    const between = file.text.slice(tree.start(source?.node ?? fn.body), tree.start(call.node))
    if (source === undefined || isCompared(between, [variable.name])) continue
    const message = `\`${variable.name}\` comes from \`${source.method}\` and becomes the size that \`${name}\` allocates; nothing compares it in between.`
    return nativeMatch(tree, call.node, { rule: "allocation_from_input", message, noun: `\`${variable.name}\`` })
  }
  return null
}

const isGivenTo = (tree: CallSite["tree"], node: number, name: string): boolean => {
  let at = node
  while (tree.is(tree.parent(at), "cast_expression", "parenthesized_expression")) at = tree.parent(at)
  const parent = tree.parent(at)
  if (tree.is(parent, "init_declarator")) return tree.textOf(tree.child(parent, "declarator")) === name
  return tree.is(parent, "assignment_expression") && tree.textOf(tree.child(parent, "left")) === name
}

/** The id of the owner of the program's file: setting it takes privileges back. */
const effectiveName = /^(?:(?:saved?|orig(?:inal)?|old|priv(?:ileged)?)_?)?(?:euid|egid|effective_[ug]id)$|^-1$/i

/** The ids are asked for behind the call, in a condition: that shows whether it failed. */
const isVerified = ({ tree, fn, call, name }: CallSite): boolean => {
  const kind = /[ug](?=id$)/.exec(name)?.[0]
  return fn.calls.some(({ node, method }) => {
    if (node < call.node || kind === undefined || !new RegExp(`^get(?:e|res)?${kind}id$`).test(method)) return false
    const branch = tree.enclosing(node, "if_statement", "while_statement")
    return branch > call.node && tree.contains(tree.child(branch, "condition"), node)
  })
}

/** Privileges that are not dropped when the call fails. */
export const privilegeDrop: CallCheck = (site) => {
  const { tree, call, name, args } = site
  const ids = args.map((arg) => tree.textOf(plain(tree, arg)))
  const isRaised = ids.includes("0") || ids.every((id) => effectiveName.test(id))
  if (!isDiscarded(tree, call.node) || isRaised || isVerified(site)) return null
  // The effective id is mostly switched for a moment.
  const confidence = /^sete/.test(name) ? 0.65 : 1
  const message = `The result of \`${name}\` is not checked: when the call fails, the program goes on with the privileges it had.`
  return nativeMatch(tree, call.node, { rule: "unchecked_privilege_drop", message, noun: `\`${name}\``, confidence })
}

export const chrootWithoutChdir: CallCheck = ({ file, tree, call }) => {
  if (/\bf?chdir\s*\(/.test(file.text)) return null
  const message =
    "Nothing in this file changes the working directory, so a relative path still leads out of the new root."
  return nativeMatch(tree, call.node, { rule: "chroot_without_chdir", message })
}

export const predictableName: CallCheck = ({ tree, fn, call, name, args }) => {
  // A name for a folder or a socket: its creation fails where something is there.
  const isCreated = fn.calls.some(
    ({ node, method }) => node > call.node && /^(?:mkdir|bind|mkfifo|symlink|link)$/.test(method)
  )
  if (fn.declared.has(name) || args.length > 2 || isCreated || /mk\w*temp/.test(fn.info.name ?? "")) return null
  const message = `\`${name}\` only makes a name; another process can create the file, or a link to another one, before it is opened.`
  return nativeMatch(tree, call.node, { rule: "predictable_temporary_name", message, noun: `\`${name}\`` })
}

export const ignoredInput: CallCheck = ({ tree, call, name }) => {
  if (!isDiscarded(tree, call.node)) return null
  const message = `The result of \`${name}\` is not checked: at the end of the input, or on an error, what was in the variables before is used.`
  return nativeMatch(tree, call.node, { rule: "unchecked_input", message, noun: `\`${name}\`` })
}

/** The use is in the branch of the check, or after one that leaves. */
const isGuardedBy = (tree: FlatTree, check: number, use: number): boolean => {
  const branch = tree.enclosing(check, "if_statement")
  if (branch === NONE || tree.contains(branch, use)) return true
  const taken = tree.textOf(tree.child(branch, "consequence")).slice(-400)
  return /\b(?:return|goto|break|continue|exit|_exit|abort|die|fatal)\b/.test(taken)
}

/** A check of a path, and a use of it by name that may meet another file. */
export const checkThenUse: CallCheck = ({ tree, fn, call, name, args }) => {
  const path = args[0] === undefined ? "" : tree.textOf(args[0])
  if (path === "" || tree.is(args[0]!, "string_literal")) return null
  const uses =
    name === "access" ? /^(?:open|fopen|freopen|chmod|chown|unlink|rename|execv|execl|creat)$/ : /^(?:chmod|chown)$/
  const later = fn.calls.filter(
    ({ node, args: [first] }) => node > call.node && first !== undefined && tree.textOf(first) === path
  )
  const use = later.find(({ method }) => uses.test(method))
  if (use === undefined || !isGuardedBy(tree, call.node, use.node)) return null
  // A later check of the same path is the one that the use relies on.
  if (later.some(({ node, method }) => node < use.node && /^(?:access|l?stat)$/.test(method))) return null
  const message = `Between \`${name}\` and \`${use.method}\`, \`${path.slice(0, 60)}\` may become another file or a link to one.`
  return nativeMatch(tree, call.node, { rule: "check_then_use", message, noun: `\`${name}\` and \`${use.method}\`` })
}

export const sharedTokenizer: CallCheck = ({ file, tree, call, args }) => {
  if (args.length !== 2 || !/\bpthread_create\s*\(|std::thread\b|\bthrd_create\s*\(/.test(file.text)) return null
  const message = "`strtok` keeps its position in one variable for all threads, and this file starts threads."
  return nativeMatch(tree, call.node, { rule: "shared_tokenizer", message })
}

export const allocationInLoop: CallCheck = ({ tree, fn, call }) => {
  const loop = tree.enclosing(call.node, "for_statement", "while_statement", "do_statement", "for_range_loop")
  if (loop === NONE || loop < fn.body || tree.enclosing(call.node, "lambda_expression") > loop) return null
  const message =
    "What `alloca` allocates is freed when the function returns, not at the end of the iteration, so the stack grows with each one."
  return nativeMatch(tree, call.node, { rule: "alloca_in_loop", message })
}

/** A length that may be more than was written. */
export const formattedLength: CallCheck = ({ tree, call, name, args }) => {
  const parent = tree.parent(call.node)
  if (!tree.is(parent, "assignment_expression") || tree.textOf(tree.child(parent, "operator")) !== "+=") return null
  const position = tree.textOf(tree.child(parent, "left"))
  const isUsed = args
    .slice(0, 2)
    .every((arg) => new RegExp(`(?:^|\\W)${escapeRegExp(position)}\\b`).test(tree.textOf(arg)))
  if (!isUsed) return null
  const message = `\`${name}\` returns the length it would have written; when that is more than fits, \`${position}\` moves past the end and the size of the next call wraps around.`
  return nativeMatch(tree, call.node, { rule: "formatted_length", message, noun: `\`${position}\`` })
}

/** Which argument is the format. */
const formatArgument: Readonly<Record<string, number>> = {
  printf: 0,
  fprintf: 1,
  dprintf: 1,
  sprintf: 1,
  snprintf: 2,
  syslog: 1,
  warnx: 0,
  warn: 0,
  errx: 1,
  err: 1
}

/** Names of texts that are meant as formats. */
const formatName = /(?:^|_)(?:fmt|format|pattern|template|usage|help|banner)\d*$|fmt$|format$/i

/** printf(text): conversions in the text are carried out. */
export const formatString: CallCheck = ({ tree, fn, call, name, args }) => {
  const index = formatArgument[name] ?? 0
  const format = args[index]
  if (format === undefined || args.length !== index + 1) return null
  // `err("no file %s", name)` is the program's own for its messages: its first argument is the format.
  if (index > 0 && tree.is(plain(tree, args[0]!), "string_literal", "concatenated_string")) return null
  const at = plain(tree, format)
  const variable = variableAt(tree, fn, at)
  if (variable === null ? !isOutside(tree, fn, at) : !isOpenText(tree, fn, variable)) return null
  const message = `${quoted(tree, at)} is the format of \`${name}\`: a \`%s\` or \`%n\` in it reads and writes memory. Pass it as an argument of \`"%s"\`.`
  const confidence = variable === null || (variable.isArray && !variable.isParameter) ? 0.9 : 0.75
  return nativeMatch(tree, call.node, { rule: "format_string", message, noun: `\`${name}\``, confidence })
}

const isOutside = (tree: CallSite["tree"], fn: CallSite["fn"], node: number): boolean =>
  (/^argv\s*\[/.test(tree.textOf(node)) && fn.declared.has("argv")) ||
  (tree.is(node, "call_expression") && /^(?:secure_)?getenv$/.test(tree.textOf(tree.child(node, "function"))))

const isOpenText = (tree: CallSite["tree"], fn: CallSite["fn"], variable: Declared): boolean => {
  const { type, pointers, isArray, isStatic, isParameter, name } = variable
  const isText = /\bchar$/.test(type) && (pointers === 1) !== (isArray && pointers === 0)
  return isText && !isStatic && !formatName.test(name) && isMadeOfInput(tree, fn, name, isParameter)
}

/** Whether a text may be other than literals of this function. */
const isMadeOfInput = (tree: CallSite["tree"], fn: CallSite["fn"], name: string, isParameter: boolean): boolean => {
  if (isParameter) return true
  const values = [...tree.within(fn.body, "assignment_expression", "init_declarator")].flatMap((node) => {
    const isInit = tree.is(node, "init_declarator")
    const target = tree.textOf(tree.child(node, isInit ? "declarator" : "left")).replace(/^[*\s]+|\[.*$/g, "")
    return target === name ? [plain(tree, tree.child(node, isInit ? "value" : "right"))] : []
  })
  const isLiteral = (value: number): boolean =>
    tree.is(
      value,
      "string_literal",
      "concatenated_string",
      "null",
      "conditional_expression",
      "number_literal",
      "initializer_list"
    ) || /^(?:_|gettext|dgettext|N_|Q_|ngettext)\s*\(/.test(tree.textOf(value))
  const isFilled = fn.calls.some(
    ({ method, args }) =>
      /^(?:fgets|gets|read|recv|recvfrom|fread|scanf|fscanf|sscanf|strcpy|strncpy|strlcpy|strcat|strncat|memcpy|sprintf|snprintf|getline)$/.test(
        method
      ) && args.some((arg) => tree.textOf(plain(tree, arg)).replace(/^&/, "") === name)
  )
  return isFilled || values.some((value) => !isLiteral(value))
}
