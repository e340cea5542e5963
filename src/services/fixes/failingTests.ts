/** Colours and other sequences of a terminal. */
const terminal = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** Names of failing tests in lines of one format. */
type Reader = (lines: ReadonlyArray<string>) => ReadonlyArray<string>

const matching =
  (pattern: RegExp): Reader =>
  (lines) =>
    lines.flatMap((line) => {
      const name = pattern
        .exec(line)
        ?.slice(1)
        .find((group) => group !== undefined)
      return name === undefined ? [] : [name.trim()]
    })

/** `not ok 3 - name`, with the names of the subtests around it; what is to be done or skipped does not fail. */
const tap: Reader = (lines) => {
  const open: Array<{ readonly indent: number; readonly name: string }> = []
  const failing: Array<string> = []
  for (const line of lines) {
    const [, subtestIndent, subtest] = /^( *)# Subtest: (.*)$/.exec(line) ?? []
    const [, indent, result, name = ""] = /^( *)(ok|not ok)\b(?: \d+)?(?: -)?(.*)$/.exec(line) ?? []
    if (subtest !== undefined) open.push({ indent: subtestIndent?.length ?? 0, name: subtest.trim() })
    if (indent === undefined) continue
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop()
    if (result === "not ok" && !/ # (?:TODO|SKIP)\b/i.test(name)) {
      failing.push([...open.map((one) => one.name), name.replace(/ # .*$/, "").trim()].join(" > "))
    }
  }
  return failing
}

/** Names come before the line of their package. */
const go: Reader = (lines) => {
  const failing: Array<string> = []
  let names: Array<string> = []
  for (const line of lines) {
    const [, name] = /^\s*--- FAIL: (\S+)/.exec(line) ?? []
    const [, failed, path] = /^(FAIL|ok)\s+(\S+)(?:\s|$)/.exec(line) ?? []
    if (name !== undefined) names.push(name)
    if (path === undefined) continue
    if (failed === "FAIL") failing.push(path, ...names.map((one) => `${path} ${one}`))
    names = []
  }
  return failing
}

/** Several crates have tests of the same name; the line before them names the crate, with a digest that changes. */
const cargo: Reader = (lines) => {
  const failing: Array<string> = []
  let crate = ""
  for (const line of lines) {
    const [, running] = /^\s*(?:Running|Doc-tests) (.*?)(?: \(.*\))?$/.exec(line) ?? []
    const [, name] = /^test (.+) \.\.\. FAILED$/.exec(line) ?? []
    if (running !== undefined) crate = running
    if (name !== undefined) failing.push(`${crate} ${name}`)
  }
  return failing
}

const readers: ReadonlyArray<Reader> = [
  tap,
  go,
  cargo,
  // node:test (spec), the duration after the name.
  matching(/^\s*✖ (.+?) \(\d[\d.]*m?s\)$/u),
  // Jest: the headings of its failures.
  matching(/^\s*● (?!Console$)(.+ › .+)$/u),
  // Jest and Vitest: files, and with Vitest the test in them.
  matching(/^\s*FAIL\s+(\S+\.[cm]?[jt]sx?(?: > .+)?)(?: \(\d[\d.]* ?m?s\))?$/),
  // pytest.
  matching(/^(?:FAILED|ERROR) (\S+\.py(?:::.+?)?)(?: - .*)?$/),
  // unittest.
  matching(/^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/),
  // Maven Surefire: of one test, in the form of version 3 and in that before.
  matching(/^\[ERROR\]\s+(?!Tests run:)(\S+) (?:-- |\s*)Time elapsed: .*<<< (?:FAILURE|ERROR)!/)
]

/** Longer ones are cut: no runner writes them, and no pattern may take long for one. */
const maxLine = 1000

/** Names of the tests that fail in the output of a test runner; empty where none fails or the format is not known. */
export const failingTests = (output: string): ReadonlySet<string> => {
  const lines = output
    .replace(terminal, "")
    .split(/\r?\n/)
    .map((line) => line.slice(0, maxLine))
  return new Set(readers.flatMap((read) => read(lines)))
}
