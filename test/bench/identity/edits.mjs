/**
 * Edits as people make them. Each takes the sources, a die and what was found last (for edits that aim at a finding), and
 * says with `false` that it had nothing to do.
 */
const insertLines = (sources, die) => {
  const path = die.pick(sources.codePaths())
  const at = die.below(sources.lines(path).length)
  const added = Array.from({ length: 1 + die.below(6) }, (_, i) =>
    sources.comment(path, `Note ${die.below(1e6)} ${i}.`)
  )
  const indent = /^\s*/.exec(sources.lines(path)[at].text)[0]
  for (const line of added) line.text = indent + line.text
  sources.insert(path, at, ...added)
}

const deleteLines = (sources, die, found) => {
  const path = die.pick(sources.codePaths())
  const lines = sources.lines(path)
  const flagged = new Set(found.flatMap(({ lines }) => [...lines]))
  const functions = sources
    .functions(path)
    .filter(([from, to]) => !lines.slice(from, to).some(({ id }) => flagged.has(id)))
  if (functions.length === 0) return false
  const [from, to] = die.pick(functions)
  lines.splice(from, to - from)
}

const reindent = (sources, die) => {
  const path = die.pick(sources.codePaths())
  for (const line of sources.lines(path)) line.text = line.text.replace(/^(?: {2})+|^\t+/, (indent) => indent + indent)
}

const breakLines = (sources, die) => {
  const path = die.pick(sources.codePaths())
  for (const line of sources.lines(path)) {
    const indent = /^\s*/.exec(line.text)[0]
    const isCall =
      /^[^"'`#/]*\w\([^"'`#/]*, [^"'`#/]*\)[^"'`#/]*$/.test(line.text) &&
      !/\b(?:def|func|function|fn)\b/.test(line.text)
    if (isCall) line.text = line.text.replace(/, (?=[^()]*\))/g, `,\n${indent}    `)
  }
}

const requote = (sources, die) => {
  const path = die.pick(sources.codePaths().filter((path) => /\.(?:[cm]?[jt]sx?|py)$/.test(path)))
  for (const line of sources.lines(path)) {
    if (/^[^"'`]*'[^"'`\\]*'[^"'`]*$/.test(line.text)) line.text = line.text.replaceAll("'", '"')
    line.text = /[^\s:{};,]\)$/.test(line.text) && /\.[cm]?[jt]s$/.test(path) ? `${line.text};` : line.text.trimEnd()
  }
}

const swapFunctions = (sources, die) => {
  const path = die.pick(sources.codePaths().filter((path) => sources.functions(path).length > 1))
  const lines = sources.lines(path)
  const functions = sources.functions(path)
  const first = die.below(functions.length - 1)
  const [[a, b], [c, d]] = [functions[first], functions[first + 1 + die.below(functions.length - first - 1)]]
  const swapped = [
    ...lines.slice(0, a),
    ...lines.slice(c, d),
    ...lines.slice(b, c),
    ...lines.slice(a, b),
    ...lines.slice(d)
  ]
  lines.splice(0, lines.length, ...swapped)
}

const family = (path) => path.slice(path.lastIndexOf("."))

const moveFunction = (sources, die) => {
  const path = die.pick(
    sources.codePaths().filter((path) => /\.(?:[cm]?[jt]s|py|php|go)$/.test(path) && sources.functions(path).length > 1)
  )
  const [from, to] = die.pick(sources.functions(path))
  const others = sources.codePaths().filter((other) => other !== path && family(other) === family(path))
  const target =
    die.below(3) === 0 || others.length === 0 ? path.replace(/(\.\w+)$/, `_${die.below(1e4)}$1`) : die.pick(others)
  const lines = sources.lines(path)
  const preamble = lines.filter(({ text }) => /^(?:import|from|package|use|const .*require\(|<\?php)/.test(text))
  if (sources.lines(target) === undefined) sources.files.set(target, sources.copyOf(preamble))
  sources.lines(target).push(...lines.splice(from, to - from))
}

const renameFile = (isReported) => (sources, die) => {
  const path = die.pick(sources.paths())
  const name = path.slice(path.lastIndexOf("/") + 1)
  if (/^(?:Dockerfile|package\.json|docker-compose)/.test(name) || path.startsWith(".github")) return false
  const to =
    die.below(2) === 0
      ? path.replace(/(\.\w+)$/, `_new${die.below(1e4)}$1`)
      : path.replace("app/", `app/moved${die.below(1e4)}/`)
  sources.rename(path, to, isReported)
}

const renameElsewhere = (sources, die, found) => {
  const path = die.pick(sources.codePaths())
  const flagged = new Set(found.flatMap(({ lines }) => [...lines]))
  const names = new Map()
  for (const { text } of sources.lines(path)) {
    for (const [, name] of text.matchAll(/\b(?:const|let|var|for|def|func)\s+([a-z]\w{2,})/g))
      names.set(name, (names.get(name) ?? 0) + 1)
  }
  for (const { text, id } of sources.lines(path))
    if (flagged.has(id)) for (const name of names.keys()) if (text.includes(name)) names.delete(name)
  if (names.size === 0) return false
  const name = die.pick([...names.keys()])
  for (const line of sources.lines(path))
    line.text = line.text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), `${name}Now`)
}

const locate = (sources, finding) => {
  for (const path of sources.paths()) {
    const at = sources.lines(path).findIndex(({ id }) => finding.lines.has(id))
    if (at >= 0) return { path, at }
  }
  return null
}

const renameFunction = (sources, die, found) => {
  const place = found.length === 0 ? null : locate(sources, die.pick(found))
  if (place === null) return false
  const around = sources.functions(place.path).find(([from, to]) => from < place.at && place.at < to)
  const name =
    around === undefined
      ? null
      : /(?:function|def|func|fn|const)\s+(\w+)/.exec(sources.lines(place.path)[around[0]].text)?.[1]
  if (name === null || name === undefined) return false
  for (const line of sources.lines(place.path))
    line.text = line.text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), `${name}Renamed`)
}

