import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const guideOf = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).guides.find(({ slug }) => slug === "add-a-command")?.content ?? ""

describe("commands as languages distinguish them", () => {
  it("two that a framework has declared show how a third is added, and so does one goal of a plugin of Maven; two branches do not", async () => {
    const two =
      "use clap::{Parser, Subcommand};\n\n#[derive(Debug, Subcommand)]\npub enum Commands {\n    Add,\n    List,\n}\n\nfn main() {}\n"
    assert.include(await guideOf({ "src/main.rs": two }), "Declare a variant of `Commands` (clap)")
    assert.strictEqual(await guideOf({ "src/main.rs": two.replace("    List,\n", "") }), "")
    const goal =
      'package yard;\n\nimport org.apache.maven.plugins.annotations.Mojo;\n\n@Mojo(name = "load")\npublic class LoadMojo extends AbstractMojo {\n}\n'
    assert.include(await guideOf({ "src/main/java/yard/LoadMojo.java": goal }), "Declare a Maven goal")
    const branches =
      'command = sys.argv[1]\nmatch command:\n    case "add":\n        add()\n    case "list":\n        show()\n'
    assert.strictEqual(await guideOf({ "cli.py": branches }), "")
  })

  it("branches of Perl over a parameter that is named for what is to be done are commands", async () => {
    const chain = (name: string) =>
      `${["add", "list", "drop", "move"].map((word, n) => `${n === 0 ? "if" : "elsif"} ($${name} eq "${word}") {\n  ${word}();\n}`).join("\n")}\n`
    assert.include(await guideOf({ "yard.pl": chain("todo") }), "in `yard.pl`, where all 4 commands are")
    assert.strictEqual(await guideOf({ "yard.pl": chain("colour") }), "")
  })

  it("variants of an enumeration that derives clap's sub-commands are commands, their fields are none", async () => {
    const guide = await guideOf({
      "src/main.rs":
        'use clap::{Parser, Subcommand};\n\n#[derive(Debug, Subcommand)]\npub enum Commands {\n    /// Adds one.\n    Add {\n        name: String,\n    },\n    List(ListArgs),\n    #[command(alias = "rm")]\n    Remove,\n}\n\nfn main() {}\n'
    })
    assert.include(guide, "Declare a variant of `Commands` (clap) in `src/main.rs`, where all 3 commands are")
    assert.match(guide, /`Add` .*`List` .*`Remove` /)
    const parsed = await guideOf({
      "src/main.rs":
        "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    Add: u8,\n}\n\n#[derive(Debug, Parser)]\npub enum Commands {\n    Add(AddArgs),\n    List,\n    Remove,\n}\n"
    })
    assert.include(parsed, "where all 3 commands are")
    const other = await guideOf({
      "src/main.rs": "use clap::Parser;\n\npub enum Shape {\n    Round,\n    Flat,\n    Long,\n}\n"
    })
    assert.strictEqual(other, "")
  })

  it.each([
    [
      "case of Ruby",
      "bin/notes.rb",
      'command = ARGV.shift\ncase command\nwhen "add"\n  add\nwhen "list"\n  list\nwhen "drop"\n  drop\nend\n',
      "branch of `case command`"
    ],
    [
      "match of Python",
      "notes.py",
      'def main(command):\n    match command:\n        case "add":\n            add()\n        case "list":\n            show()\n        case "drop":\n            drop()\n',
      "case of `match command`"
    ],
    [
      "match of Rust",
      "src/main.rs",
      'fn run(cmd: &str) {\n    match cmd {\n        "add" => add(),\n        "list" => list(),\n        "drop" => drop_it(),\n        _ => usage(),\n    }\n}\n',
      "arm of `match cmd`"
    ],
    [
      "case of the shell",
      "notes.sh",
      '#!/bin/sh\ncase "$1" in\n  add) add ;;\n  list|ls) list ;;\n  drop) drop ;;\n  help) usage ;;\n  *) exit 1 ;;\nesac\n',
      "case of `case $1 in`"
    ],
    [
      "methods of cmd.Cmd",
      "shell.py",
      "import cmd\n\nclass Shell(cmd.Cmd):\n    def do_add(self, line):\n        pass\n\n    def do_list(self, line):\n        pass\n\n    def do_drop(self, line):\n        pass\n",
      "`do_…` method"
    ],
    [
      "annotations of picocli in any order",
      "src/Notes.java",
      'import picocli.CommandLine.Command;\n\n@Command(description = "Adds (one).", name = "add")\nclass Add {}\n\n@Command(name = "list")\nclass Listing {}\n\n@Command(mixinStandardHelpOptions = true, name = "drop")\nclass Drop {}\n',
      "picocli command"
    ]
  ])("%s", async (_, path, text, shape) => {
    assert.match(await guideOf({ [path]: text }), /Declare an? /)
    assert.include(await guideOf({ [path]: text }), ` ${shape} in `)
  })

  it("what every service answers to, and a case over something else, are no commands", async () => {
    const service =
      '#!/bin/sh\ncase "$1" in\n  start) begin ;;\n  stop) end ;;\n  restart) again ;;\n  status) show ;;\n  *) exit 1 ;;\nesac\n'
    assert.strictEqual(await guideOf({ "notes.sh": service }), "")
    const autotools = "#!/bin/sh\ncase $1 in\n  aclocal) a ;;\n  automake) b ;;\n  bison) c ;;\n  flex) d ;;\nesac\n"
    assert.strictEqual(await guideOf({ missing: autotools }), "")
    const levels = 'case verbosity\nwhen "quiet"\n  one\nwhen "normal"\n  two\nwhen "loud"\n  three\nend\n'
    assert.strictEqual(await guideOf({ "levels.rb": levels }), "")
    const shape = 'case shape\nwhen "round"\n  one\nwhen "flat"\n  two\nwhen "long"\n  three\nend\n'
    assert.strictEqual(await guideOf({ "shapes.rb": shape }), "")
  })
})

