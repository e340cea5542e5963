import { assert, describe, it } from "vitest"
import correctness from "../../src/engine/rules/correctness_bugs/tool.ts"
import { inspectProject } from "../support/audit.ts"

const reportIn = async (path: string, text: string) => {
  const matches = await inspectProject(correctness, { [path]: text })
  const found = matches.filter(({ rule }) => rule === "exception_not_thrown")
  assert.lengthOf(found, 1, text)
  return found[0]!
}
const isSevere = async (text: string, path = "src/a.py"): Promise<boolean> =>
  (await reportIn(path, text)).confidence === undefined

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`

describe("an exception that is not thrown, in a branch that valid values take, too", () => {
  const separate = (first: string, second: string, before = "        red()") =>
    lines(
      "def paint(kind, name):",
      `    if ${first}:`,
      before,
      `    ${second}:`,
      "        blue()",
      "    else:",
      "        ValueError(kind)"
    )

  it("is less severe in the last of several separate conditions over one thing", async () => {
    assert.isFalse(await isSevere(separate("kind == 1", "if kind == 2")))
    assert.isFalse(await isSevere(separate("isinstance(kind, int)", "if isinstance(kind, str)")))
    const three = lines(
      "def paint(self):",
      "    if self.kind == self.RED:",
      "        red()",
      "    count = 1",
      "    if self.kind == self.BLUE:",
      "        blue()",
      "    elif self.kind == self.GREEN:",
      "        green()",
      "    else:",
      "        ValueError('kind')"
    )
    assert.isFalse(await isSevere(three))
    const script =
      "function paint(kind) {\n  if (kind === 1) { red() }\n  if (kind === 2) { blue() } else { new TypeError('kind') }\n}\n"
    assert.isFalse(await isSevere(script, "src/a.js"))
    const { message } = await reportIn("src/a.py", separate("kind == 1", "if kind == 2"))
    assert.include(message, "make it one chain of conditions before you raise it")
  })

  it("is severe in one chain, behind a condition that leaves, corrects the value, asks for another thing or for the same", async () => {
    assert.isTrue(await isSevere(separate("kind == 1", "elif kind == 2")))
    assert.isTrue(await isSevere(separate("kind == 1", "if kind == 2", "        return red()")))
    assert.isTrue(await isSevere(separate("kind == 1", "if kind == 2", "        kind = 2")))
    assert.isTrue(await isSevere(separate("name == 1", "if kind == 2")))
    assert.isTrue(await isSevere(separate("kind == 2", "if kind == 2")))
    assert.isTrue(await isSevere(separate("kind == 1 and name", "if kind == 2")))
    const script =
      "function paint(kind) {\n  if (kind === 1) { red() }\n  else if (kind === 2) { blue() } else { new TypeError('kind') }\n}\n"
    assert.isTrue(await isSevere(script, "src/a.js"))
  })

  const search = (condition: string, found: string, after = "") =>
    lines(
      "def find(all, sought):",
      "    for one in all:",
      `        if ${condition}:`,
      `            ${found}`,
      "        else:",
      "            ValueError('not there')",
      after
    )

  it("is less severe in a loop that looks for one element, or that goes on by itself", async () => {
    assert.isFalse(await isSevere(search("one.name == sought", "found = one")))
    assert.isFalse(await isSevere(search("one.start <= sought <= one.end", "return one")))
    const handled = lines(
      "def read(all):",
      "    for one in all:",
      "        try:",
      "            one.read()",
      "        except OSError:",
      "            ValueError('not read')",
      "            continue"
    )
    assert.isFalse(await isSevere(handled))
  })

  it("is severe in a loop that checks or handles each element", async () => {
    assert.isTrue(await isSevere(search("one.name == sought", "total += one.count")))
    assert.isTrue(await isSevere(search("one.name == sought", "take(one)")))
    assert.isTrue(await isSevere(search("one == '-o'", "found = True")))
    assert.isTrue(await isSevere(search("one.name == sought", "found = one", "        take(found)")))
    assert.isTrue(await isSevere(search("sought.open", "found = one")))
    const handled =
      "def read(all):\n    for one in all:\n        try:\n            one.read()\n        except OSError:\n            ValueError(1)\n"
    assert.isTrue(await isSevere(handled))
  })

  const computed = (condition: string) =>
    lines(
      "def parts(self):",
      `    if ${condition}:`,
      "        self.known = compute()",
      "    else:",
      "        ValueError('not closed')",
      "    return self.known"
    )

  it("is less severe where what was computed before comes to it, and severe where only that is asked or another value is set", async () => {
    assert.isFalse(await isSevere(computed("self.known is None and self.closed")))
    assert.isFalse(await isSevere(computed("not self.known and self.closed")))
    assert.isTrue(await isSevere(computed("self.closed")))
    assert.isTrue(await isSevere(computed("self.other is None and self.closed")))
    assert.isTrue(await isSevere(computed("self.known is None or self.closed")))
  })

  const inBranch = (head: string, creation: string, ...after: ReadonlyArray<string>) =>
    lines("def read(path):", `    ${head}`, `        ${creation}`, ...after)

  it("is less severe where the next statement marks that something failed", async () => {
    assert.isFalse(await isSevere(inBranch("if not path:", "ValueError('no path')", "        failed = True")))
    assert.isFalse(await isSevere(inBranch("if not path:", "ValueError('no path')", "        self.valid = False")))
    assert.isTrue(await isSevere(inBranch("if not path:", "ValueError('no path')", "        failed = False")))
    assert.isTrue(await isSevere(inBranch("if not path:", "ValueError('no path')", "        path = 'a'")))
  })

  it("is less severe where the next statement answers who asked", async () => {
    const handled = (next: string) =>
      `export const get = (req, res, next) => {\n  if (!req.name) {\n    new NameError("none")\n    ${next}\n  }\n}\n`
    assert.isFalse(await isSevere(handled("res.status(400).send('none')"), "src/a.js"))
    assert.isFalse(await isSevere(handled("return next(failure)"), "src/a.js"))
    assert.isFalse(await isSevere(handled("return false"), "src/a.js"))
    assert.isTrue(await isSevere(handled("return undefined"), "src/a.js"))
    assert.isTrue(await isSevere(handled("resume(req)"), "src/a.js"))
  })

  it("is less severe for a missing file that is opened below, where that fails in the same way", async () => {
    const missing = (creation: string, after: string) => inBranch("if not exists(path):", creation, after)
    assert.isFalse(await isSevere(missing("FileNotFoundError(path)", "    text = open(path).read()")))
    assert.isTrue(await isSevere(missing("FileNotFoundError(path)", "    return convert(path)")))
    assert.isTrue(await isSevere(missing("ValueError(path)", "    text = open(path).read()")))
  })

  it("is not reported where nothing comes to it", async () => {
    const attempt = (body: string) =>
      lines(
        "def read(path):",
        "    try:",
        `        ${body}`,
        "    except OSError:",
        "        return 1",
        "    else:",
        "        ValueError('no path')"
      )
    const found = await inspectProject(correctness, { "src/a.py": attempt("return take(path)") })
    assert.isFalse(found.some(({ rule }) => rule === "exception_not_thrown"))
    assert.isTrue(await isSevere(attempt("take(path)")))
  })
})
