import { assert, describe, it } from "vitest"
import { outputOf } from "../../support/survey.ts"

const guideOf = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).guides.find(({ slug }) => slug === "add-a-command")?.content ?? ""

const cobra = (name: string, use: string) =>
  `package ${name}\n\nimport "github.com/spf13/cobra"\n\nvar Cmd = &cobra.Command{Use: "${use}"}\n`

const groups = ["orders", "users", "carts"]

describe("Where a command is made known", () => {
  it("the file of the whole program comes before that of the group with most commands", async () => {
    const parts = ["add", "drop", "list", "move"]
    const group = `${cobra("bills", "bills")}\nfunc init() {\n${parts.map((part) => `\tCmd.AddCommand(${part}Cmd)\n`).join("")}}\n`
    const texts = {
      "go.mod": "module example.com/shop\n",
      "main.go": "package main\n\nfunc main() { shop.Run() }\n",
      "internal/cmd/root.go": `${cobra("cmd", "shop")}\nfunc init() {\n\tCmd.AddCommand(\n${[...groups, "bills"].map((name) => `\t\t${name}.Cmd,\n`).join("")}\t)\n}\n`,
      ...Object.fromEntries(groups.map((name) => [`internal/cmd/${name}/${name}.go`, cobra(name, name)])),
      "internal/cmd/bills/bills.go": group,
      ...Object.fromEntries(
        parts.map((part) => [
          `internal/cmd/bills/${part}.go`,
          cobra("bills", part).replace("var Cmd", `var ${part}Cmd`)
        ])
      )
    }
    const guide = await guideOf(texts)
    assert.include(guide, "Declare a cobra command in a file of `internal/cmd/bills`")
    assert.include(guide, "Make it known with `AddCommand` in `internal/cmd/root.go:12`")
    const apart = {
      ...texts,
      ...Object.fromEntries(
        ["items", "shops", "taxes"].map((name) => [`internal/cmd/${name}/${name}.go`, cobra(name, name)])
      )
    }
    assert.include(await guideOf(apart), "in a folder of its own below `internal/cmd` (7 folders there have commands)")
  })

  it("where each command makes itself known, the file of the program with few is not named", async () => {
    const guide = await guideOf({
      "go.mod": "module example.com/shop\n",
      "cmd/root.go": `${cobra("cmd", "shop")}\nfunc init() {\n\tCmd.AddCommand(version)\n}\n`,
      ...Object.fromEntries(
        [...groups, "bills"].map((name) => [
          `cmd/${name}.go`,
          `${cobra("cmd", name)}\nfunc init() {\n\trootCmd.AddCommand(Cmd)\n}\n`
        ])
      )
    })
    assert.match(
      guide,
      /Make it known with `AddCommand` where the command is declared, as at `cmd\/\w+\.go:8`; 5 files do so/
    )
  })

  it("modules of Python that are called with the parsers are listed where all of them are", async () => {
    const module = (name: string) =>
      `import argparse\n\ndef add_parser(subparsers):\n    parser = subparsers.add_parser("${name}")\n`
    const main = `import argparse\n\nfrom shop import ${groups.join(", ")}\n\ndef main():\n    parser = argparse.ArgumentParser()\n    subparsers = parser.add_subparsers()\n${groups.map((name) => `    ${name}.add_parser(subparsers)\n`).join("")}\n\nif __name__ == "__main__":\n    main()\n`
    const guide = await guideOf({
      "shop/cli.py": main,
      ...Object.fromEntries(groups.map((name) => [`shop/${name}.py`, module(name)]))
    })
    assert.include(guide, "Make it known with `subparsers` in `shop/cli.py:10` (3 of 3 such calls)")
  })
})

describe("Commands whose modules a loop loads", () => {
  it.each([
    [
      "src/cli.js",
      "const yargs = require('yargs')\n['add', 'drop', 'list'].forEach((name) => {\n  yargs.command(require('./commands/' + name))\n})\n"
    ],
    [
      "src/cli.js",
      "class CLI {\n  async init() {\n    for (const cmd of ['add', 'drop', 'list']) {\n      this.commands[cmd] = (await import(`./${cmd}.js`)).default\n    }\n  }\n}\n"
    ],
    [
      "shop/cli.py",
      'import importlib\n\ncommands = ("add", "drop", "list")\n\nfor name in commands:\n    importlib.import_module(f"shop.{name}").register(parser)\n'
    ]
  ])("are listed in %s", async (path, text) => {
    assert.match(
      await guideOf({ [path]: text }),
      /Add a module beside those of the other commands, and its name to the list in `[\w./]+`, where all 3 commands are/
    )
  })

  it("need no call that makes each of them known", async () => {
    const text =
      "const yargs = require('yargs')\n['add', 'drop', 'list'].forEach((name) => {\n  const command = require('./commands/' + name)\n  yargs.command(command)\n})\n"
    assert.notInclude(await guideOf({ "src/cli.js": text }), "Make it known")
  })

  it("words that a loop does something else with, and modules of another kind, are none", async () => {
    const printed =
      "const yargs = require('yargs')\n;['add', 'drop', 'list'].forEach((name) => {\n  console.log(name)\n})\n"
    assert.strictEqual(await guideOf({ "src/cli.js": printed }), "")
    const models = "['user', 'cart', 'bill'].forEach((name) => {\n  require('./models/' + name)\n})\n"
    assert.strictEqual(await guideOf({ "src/db.js": models }), "")
  })
})

