import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const guideOf = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).guides.find(({ slug }) => slug === "add-a-command")?.content ?? ""

describe("commands as languages distinguish them", () => {
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
