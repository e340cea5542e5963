/** Stands for what a template fills in; no name, path or image of a manifest has it. */
const FILLED = "\uE000"

export const isFilled = (text: string): boolean => text.includes(FILLED)

/** A Kubernetes manifest that Helm fills in, not a template of another tool. */
export const isHelmTemplate = (text: string): boolean =>
  /\{\{[^}\n]{0,200}[.$](?:Values|Release|Chart)\b/.test(text) && !/\{%/.test(text)

const action = /\{\{-?\s*(?:(\/\*)|(if|with|range|define|block|else|end)\b)?/g
const kindLine = /^kind:/gm

interface Action {
  readonly start: number
  readonly end: number
  readonly keyword: string
}

const actionsOf = (text: string): ReadonlyArray<Action> => {
  const found: Array<Action> = []
  action.lastIndex = 0
  for (let match = action.exec(text); match !== null; match = action.exec(text)) {
    const close = text.indexOf("}}", match.index)
    if (close < 0) break
    found.push({ start: match.index, end: close + 2, keyword: match[2] ?? "" })
    action.lastIndex = close + 2
  }
  return found
}

type Span = readonly [start: number, end: number]

/** A condition that begins after the last line that begins a manifest. */
const isInside = ({ keyword, start }: Action, lastKind: number): boolean =>
  /^(?:if|with)$/.test(keyword) && lastKind < start

/** Bodies of conditions inside a manifest. One around whole manifests only says whether the chart has them at all. */
const conditionalSpans = (text: string, actions: ReadonlyArray<Action>): ReadonlyArray<Span> => {
  const kinds = [...text.matchAll(kindLine)].map(({ index }) => index)
  const open: Array<Action> = []
  const spans: Array<Span> = []
  let seen = 0
  for (const one of actions) {
    while (seen < kinds.length && kinds[seen]! < one.start) seen++
    if (one.keyword !== "end") {
      if (one.keyword !== "" && one.keyword !== "else") open.push(one)
      continue
    }
    const begin = open.pop()
    if (begin !== undefined && isInside(begin, kinds[seen - 1] ?? -1)) spans.push([begin.start, one.end])
  }
  return spans.sort(([a], [b]) => a - b)
}

/** Characters of a line that say whether an action has it for itself. */
const NEAR = 200

const blank = (text: string): string => text.replace(/[^\n]/g, " ")

/** What replaces an action: nothing where it has its lines for itself, else a stand-in for its value. */
const standIn = (text: string, { start, end, keyword }: Action): string => {
  const written = text.slice(start, end)
  const before = text.slice(Math.max(0, start - NEAR), start)
  const after = text
    .slice(end, end + NEAR)
    .split("\n", 1)[0]!
    .trimStart()
  const hasLine = before.slice(before.lastIndexOf("\n") + 1).trim() === "" && (after === "" || after.startsWith("{{"))
  const isAlone = hasLine || written.includes("\n")
  return isAlone || keyword !== "" ? blank(written) : FILLED.repeat(written.length)
}

/**
 * What a Helm template says whatever the values are, as YAML of the same length: what a condition decides is left out,
 * and what values fill in is a stand-in.
 */
export const withoutActions = (text: string): string => {
  const actions = actionsOf(text)
  const conditional = conditionalSpans(text, actions)
  const parts: Array<string> = []
  let at = 0
  let nextSpan = 0
  for (const one of actions) {
    if (one.start < at) continue
    while (nextSpan < conditional.length && conditional[nextSpan]![0] < one.start) nextSpan++
    const span = conditional[nextSpan]
    parts.push(text.slice(at, one.start))
    if (span !== undefined && span[0] === one.start) {
      parts.push(blank(text.slice(span[0], span[1])))
      at = span[1]
    } else {
      parts.push(standIn(text, one))
      at = one.end
    }
  }
  return parts.join("") + text.slice(at)
}