describe("Commands of languages that match patterns", () => {
  it.each([
    [
      "src/main.ml",
      'let () =\n  match Array.to_list Sys.argv with\n  | _ :: "add" :: rest -> add rest\n  | _ :: "drop" :: rest -> drop rest\n  | _ :: "list" :: _ -> list ()\n  | _ -> usage ()\n',
      "an arm of `match Array.to_list Sys.argv with`"
    ],
    [
      "src/shop_cli.erl",
      'main(["add" | Rest]) ->\n    add(Rest);\nmain(["drop", Name]) ->\n    drop(Name);\nmain(["list"]) ->\n    list();\nmain(_) ->\n    usage().\n',
      "a clause of `main`"
    ],
    [
      "lib/cli.ex",
      'defmodule Shop.CLI do\n  def run(command, args) do\n    case command do\n      "add" -> add(args)\n      "drop" -> drop(args)\n      "list" -> list()\n    end\n  end\nend\n',
      "a branch of `case command`"
    ]
  ])("are known in %s", async (path, text, shape) => {
    assert.include(await guideOf({ [path]: text }), `Declare ${shape} in \`${path}\`, where all 3 commands are`)
  })

  it("clauses over something else are none", async () => {
    const colours = 'paint("red") -> 1;\npaint("blue") -> 2;\npaint("green") -> 3.\n'
    assert.strictEqual(await guideOf({ "src/paint.erl": colours }), "")
    const levels =
      'let show level =\n  match level with\n  | "quiet" -> 1\n  | "normal" -> 2\n  | "loud" -> 3\n  | _ -> 0\n'
    assert.strictEqual(await guideOf({ "src/show.ml": levels }), "")
  })
})

it("of several enumerations of commands the one of the whole program is shown", async () => {
  const variants = (names: ReadonlyArray<string>) => names.map((name) => `    ${name},\n`).join("")
  const text = `use clap::{Parser, Subcommand};\n\n#[derive(Subcommand)]\nenum BillCommands {\n${variants(["Add", "Drop", "List", "Move"])}}\n\n#[derive(Subcommand)]\nenum Commands {\n${variants(["Orders", "Users", "Bills"])}}\n\nfn main() {}\n`
  assert.include(await guideOf({ "src/main.rs": text }), "variant of `Commands` (clap)")
})