describe("chains of branches", () => {
  const words = ["add", "list", "drop", "show"]
  const chain = (first: string, next: string, then: string): string =>
    words.map((word, n) => (n === 0 ? first : next).replace("WORD", word) + then).join("")

  it.each([
    [
      "Python",
      "notes.py",
      `def main(command):\n${chain('    if command == "WORD":\n', '    elif command == "WORD":\n', "        pass\n")}`,
      "branch over `command`"
    ],
    [
      "words with a slash",
      "chat.py",
      `def handle(line):\n    name = line.split()[0]\n${chain('    if name == "/WORD":\n', '    elif name == "/WORD":\n', "        pass\n")}`,
      "branch over `name`"
    ],
    [
      "Perl",
      "notes.pl",
      `#!/usr/bin/perl\n${chain("if ($ARGV[0] eq 'WORD') {\n", "elsif ($ARGV[0] eq 'WORD') {\n", "  work();\n}\n")}`,
      "branch over `$ARGV[0]`"
    ],
    [
      "the shell",
      "notes.sh",
      `#!/bin/sh\n${chain('if [ "$1" = "WORD" ]; then\n', 'elif [ "$1" = WORD ]; then\n', "  work\n")}fi\n`,
      "branch over `1`"
    ],
    [
      "C, behind the first argument",
      "ctl.c",
      `static int make(char **argv)\n{\n${chain('\tif (strcmp(argv[0], "WORD") == 0)\n', '\telse if (strcmp(argv[0], "WORD") == 0)\n', "\t\twork();\n")}}\n`,
      "branch over `argv[0]`"
    ]
  ])("four branches of a chain are commands (%s)", async (_, path, text, shape) => {
    const guide = await guideOf({ [path]: text })
    assert.include(guide, `Declare a ${shape} in \`${path}\`, where all 4 commands are`)
    assert.strictEqual(await guideOf({ [path]: text.replaceAll(/\b(?:elif|elsif|else if)\b/g, "if") }), "")
  })

  it("addresses, plain names and what every service answers to are none", async () => {
    const python = (variable: string, mark: string): string =>
      `def main(${variable}):\n${chain(`    if ${variable} == "${mark}WORD":\n`, `    elif ${variable} == "${mark}WORD":\n`, "        pass\n")}`
    assert.strictEqual(await guideOf({ "serve.py": python("path", "/") }), "")
    assert.strictEqual(await guideOf({ "shape.py": python("name", "") }), "")
    const service = ["start", "stop", "restart", "status"]
      .map((word, n) => `${n === 0 ? "if" : "elif"} [ "$1" = "${word}" ]; then\n  work\n`)
      .join("")
    assert.strictEqual(await guideOf({ "notes.sh": `#!/bin/sh\n${service}fi\n` }), "")
  })
})
