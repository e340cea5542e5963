export interface RemoteScript {
  readonly start: number
  readonly end: number
  /** Null when the address is in a variable. */
  readonly url: string | null
  readonly shell: string
}

const download = /\b(?:curl|wget)\b/g
const pipe =
  /^[^\n|;&]{0,400}?(?:\\\n[^\n|;&]{0,400}?){0,6}\|&?\s*(?:\\\n\s*)?(?:sudo\s+(?:-\S+\s+){0,4}(?:\w+=\S+\s+){0,4})?(?:env\s+(?:\w+=\S+\s+){0,4})?(?:\/(?:usr\/)?bin\/)?(bash|sh|zsh|dash|ash|python[\d.]*|perl|ruby|node|php)\b(?![\w./-])([^\n]{0,80})/
const address = /https?:\/\/[^\s"'`|;)]+/
const substituted = /(?:\b(bash|sh|zsh)\s+-c\s+["']?\$\(|\b(bash|sh|zsh|source|\.)\s+<\(|\beval\s+["']?\$\()\s*$/

/** A download that goes straight into an interpreter: `curl … | sh`, `bash <(curl …)`, `sh -c "$(curl …)"`. */
export const remoteScriptIn = (text: string): RemoteScript | null => {
  download.lastIndex = 0
  for (let match = download.exec(text); match !== null; match = download.exec(text)) {
    const at = match.index
    const lineStart = text.lastIndexOf("\n", at - 1) + 1
    const before = text.slice(Math.max(lineStart, at - 200), at)
    if (/(?:^|\s)#|\becho\s/.test(before)) continue
    const rest = text.slice(at, at + 3_000)
    const piped = pipe.exec(rest)
    if (piped !== null && runsItsInput(piped[1]!, piped[2]!)) {
      const url = address.exec(piped[0])?.[0] ?? null
      return { start: at, end: at + piped[0].length - piped[2]!.length, url, shell: piped[1]! }
    }
    const opened = substituted.exec(before)
    if (opened !== null) {
      const line = rest.slice(0, Math.max(0, rest.indexOf("\n")) || undefined)
      const close = line.indexOf(")")
      const call = close < 0 ? line : line.slice(0, close)
      const shell = opened[1] ?? opened[2] ?? "eval"
      return { start: at - opened[0].length, end: at + call.length, url: address.exec(call)?.[0] ?? null, shell }
    }
  }
  return null
}

/** `| python -m json.tool` and `| node -e …` read data; `| sh -s -- -y` and `| bash` read their program. */
const runsItsInput = (shell: string, rest: string): boolean =>
  /^(?:bash|sh|zsh|dash|ash)$/.test(shell) ? !/^\s+-c\b/.test(rest) : /^\s*(?:$|[|&;)"']|-(?:\s|$))/.test(rest)