/** One word of the flagged line is another from now on. */
const editFlagged = (sources, die, found) => {
  const place = found.length === 0 ? null : locate(sources, die.pick(found))
  if (place === null) return false
  const line = sources.lines(place.path)[place.at]
  const names = [...new Set(line.text.match(/\b[a-z][a-zA-Z]{3,}\b(?=\s*[,)=+.])/g) ?? [])]
  if (names.length === 0) return false
  const name = die.pick(names)
  for (const { at } of [place])
    sources.lines(place.path)[at].text = line.text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), `${name}2`)
}

/** The same function again under the same name in another file, or under another name in this one. */
const copyFunction = (sources, die, found) => {
  const place = found.length === 0 ? null : locate(sources, die.pick(found))
  if (place === null) return false
  const around = sources.functions(place.path).find(([from, to]) => from < place.at && place.at < to)
  if (around === undefined) return false
  const copy = sources.copyOf(sources.lines(place.path).slice(...around))
  const others = sources.codePaths().filter((other) => other !== place.path && family(other) === family(place.path))
  if (die.below(2) === 0 && others.length > 0) sources.lines(die.pick(others)).push(...copy)
  else {
    copy[0].text = copy[0].text.replace(/((?:function|def|func|fn|const)\s+)(\w+)/, `$1$2Copy${die.below(1e4)}`)
    sources.lines(place.path).push(...copy)
  }
}

/** The statement goes, or the whole function around it. */
const fix = (sources, die, found) => {
  const place = found.length === 0 ? null : locate(sources, die.pick(found))
  if (place === null) return false
  const lines = sources.lines(place.path)
  const around = sources.functions(place.path).find(([from, to]) => from < place.at && place.at < to)
  if (around !== undefined && die.below(2) === 0) lines.splice(around[0], around[1] - around[0])
  else lines.splice(place.at, 1, sources.comment(place.path, "Fixed."))
}

export const edits = {
  "insert lines": insertLines,
  "delete functions": deleteLines,
  reindent,
  "break lines": breakLines,
  "change quotes and semicolons": requote,
  "swap functions of a file": swapFunctions,
  "move functions between files": moveFunction,
  "rename files": renameFile(true),
  "rename files, unreported": renameFile(false),
  "rename identifiers elsewhere": renameElsewhere,
  "rename the function around": renameFunction,
  "edit the flagged line": editFlagged,
  "copy functions (duplicates)": copyFunction,
  "fix what was found": fix
}
