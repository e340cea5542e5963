import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, EmitAt, FileSummary, Match } from "../../core/tool/AuditTool.ts"
import { qualifiedName, qualifiedText } from "../../languages/code/qualifiedName.ts"
import { assignments, type Call, calls, enclosingFunction, importedNames } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const verbs = "get|post|put|patch|delete|head|options|request"
const direct = new RegExp(`^requests(?:\\.api)?\\.(?:${verbs})$`)
const ofSession = new RegExp(`^(?:${verbs})$`)

/** Names that hold a session of `requests` in this file, and nothing else. */
const computeSessions = (file: SourceFile): ReadonlySet<string> => {
  const found = new Set<string>()
  const others = new Set<string>()
  const tree = file.tree!
  for (const { target, value } of assignments(file)) {
    if (value === NONE) continue
    const isSession = /^requests\.(?:sessions\.)?(?:Session|session)\(\)$/.test(
      qualifiedText(file, tree.textOf(value).slice(0, 40))
    )
    ;(isSession ? found : others).add(target)
  }
  for (const name of others) found.delete(name)
  return found
}

const hasSpread = (tree: FlatTree, { args }: Call): boolean =>
  args.some((argument) => tree.is(argument, "dictionary_splat", "list_splat"))

/** A name that the file imports; a variable or a parameter `requests` may be anything, with time-outs of its own. */
const isImported = (file: SourceFile, { callee }: Call): boolean =>
  importedNames(file).has(/^\w+/.exec(callee)?.[0] ?? "")

const isDataReader = (file: SourceFile, { node }: Call): boolean =>
  /data_?ur[il]/i.test(enclosingFunction(file, node)?.name ?? "")

/** Programs that developers run to write a table of the sources again. */
const writesSources =
  /(?:^|\/)(?:tools?|scripts?|maint|devtools?|hack|ci)\/(?:.*\/)?(?:gen(?:erate)?|update|import|make|fetch)[-_]\w+\.py$/

/** Takes what waits for ever, and whether the default of sockets counts for it: `requests` sets its own. */
type Waiting = (match: Match<RuleId>, obeysDefault: boolean) => void

