import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { commandSites } from "../../../../src/engine/discovery/observers/commands/commandSites.ts"

const symbolsIn = (path: string, text: string): string =>
  commandSites(new SourceFile({ path, text }))
    .map(({ symbol }) => symbol)
    .join(" ")

const words = ["add", "drop", "move", "pull", "push"]

const chain = (names: ReadonlyArray<string>, first: string): string =>
  `${first}${names.map((name, n) => `    ${n === 0 ? "if" : "elif"} command == "${name}":\n        pass\n`).join("")}`

describe("Branches over a word that no one types", () => {
  it("what a request asks for is no command; a word of a line that was read is one", () => {
    for (const from of ['request.POST.get("command")', "request.form['command']", "self.request.json['command']"])
      assert.strictEqual(symbolsIn("a.py", chain(words, `def answer(request):\n    command = ${from}\n`)), "")
    for (const from of ["line.split()[0]", "requested[0]", "request"])
      assert.strictEqual(
        symbolsIn("a.py", chain(words, `def answer(line):\n    command = ${from}\n`)),
        words.join(" "),
        from
      )
  })

  it("words of a language that is read are no commands, unless they are few", () => {
    const start = "def read(command):\n"
    assert.strictEqual(symbolsIn("a.py", chain(["ifdef", "elif", "else", "endif", "line"], start)), "")
    assert.strictEqual(
      symbolsIn("a.py", chain(["include", "define", "list", "show", "quit"], start)),
      "include define list show quit"
    )
  })

  it("kinds of records that were read are no commands, names of commands are", () => {
    const cases = (subject: string) =>
      `package a\n\nfunc f(cmd Cmd) {\n\tswitch ${subject} {\n${words.map((name) => `\tcase "${name}":\n\t\tg()\n`).join("")}\t}\n}\n`
    assert.strictEqual(symbolsIn("a.go", cases("cmd.Type")), "")
    assert.strictEqual(symbolsIn("a.go", cases("cmd.Name")), words.join(" "))
  })
})