describe("Commands that are put into an object or made by a library", () => {
  const names = ["add", "drop", "list", "move"]

  it.each([
    [
      "shop.js",
      names.map((name) => `verbs.${name} = function (args) {\n}\nverbs.${name}.doc = "does it"\n`).join(""),
      "function in `verbs`"
    ],
    ["shop.py", names.map((name) => `COMMANDS["${name}"] = ${name}_item\n`).join(""), "function in `COMMANDS`"],
    [
      "src/main.ml",
      `open Cmdliner\n${names.map((name) => `let ${name} = Cmd.v (Cmd.info "${name}" ~doc:"It") term\n`).join("")}`,
      "command of cmdliner"
    ],
    [
      "bot.py",
      `from telegram.ext import CommandHandler\n${names.map((name) => `app.add_handler(CommandHandler("${name}", ${name}))\n`).join("")}`,
      "`CommandHandler(…)`"
    ],
    [
      "bot.py",
      `import discord\n${names.map((name) => `\n@bot.command(name="${name}")\nasync def ${name}(ctx):\n    pass\n`).join("")}`,
      "command of a bot"
    ]
  ])("are known in %s", async (path, text, shape) => {
    assert.include(await guideOf({ [path]: text }), `Declare a ${shape} in \`${path}\`, where all 4 commands are`)
  })

  it("methods that are named for commands come before what one of them distinguishes", async () => {
    const methods = names.map((name) => `    def cmd_${name}(self, *args):\n        pass\n\n`).join("")
    const inner = `    def cmd_show(self, cmd):\n        match cmd:\n${["a1", "b1", "c1", "d1", "e1", "f1"].map((name) => `            case "${name}":\n                pass\n`).join("")}`
    const guide = await guideOf({ "shell.py": `class Shell:\n${methods}${inner}` })
    assert.include(guide, "Declare a function in `shell.py`, where all 5 commands are")
    const alone = await guideOf({ "shell.py": `class Shell:\n${inner}` })
    assert.include(alone, "a case of `match cmd` in `shell.py`, where all 6 commands are")
  })

  it("subcommands of a library that makes them by name are known, and those below one of them are not", async () => {
    const made = [...names, "show"]
      .map((name) => `\tapp.NewSubCommandFunction("${name}", "does it", ${name})\n`)
      .join("")
    const below = '\tshow.NewSubCommandFunction("notes", "shows them", notes)\n'
    assert.include(
      await guideOf({ "cmd/shop/main.go": `package main\n\nfunc main() {\n${made}${below}}\n` }),
      "where all 5 commands are"
    )
  })

  it("values that are no functions, and an object of another name, are none", async () => {
    const numbers = names.map((name, i) => `commands.${name} = ${i}\n`).join("")
    assert.strictEqual(await guideOf({ "shop.js": numbers }), "")
    const colours = names.map((name) => `colours.${name} = function () {\n}\n`).join("")
    assert.strictEqual(await guideOf({ "shop.js": colours }), "")
    const labelled = `let info = "add"\n${names.map((name) => `let ${name} = label "${name}"\n`).join("")}`
    assert.strictEqual(await guideOf({ "src/main.ml": labelled }), "")
  })

  it("a file with most of the commands is named, one with half of them is not", async () => {
    const file = (some: ReadonlyArray<string>) =>
      `import click\n\n${some.map((name) => `@cli.command("${name}")\ndef ${name}():\n    pass\n`).join("\n")}`
    const most = await guideOf({ "shop/cli.py": file(names), "shop/more.py": file(["show"]) })
    assert.include(most, "in `shop/cli.py`, where 4 of 5 commands are")
    const half = await guideOf({ "shop/cli.py": file(names.slice(0, 2)), "shop/more.py": file(names.slice(2)) })
    assert.include(half, "in a file of `shop` (2 of 2 files with commands)")
  })
})

describe("Commands where the program starts", () => {
  const manifest = '{ "name": "shop", "bin": "index.js", "dependencies": { "yargs": "4" } }\n'
  const declared = (some: ReadonlyArray<string>) =>
    `var yargs = require("yargs")\nyargs\n${some.map((name) => `  .command("${name}", "does", require("./commands/${name}"))\n`).join("")}`
  const parts = Object.fromEntries(
    ["bills", "items", "shops", "taxes", "users"].map((name) => [
      `commands/${name}.js`,
      `var program = require("commander")\nprogram\n  .command("${name}")\n`
    ])
  )

  it("come before those that other files declare one by one", async () => {
    const guide = await guideOf({ ...parts, "package.json": manifest, "index.js": declared(["add", "drop", "list"]) })
    assert.include(guide, "Declare a `.command(…)` in `index.js`, where 3 of 8 commands are")
  })

  it("are not what a new one is added to where there are only two", async () => {
    const guide = await guideOf({ ...parts, "package.json": manifest, "index.js": declared(["add", "drop"]) })
    assert.include(guide, "in a file of `commands` (5 of 6 files with commands)")
  })
})