const inspectPythonCall = (
  file: SourceFile,
  tree: FlatTree,
  call: Call,
  sessions: ReadonlySet<string>,
  report: Waiting
): void => {
  if (call.named.has("timeout") || hasSpread(tree, call)) return
  const name = qualifiedName(file, call)
  // `import urllib.request` binds `urllib`.
  // A `data:` URL holds its own content.
  const isInline =
    /^[bru]*["'](?:data|file):|^data_ur[il]$/i.test(tree.textOf(call.args[0] ?? NONE)) || isDataReader(file, call)
  const isUrlopen = !isInline && /^urllib\.request(?:\.request)?\.urlopen$/.test(name) && call.args.length < 3
  const isSession = call.receiver !== null && sessions.has(call.receiver) && ofSession.test(call.method)
  const isDirect = direct.test(name) && isImported(file, call)
  if ((!isUrlopen && !isSession && !isDirect) || isOnPurpose(file, call.node)) return
  const message = `${excerpt(tree, call.node)} has no timeout and may wait for ever.`
  report({ rule: "request_without_timeout", ...span(tree, call.node), message }, isUrlopen)
}

/** What a file says of the time that sockets wait by default. */
export interface SocketDefault {
  /** It sets the time, for the whole program. */
  readonly isSet: boolean
  /** What waits for ever unless some file sets it. */
  readonly waiting: ReadonlyArray<Match<RuleId>>
}

const topFolder = (path: string): string => /^[^/]+\//.exec(path)?.[0] ?? ""

/** Requests that wait as long as sockets do, unless a program of the same top folder says how long that is. */
export const reportWaiting = (summaries: ReadonlyArray<FileSummary<SocketDefault>>, emit: EmitAt<RuleId>): void => {
  const set = new Set(summaries.filter(({ facts }) => facts.isSet).map(({ path }) => topFolder(path)))
  for (const { path, facts } of summaries) {
    if (set.has("") || set.has(topFolder(path))) continue
    for (const match of facts.waiting) emit(path, match)
  }
}

export const inspectPythonRequests = (file: SourceFile, emit: Emit<RuleId>): SocketDefault | undefined => {
  const isSet = /\bsetdefaulttimeout\((?!\s*None\b)/.test(file.text)
  const waiting: Array<Match<RuleId>> = []
  if (/\brequests\b|\burlopen\b/.test(file.text) && !writesSources.test(file.path)) {
    inspectPythonCalls(file, (match, obeysDefault) => {
      if (obeysDefault) waiting.push(match)
      else emit(match)
    })
  }
  return isSet || waiting.length > 0 ? { isSet, waiting } : undefined
}

const inspectPythonCalls = (file: SourceFile, report: Waiting): void => {
  const tree = file.tree
  if (tree === null) return
  // Adapters and partial calls that add a time-out to each request.
  const hasDefaults = /Timeout\w*Adapter|partial\([^()]*\btimeout\s*=/.test(file.text)
  const sessions = hasDefaults ? new Set<string>() : computeSessions(file)
  for (const call of calls(file)) inspectPythonCall(file, tree, call, sessions, report)
}

const purpose =
  /(?:\/\/|#).*(?:\b(?:no|without (?:a|any)) time-?out|never times? out|long[- ](?:lived|running|poll)|wait(?:s|ing)? (?:for ever|forever|indefinitely))/i

/** A comment beside the call or right above it says that it waits as long as it takes. */
const isOnPurpose = (file: SourceFile, node: number): boolean => {
  const line = file.line(file.tree!.start(node))
  return [line - 2, line - 1, line].some((at) => at > 0 && purpose.test(file.lineText(at)))
}

const inspectGoClients = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const { text } = file
  // A deadline may come with the context of each request, or be set later.
  if (/NewRequestWithContext|\.WithContext\(|\.Timeout\s*=/.test(text)) return
  for (const node of tree.of("composite_literal")) {
    if (tree.textOf(tree.child(node, "type")) !== "http.Client") continue
    const body = tree.textOf(tree.child(node, "body"))
    if (/\bTimeout\s*:|\bTransport\s*:/.test(body) || isOnPurpose(file, node)) continue
    const message = `${excerpt(tree, node)} has no \`Timeout\`: its requests may wait for ever.`
    emit({ rule: "request_without_timeout", ...span(tree, node), message })
  }
}

const inspectGoServers = (tree: FlatTree, text: string, emit: Emit<RuleId>): void => {
  if (/\.Read(?:Header)?Timeout\s*=/.test(text)) return
  for (const node of tree.of("composite_literal")) {
    if (tree.textOf(tree.child(node, "type")) !== "http.Server") continue
    const body = tree.textOf(tree.child(node, "body"))
    if (/\bRead(?:Header)?Timeout\s*:/.test(body) || !/\b(?:Addr|Handler)\s*:/.test(body)) continue
    const message = `${excerpt(tree, node)} sets neither \`ReadHeaderTimeout\` nor \`ReadTimeout\`.`
    emit({ rule: "server_without_timeouts", ...span(tree, node), message })
  }
}

/** The profiles of the program, and what listens to the machine's own programs: those who reach it may do more than keep a connection. */
const isForOwnUse = (file: SourceFile, tree: FlatTree, address: number | undefined): boolean => {
  if (address === undefined) return false
  return (
    /pprof|prof(?:ile|iling)|^"(?:localhost|127\.0\.0\.1):/i.test(tree.textOf(address)) ||
    /pprof/i.test(file.symbolAt(tree.start(address)) ?? "")
  )
}

/** A program beside a package that its developers run once in a while, with the terminal before them. */
const runByHand = /^\/\/(?:go:build| \+build) ignore\b/m
const HEAD = 2_000

export const inspectGoHttp = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!file.text.includes('"net/http"') || runByHand.test(file.text.slice(0, HEAD))) return
  const tree = file.tree
  if (tree === null) return
  if (file.text.includes("http.Client{")) inspectGoClients(file, tree, emit)
  if (file.text.includes("http.Server{")) inspectGoServers(tree, file.text, emit)
  if (!/http\.(?:Get|Post|PostForm|Head|ListenAndServe)\(/.test(file.text)) return
  for (const { node, callee, args } of calls(file)) {
    if (/^http\.(?:Get|Post|PostForm|Head)$/.test(callee)) {
      const message = `\`${callee}\` uses the default client, which has no timeout.`
      emit({ rule: "request_without_timeout", ...span(tree, node), message })
    } else if (/^http\.ListenAndServe(?:TLS)?$/.test(callee) && !isForOwnUse(file, tree, args[0])) {
      const message = `\`${callee}\` starts a server without any timeout.`
      emit({ rule: "server_without_timeouts", ...span(tree, node), message })
    }
  }
}
