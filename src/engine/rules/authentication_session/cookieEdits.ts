import type { SourceFile } from "../../core/files/SourceFile.ts"
import { declined, type Edit, type FixSite, type Proposal } from "../../core/fix/Fixer.ts"
import { optionsOf } from "../../languages/code/options.ts"
import { entryNamed, itemAddition, replacement } from "../../languages/edits/arguments.ts"
import { insertAt, matchedCall } from "../../languages/edits/atMatch.ts"
import { indentationAt, quoteOf } from "../../languages/edits/style.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"

/** Flags in the spelling of JavaScript, in the order in which they are written. */
export type CookieFlag = "httpOnly" | "secure"

const found = (edits: ReadonlyArray<Edit | null>, summary: string): Proposal => {
  const made = edits.flatMap((edit) => edit ?? [])
  return made.length === 0 ? declined("The flag comes from somewhere else.") : { edits: made, summary }
}

export const summaryOf = (flags: ReadonlyArray<CookieFlag>): string =>
  flags.includes("httpOnly") ? "Hide the session cookie from scripts" : "Send the session cookie over TLS only"

const isOff = (text: string): boolean => /^(?:false|False|0|["']0["'])$/.test(text)

/** Entries of a literal: a flag that is off is switched on, and one that is missing is added. */
const inLiteral = (
  file: SourceFile,
  literal: number,
  entries: ReadonlyArray<readonly [name: string, on: string, entry: string]>
): ReadonlyArray<Edit> => {
  const tree = file.tree!
  const missing: Array<string> = []
  const edits = entries.flatMap(([name, on, entry]): ReadonlyArray<Edit> => {
    const known = entryNamed(tree, literal, name)
    if (known === NONE) {
      missing.push(entry)
      return []
    }
    const value = tree.namedChildren(known).at(-1)!
    return isOff(tree.textOf(value)) ? [replacement(tree, value, on)] : []
  })
  const isEmpty = tree.namedChildren(literal).length === 0
  const added = isEmpty && missing.length > 0 ? [missing.join(", ")] : missing
  return [...edits, ...added.map((entry) => itemAddition(file, literal, entry))]
}

/** A literal that several cookies share may be for one that scripts have to read. */
const isShared = (file: SourceFile, given: number): boolean => {
  const tree = file.tree!
  if (!tree.is(given, "identifier", "variable_name")) return false
  const name = tree.textOf(given)
  return calls(file).filter(({ args }) => args.some((node) => tree.textOf(node) === name)).length > 1
}

const inScript = ({ file, match }: FixSite, flags: ReadonlyArray<CookieFlag>): Proposal => {
  const tree = file.tree!
  const call = matchedCall(file, match)
  if (call === undefined) return declined("The call is not found.")
  const list = tree.child(call.node, "arguments")
  const isCookie = /^(?:cookie|setCookie)$/.test(call.method)
  const entries = flags.map((flag) => [flag, "true", `${flag}: true`] as const)
  if (!isCookie) return ofMiddleware(file, call, flags)
  const given = call.args[2]
  if (given === undefined) {
    return found([itemAddition(file, list, `{ ${entries.map(([, , entry]) => entry).join(", ")} }`)], summaryOf(flags))
  }
  const options = optionsOf(file, given)
  if (options === null) return declined("The options of the cookie are set elsewhere.")
  if (isShared(file, given)) return declined("Several cookies share these options.")
  return found(inLiteral(file, options.node, entries), summaryOf(flags))
}

/** Behind a proxy the middleware sets no cookie that is for TLS only; "auto" follows the connection. */
const ofMiddleware = (file: SourceFile, call: Call, flags: ReadonlyArray<CookieFlag>): Proposal => {
  const tree = file.tree!
  const options = optionsOf(file, call.args[0])
  const isSession = !call.callee.includes("ookie")
  const literal = isSession ? optionsOf(file, options?.entries.get("cookie"))?.node : options?.node
  if (literal === undefined) return declined("The options of the cookie are set elsewhere.")
  if (!isSession && flags.includes("secure") && !flags.includes("httpOnly")) {
    return declined("Whether the proxy in front of the program says that it speaks TLS is not known.")
  }
  const quote = quoteOf(file)
  const values: Readonly<Record<CookieFlag, string>> = { httpOnly: "true", secure: `${quote}auto${quote}` }
  const known = flags.filter((flag) => entryNamed(tree, literal, flag) !== NONE && (isSession || flag === "httpOnly"))
  return found(
    inLiteral(
      file,
      literal,
      known.map((flag) => [flag, values[flag], ""] as const)
    ),
    summaryOf(flags)
  )
}

const inPython = ({ file, match }: FixSite, flags: ReadonlyArray<CookieFlag>): Proposal => {
  const tree = file.tree!
  const setting = assignments(file).find(
    ({ node, value }) => value !== NONE && tree.start(node) === match.start && tree.end(node) === match.end
  )
  if (setting !== undefined && isOff(tree.textOf(setting.value))) {
    return found([replacement(tree, setting.value, "True")], summaryOf(flags))
  }
  const call = matchedCall(file, match)
  const list = call === undefined ? NONE : tree.child(call.node, "arguments")
  if (call === undefined || list === NONE) return declined("The call is not found.")
  if (literalValue(file, call.args[1] ?? call.named.get("value") ?? NONE) !== null) {
    return declined("The value is a constant, which a script of the page may wait for.")
  }
  const entries = flags.map((flag) => [flag.toLowerCase(), "True", `${flag.toLowerCase()}=True`] as const)
  return found(inLiteral(file, list, entries), summaryOf(flags))
}

/** Keys of a composite literal over several lines are followed by as many spaces as gofmt writes. */
const inGo = ({ file, match }: FixSite, flags: ReadonlyArray<CookieFlag>): Proposal => {
  const tree = file.tree!
  const call = matchedCall(file, match)
  if (call?.method === "SetCookie" && call.args.length === 7 && tree.end(call.node) === match.end) {
    const at: Readonly<Record<CookieFlag, number>> = { secure: 5, httpOnly: 6 }
    return found(
      flags.map((flag) => {
        const value = call.args[at[flag]]!
        return tree.textOf(value) === "false" ? replacement(tree, value, "true") : null
      }),
      summaryOf(flags)
    )
  }
  const literal = tree.of("composite_literal").find((node) => tree.start(node) === match.start)
  const body = literal === undefined ? NONE : tree.child(literal, "body")
  if (body === NONE) return declined("The literal is not found.")
  const names: Readonly<Record<CookieFlag, string>> = { httpOnly: "HttpOnly", secure: "Secure" }
  const [first] = tree.namedChildren(body)
  const isTall = first !== undefined && file.line(tree.start(first)) !== file.line(tree.start(body))
  const width = Math.max(0, ...tree.namedChildren(body).map((node) => keyWidth(tree, node)))
  const separator = isTall ? `,\n${indentationAt(file, tree.start(first))}` : ", "
  const missing = flags.filter((flag) => entryNamed(tree, body, names[flag]) === NONE)
  const written = missing.map((flag) => `${`${names[flag]}:`.padEnd(isTall ? width : 0)} true`).join(separator)
  const switched = flags.flatMap((flag) => {
    const entry = entryNamed(tree, body, names[flag])
    const value = tree.namedChildren(entry).at(-1) ?? NONE
    return tree.textOf(value) === "false" ? [replacement(tree, value, "true")] : []
  })
  return found([...switched, missing.length === 0 ? null : itemAddition(file, body, written)], summaryOf(flags))
}

const keyWidth = (tree: FlatTree, entry: number): number => /^[^:]*:/.exec(tree.textOf(entry))?.[0].length ?? 0

const inPhp = ({ file, match }: FixSite, flags: ReadonlyArray<CookieFlag>): Proposal => {
  const tree = file.tree!
  const call = matchedCall(file, match)
  if (call === undefined) return declined("The call is not found.")
  if (call.callee === "ini_set") {
    const value = call.args[1] ?? NONE
    const quoted = /^(["'])/.exec(tree.textOf(value))?.[1] ?? ""
    return found([value === NONE ? null : replacement(tree, value, `${quoted}1${quoted}`)], summaryOf(flags))
  }
  const options = call.args[2] === undefined ? null : optionsOf(file, call.args[2])
  if (options !== null) {
    const entries = flags.map((flag) => [flag.toLowerCase(), "true", `'${flag.toLowerCase()}' => true`] as const)
    return isShared(file, call.args[2]!)
      ? declined("Several cookies share these options.")
      : found(inLiteral(file, options.node, entries), summaryOf(flags))
  }
  return found(positional(file, call, flags), summaryOf(flags))
}

/** Defaults of `setcookie`, up to the flags. */
const defaults = ["''", "''", "0", "''", "''", "false", "false"]

const positional = (file: SourceFile, { node, args }: Call, flags: ReadonlyArray<CookieFlag>): ReadonlyArray<Edit> => {
  const tree = file.tree!
  const list = tree.child(node, "arguments")
  const written = defaults.map((value, i) =>
    (i === 5 && flags.includes("secure")) || (i === 6 && flags.includes("httpOnly")) ? "true" : value
  )
  const last = flags.includes("httpOnly") ? 7 : 6
  const switched = [5, 6].flatMap((i) => {
    const value = args[i]
    return value !== undefined && written[i] === "true" && isOff(tree.textOf(value))
      ? [replacement(tree, value, "true")]
      : []
  })
  const added = written.slice(args.length, Math.max(last, args.length))
  return added.length === 0 ? switched : [...switched, itemAddition(file, list, added.join(", "))]
}

const inJava = ({ file, match }: FixSite, flags: ReadonlyArray<CookieFlag>): Proposal => {
  const tree = file.tree!
  const call = matchedCall(file, match)
  if (call === undefined) return declined("The call is not found.")
  if (call.callee === "ResponseCookie.from") {
    return found([insertAt(tree.end(call.node), flags.map((flag) => `.${flag}(true)`).join(""))], summaryOf(flags))
  }
  const statement = tree.enclosing(call.node, "local_variable_declaration")
  const name = tree.textOf(tree.child(tree.childOfKind(statement, "variable_declarator"), "name"))
  if (name === "" || tree.child(tree.childOfKind(statement, "variable_declarator"), "value") !== call.node) {
    return declined("The cookie has no name to set its flags by.")
  }
  const methods: Readonly<Record<CookieFlag, string>> = { httpOnly: "setHttpOnly", secure: "setSecure" }
  const known = calls(file).filter(({ receiver, node }) => receiver === name && node > call.node)
  const switched = flags.flatMap((flag) => known.filter(({ method }) => method === methods[flag]))
  const missing = flags.filter((flag) => !switched.some(({ method }) => method === methods[flag]))
  const indent = indentationAt(file, tree.start(statement))
  return found(
    [
      ...switched.map(({ args }) => (args[0] === undefined ? null : replacement(tree, args[0], "true"))),
      missing.length === 0
        ? null
        : insertAt(tree.end(statement), missing.map((flag) => `\n${indent}${name}.${methods[flag]}(true);`).join(""))
    ],
    summaryOf(flags)
  )
}

const inRuby = ({ file, match }: FixSite, flags: ReadonlyArray<CookieFlag>): Proposal => {
  const tree = file.tree!
  const setting = assignments(file).find(
    ({ node, value }) => value !== NONE && tree.start(node) === match.start && tree.end(node) === match.end
  )
  if (setting === undefined) return declined("The assignment is not found.")
  const options = optionsOf(file, setting.value)
  if (options === null) {
    return found(
      [replacement(tree, setting.value, `{ value: ${tree.textOf(setting.value)}, httponly: true }`)],
      summaryOf(flags)
    )
  }
  return found(inLiteral(file, options.node, [["httponly", "true", "httponly: true"]]), summaryOf(flags))
}

/** Sets flags of the cookie at a match. */
export const withCookieFlags = (site: FixSite, flags: ReadonlyArray<CookieFlag>): Proposal => {
  switch (site.file.language) {
    case "python":
      return inPython(site, flags)
    case "go":
      return inGo(site, flags)
    case "php":
      return inPhp(site, flags)
    case "java":
      return inJava(site, flags)
    case "ruby":
      return inRuby(site, flags)
    default:
      return inScript(site, flags)
  }
}