describe("Tables that what was typed picks a row of", () => {
  const names = ["add", "drop", "list"]

  it.each([
    [
      "Python, by the argument itself",
      "shop.py",
      'import sys\n\nwork = {\n    "add": add_one,\n    "list": lambda: show(),\n    "drop": shop.drop,\n}\nwork[sys.argv[1]]()\n'
    ],
    [
      "Python, by what argparse returns",
      "shop.py",
      'work = {\n    "add": add_one,\n    "list": show,\n    "drop": drop,\n}\nwork.get(args.command, show)(args)\n'
    ],
    [
      "JavaScript",
      "shop.js",
      "const work = {\n  add: require('./add'),\n  list: async (args) => show(args),\n  'drop': dropOne\n}\nwork[process.argv[2]](rest)\n"
    ],
    [
      "Go",
      "shop.go",
      'package main\n\nvar work = map[string]func([]string) error{\n\t"add":  addOne,\n\t"list": show,\n\t"drop": func(args []string) error { return nil },\n}\n\nfunc main() { work[os.Args[1]](os.Args[2:]) }\n'
    ],
    [
      "Perl",
      "shop.pl",
      "#!/usr/bin/perl\nmy %work = (\n  add => \\&add_one,\n  list => sub { show() },\n  drop => \\&drop,\n);\n$work{$ARGV[0]}->();\n"
    ],
    [
      "Ruby",
      "shop.rb",
      'WORK = {\n  "add" => method(:add_one),\n  "list" => ->(args) { show(args) },\n  "drop" => method(:drop)\n}\nWORK[ARGV.shift].call\n'
    ]
  ])("%s", async (_, path, text) => {
    const guide = await guideOf({ [path]: text })
    assert.match(guide, new RegExp(`Declare a row of \`work\` in \`${path}\`, where all 3 commands are`, "i"))
    // Another key picks no command, and what is said of each is not what does it.
    assert.strictEqual(
      await guideOf({
        [path]: text.replace(
          /sys\.argv\[1\]|args\.command|process\.argv\[2\]|os\.Args\[1\]|\$ARGV\[0\]|ARGV\.shift/,
          "colour"
        )
      }),
      ""
    )
    assert.strictEqual(await guideOf({ [path]: text.replace(/\bwork\b/gi, "descriptions") }), "")
  })

  it("on one line", async () => {
    const text = "work = dict(add=Add, list=Show, drop=Drop)\nwork.get(parsed_args.subparser)(args).run()\n"
    assert.include(await guideOf({ "shop.py": text }), "Declare a row of `work` in `shop.py`, where all 3 commands are")
    assert.strictEqual(await guideOf({ "shop.py": text.replace("parsed_args.subparser", "colour") }), "")
    assert.strictEqual(await guideOf({ "shop.py": text.replace("list=Show", "list=2") }), "")
  })

  it("are those of the program where a loop declares them, and what is written out is of one of them", async () => {
    const parts = names.map((name) => `    subs.add_parser("${name}")\n`).join("")
    const group = `import argparse\n\n\ndef register(subs):\n${parts}`
    assert.include(await guideOf({ "shop.py": group }), "Declare an argparse sub-command in `shop.py`")
    const loop =
      "\n\ndef main():\n    for name, one in table.items():\n        sub = subs.add_parser(name, help=one.text)\n"
    assert.strictEqual(await guideOf({ "shop.py": group + loop }), "")
  })

  it("with texts and numbers for each word hold no commands", async () => {
    const text = 'sizes = {\n    "add": 1,\n    "list": "two",\n    "drop": SMALL,\n}\nprint(sizes[command])\n'
    assert.strictEqual(await guideOf({ "shop.py": text }), "")
  })
})

describe("Commands of yargs and click that are made known elsewhere", () => {
  const names = ["add", "drop", "list"]

  it("objects that functions or modules return are commands, and the calls that list them are named", async () => {
    const functions = names
      .map(
        (name) =>
          `function ${name}Cli() {\n  return {\n    command: ['${name} [name]', '${name[0]}'],\n    handler: run\n  }\n}\n`
      )
      .join("\n")
    const calls = names.map((name) => `  .command(${name}Cli())\n`).join("")
    const guide = await guideOf({
      "src/bin/index.js": `import yargs from 'yargs'\n\nyargs(process.argv)\n${calls}  .argv\n\n${functions}`
    })
    assert.include(guide, "Declare a command of yargs in `src/bin/index.js`, where all 3 commands are")
    assert.include(guide, "Make it known with `command` in `src/bin/index.js:6` (3 of 3 such calls)")
    const modules = Object.fromEntries(
      names.map((name) => [
        `src/cmds/${name}.js`,
        `exports.command = '${name} <path>'\nexports.builder = {}\nexports.handler = run\n`
      ])
    )
    assert.include(await guideOf(modules), "Declare a command of yargs in a file of `src/cmds`")
    const others = Object.fromEntries(
      names.map((name) => [`src/cmds/${name}.js`, `exports.command = '${name} <path>'\n`])
    )
    assert.strictEqual(await guideOf(others), "")
  })

  it("a group of click that a call adds with its options is one, and commands that a decorator adds need none", async () => {
    const group = 'app.add_typer(\n    shown,\n    name="show",\n    help="Shows",\n)\n'
    const attached = names.map((name) => `@app.command("${name}")\ndef ${name}():\n    pass\n\n`).join("")
    assert.notInclude(await guideOf({ "cli.py": `import typer\n\n${group}\n${attached}` }), "Make it known")
    const groups = names.map((name) => `app.add_typer(${name})\n`).join("")
    assert.include(
      await guideOf({ "cli.py": `import typer\n\n${attached}${groups}` }),
      "Make it known with `add_typer`"
    )
    const added = names.map((name) => `cli.add_command(${name})\n`).join("")
    const apart = names.map((name) => `@click.command("${name}")\ndef ${name}():\n    pass\n\n`).join("")
    assert.include(
      await guideOf({ "cli.py": `import click\n\n${apart}${added}` }),
      "Make it known with `add_command` in `cli.py:17` (3 of 3 such calls)"
    )
  })
})
