export interface RemoteScript {
  readonly start: number
  readonly end: number
  /** Null when the address is in a variable. */
  readonly url: string | null
  readonly shell: string
}

const MAX_PIPELINE = 1_200
/** A pipe into an interpreter, and what is given to it. */
const interpreter =
  /\|&?\s*(?:\\\n\s*)?(?:sudo\s+(?:-\S{1,40}\s+){0,4}(?:\w{1,40}=\S{1,80}\s+){0,4})?(?:env\s+(?:\w{1,40}=\S{1,80}\s+){0,4})?(?:\/(?:usr\/)?bin\/)?(bash|sh|zsh|dash|ash|python[\d.]{0,6}|perl|ruby|node|php)\b(?![\w./-])([^\n]{0,80})/y
const download = /\b(?:curl|wget)\b/
const downloads = /\b(?:curl|wget)\b/g
const address = /https?:\/\/[^\s"'`|;)]+/
/** An address of a commit always answers the same. */
const pinned = /^https:\/\/[^?#]*\/[0-9a-f]{40}(?:[/?#]|$)/
const substituted = /(?:\b(bash|sh|zsh)\s+-c\s+["']?\$\(|\b(bash|sh|zsh|source|\.)\s+<\(|\beval\s+["']?\$\()\s*$/

const isComment = (before: string): boolean => /(?:^|\s)#|\becho\s/.test(before)

/** Where the command before a pipe begins: after the last separator that is not in a continued line. */
const commandStart = (text: string, pipe: number): number => {
  const floor = Math.max(0, pipe - MAX_PIPELINE)
  for (let at = pipe - 1; at >= floor; at--) {
    const c = text[at]
    const isEnd = c === "|" || c === ";" || (c === "\n" && text[at - 1] !== "\\") || (c === "&" && text[at - 1] === "&")
    if (isEnd) return at + 1
  }
  return floor
}

const piped = (text: string): RemoteScript | null => {
  for (let pipe = text.indexOf("|"); pipe >= 0; pipe = text.indexOf("|", pipe + 1)) {
    interpreter.lastIndex = pipe
    const match = interpreter.exec(text)
    if (match === null || !runsItsInput(match[1]!, match[2]!)) continue
    const from = commandStart(text, pipe)
    const command = text.slice(from, pipe)
    const call = download.exec(command)
    if (call === null || isComment(command.slice(0, call.index))) continue
    const url = address.exec(command)?.[0] ?? null
    if (url !== null && pinned.test(url)) continue
    return { start: from + call.index, end: pipe + match[0].length - match[2]!.length, url, shell: match[1]! }
  }
  return null
}

const inserted = (text: string): RemoteScript | null => {
  downloads.lastIndex = 0
  for (let match = downloads.exec(text); match !== null; match = downloads.exec(text)) {
    const at = match.index
    const before = text.slice(Math.max(0, at - 60), at)
    const opened = substituted.exec(before)
    if (opened === null || isComment(before.slice(before.lastIndexOf("\n") + 1, opened.index))) continue
    const rest = text.slice(at, at + MAX_PIPELINE)
    const stop = rest.search(/[)\n]/)
    const call = stop < 0 ? rest : rest.slice(0, stop)
    const shell = opened[1] ?? opened[2] ?? "eval"
    const url = address.exec(call)?.[0] ?? null
    if (url !== null && pinned.test(url)) continue
    return { start: at - opened[0].length, end: at + call.length, url, shell }
  }
  return null
}

/**
 * A download that goes straight into an interpreter: `curl … | sh`, `bash <(curl …)`, `sh -c "$(curl …)"`. Not one of a commit,
 * which cannot change after someone read it.
 */
export const remoteScriptIn = (text: string): RemoteScript | null =>
  download.test(text) ? (piped(text) ?? inserted(text)) : null

/** `| python -m json.tool` and `| node -e …` read data; `| sh -s -- -y` and `| bash` read their program. */
const runsItsInput = (shell: string, rest: string): boolean =>
  /^(?:bash|sh|zsh|dash|ash)$/.test(shell) ? !/^\s+-c\b/.test(rest) : /^\s*(?:$|[|&;)"']|-(?:\s|$))/.test(rest)
