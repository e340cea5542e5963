import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../src/engine/core/files/SourceFile.ts"
import { commandSites } from "../../../src/engine/discovery/observers/commands/commandSites.ts"
import { outputOf } from "../../support/survey.ts"

const commandsIn = (path: string, text: string): ReadonlyArray<string> =>
  commandSites(new SourceFile({ path, text }))
    .filter(({ kind }) => kind === "command")
    .map(({ shape, symbol }) => `${symbol} ${shape}`)

const words = ["add", "list", "drop", "move"]
const rowsOf = (row: (word: string) => string): string => words.map(row).join("\n")

describe("tables of C with a function for each word", () => {
  const functions = rowsOf((word) => `static void on_${word}(int from);`)
  const table = (head: string, after = ""): string =>
    `${functions}\n\n${head} = {\n${rowsOf((word) => `  {1, NULL, on_${word}, "${word.toUpperCase()}", "says what"},`)}\n};\n${after}`
  const compares = "void find(char *cmd) {\n  if (!strcmp(yard_rows[0].text, cmd))\n    yard_rows[0].run(1);\n}\n"

  it("have commands where what was typed is compared with them, or where table or type are named so", () => {
    const compared = commandsIn("yard.c", table("static const row_t yard_rows[]", compares))
    assert.deepStrictEqual(
      compared,
      ["ADD", "LIST", "DROP", "MOVE"].map((one) => `${one} row of \`yard_rows\``)
    )
    assert.lengthOf(commandsIn("yard.c", table("static const struct yard_cmd rows[]")), words.length)
  })

  it("have none where nothing says that the words are typed, or where rows share a function", () => {
    assert.deepStrictEqual(commandsIn("yard.c", table("static const row_t yard_rows[]")), [])
    const shared = table("static const row_t yard_rows[]", compares).replaceAll(/on_\w+, "/g, 'on_add, "')
    assert.deepStrictEqual(commandsIn("yard.c", shared), [])
  })

  it("of C++ may belong to a class, with pointers to its members", () => {
    const text = `const struct Shell::command Shell::shell_commands[] = {\n${rowsOf((word) => `\t{ "${word}",\t&Shell::cmd_${word},\t"" },`)}\n};\n`
    assert.include(commandsIn("shell.cc", text), "add row of `shell_commands`")
  })
})

describe("words of a line that is read from the terminal", () => {
  const many = [...words, "show", "sell"]

  it("are commands where branches distinguish six of them", () => {
    const ofC = (from: string): string =>
      `char typed[80];\nvoid loop() {\n  fgets(typed, 80, ${from});\n${many.map((word) => `  if (strncmp(typed, "${word}\\n", 4) == 0) { on_${word}(); }`).join("\n")}\n}\n`
    assert.include(commandsIn("yard.c", ofC("stdin")), "sell branch over `typed`")
    assert.deepStrictEqual(commandsIn("yard.c", ofC("settings")), [])
    const engine = `int main() {\n  while (getline(cin, line)) {\n    istringstream is(line);\n    is >> skipws >> token;\n${many.map((word) => `    if (token == "${word}") on_${word}();`).join("\n")}\n  }\n}\n`
    assert.include(commandsIn("engine.cpp", engine), "add branch over `token`")
  })
})

describe("names of commands", () => {
  it("are texts that Rust distinguishes in the first argument", () => {
    const matched = (what: string): string =>
      `fn main() {\n    match ${what} {\n${words.map((word) => `        Some("${word[0]!.toUpperCase()}${word.slice(1)}") => ${word}(),`).join("\n")}\n        _ => {}\n    }\n}\n`
    assert.include(
      commandsIn("src/main.rs", matched("args.next().map(String::as_str)")),
      "Add arm of `match args.next().map(String::as_str)`"
    )
    assert.deepStrictEqual(commandsIn("src/main.rs", matched("colour.as_deref()")), [])
  })

  it("are keys of a map of Go to values of a type for commands, and of a `Map` of JavaScript that is named so", () => {
    const map = (type: string): string =>
      `package yard\n\nfunc all() {\n\treturn made(map[string]${type}{\n${rowsOf((word) => `\t\t"${word}": ${word}One(db),`)}\n\t})\n}\n`
    assert.include(commandsIn("yard.go", map("script.Cmd")), "add row of `map[string]script.Cmd`")
    assert.deepStrictEqual(commandsIn("yard.go", map("script.Colour")), [])
    const named = map("script.Cmd").replace("made(map", "settings := map").replace("})", "}")
    assert.deepStrictEqual(commandsIn("yard.go", named.replace("return ", "")), [])
    const script = `const commands = new Map([\n${rowsOf((word) => `  ['${word}', ${word}One],`)}\n])\n`
    assert.include(commandsIn("yard.js", script), "add row of `commands`")
  })

  it("are cases of a script over an action, unless they are those of every service", () => {
    const cases = (all: ReadonlyArray<string>): string =>
      `#!/bin/sh\ncase "$action" in\n${all.map((word) => `  ${word})\n    on_${word}\n    ;;`).join("\n")}\nesac\n`
    assert.include(commandsIn("yard.sh", cases(words)), "add case of `case $action in`")
    assert.deepStrictEqual(commandsIn("yard.sh", cases(["start", "stop", "restart", "status"])), [])
  })
})

describe("a map from names to what makes a part of the program", () => {
  const guidesOf = async (path: string, text: string): Promise<ReadonlyMap<string, string>> =>
    new Map((await outputOf({ [path]: text })).guides.map(({ slug, content }) => [slug, content]))
  const ofGo = (name: string, value: (word: string) => string): string =>
    `package yard\n\nvar ${name} = map[string]parts.Generator{\n${rowsOf((word) => `\t"${word}": ${value(word)},`)}\n}\n`

  it("says how another is added", async () => {
    const found = await guidesOf(
      "yard.go",
      ofGo("allGenerators", (word) => `${word}.Generator{}`)
    )
    assert.include(
      found.get("add-a-generator") ?? "",
      "Write it as those are that `allGenerators` names, and add an entry for it there, as `drop` (`yard.go:6`) is."
    )
    const classes = `READERS = {\n${rowsOf((word) => `    "${word}": ${word[0]!.toUpperCase()}${word.slice(1)}Reader,`)}\n}\n`
    assert.isTrue((await guidesOf("yard.py", classes)).has("add-a-reader"))
  })

  it("says nothing where the values are no constructors, most are one and the same, or the map has settings", async () => {
    assert.isFalse(
      (
        await guidesOf(
          "yard.go",
          ofGo("allGenerators", (word) => `"${word}"`)
        )
      ).has("add-a-generator")
    )
    assert.isFalse(
      (
        await guidesOf(
          "yard.go",
          ofGo("allGenerators", () => "one.Generator{}")
        )
      ).has("add-a-generator")
    )
    assert.isFalse(
      (
        await guidesOf(
          "yard.go",
          ofGo("allOptions", (word) => `${word}.Option{}`)
        )
      ).has("add-an-option")
    )
  })
})
