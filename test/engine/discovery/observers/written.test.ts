import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { quoted } from "../../../../src/engine/discovery/Draft.ts"
import { commandSites } from "../../../../src/engine/discovery/observers/commands/commandSites.ts"
import { listedCommands } from "../../../../src/engine/discovery/observers/commands/listedCommands.ts"
import { reasonsOf } from "../../../../src/engine/discovery/observers/reasons.ts"
import { comparedRoutes } from "../../../../src/engine/discovery/observers/routes/comparedRoutes.ts"
import { textRoutes } from "../../../../src/engine/discovery/observers/routes/textRoutes.ts"
import { storesOf } from "../../../../src/engine/discovery/observers/stores.ts"
import { reasonRules } from "../../../../src/engine/discovery/stated.ts"
import { outputOf, surveyOf } from "../../../support/survey.ts"

const commandsIn = (path: string, text: string) =>
  listedCommands(new SourceFile({ path, text })).map(({ shape, symbol, line }) => `${shape}: ${symbol} at ${line}`)

describe("Commands that are listed", () => {
  it("rows of a table of C count, by a macro or in braces, wherever the brace stands", () => {
    const byMacro =
      'static COMMAND My_Commands[] =\n{\n#define _CMD(a, b) \\\n    { (a), (b) }\n\t_CMD("JOIN", irc_join),\n\t_CMD("PART", irc_part),\n\t_CMD("KICK", irc_kick),\n\t_CMD("NICK", irc_nick)\n};\nint other[] = {\n\t_CMD("GONE", gone)\n};\n'
    assert.deepStrictEqual(commandsIn("src/parse.c", byMacro), [
      "row of `My_Commands`: JOIN at 5",
      "row of `My_Commands`: PART at 6",
      "row of `My_Commands`: KICK at 7",
      "row of `My_Commands`: NICK at 8"
    ])
    const inBraces =
      'static const struct cmd cmd_table[] = {\n  { "add", cmd_add },\n  { "rm", cmd_rm },\n  { "mv", cmd_mv },\n  { "ls", cmd_ls },\n};\n'
    assert.deepStrictEqual(
      listedCommands(new SourceFile({ path: "a.c", text: inBraces })).map(({ symbol }) => symbol),
      ["add", "rm", "mv", "ls"]
    )
  })

  it("a call that makes one command known counts with the function that does it", () => {
    const call = (rest: string) => `void init_move ()\n{\n\tcli_add_command ("move", ${rest});\n}\n`
    assert.deepStrictEqual(commandsIn("src/move.c", call('cmd_move, "<up|down>"')), [
      "call of `cli_add_command`: move at 3"
    ])
    assert.deepStrictEqual(commandsIn("src/move.c", call('"Moves it", 3')), [])
    assert.deepStrictEqual(commandsIn("src/move.c", call("NULL, 3")), [])
  })

  it("rows of several lines count by the line that names the command, and those of a table within them do not", () => {
    const names = ["add", "list", "drop", "move"]
    const plain = names.map((name) => `  {\n    "${name}", do_${name},\n    "Does it",\n  },\n`).join("")
    const labelled = names
      .map(
        (name) =>
          `  {\n    .name = "${name}",\n    .run = do_${name},\n    .options = {\n      .name = "all",\n    },\n  },\n`
      )
      .join("")
    for (const rows of [plain, labelled])
      assert.deepStrictEqual(
        listedCommands(new SourceFile({ path: "a.c", text: `static const Command commands[] = {\n${rows}};\n` })).map(
          ({ symbol }) => symbol
        ),
        names
      )
    const words = names.map((name) => `  "${name}",\n`).join("")
    assert.deepStrictEqual(
      listedCommands(new SourceFile({ path: "a.c", text: `static const char *commands[] = {\n${words}};\n` })),
      []
    )
  })

  it("keys of an object, a dictionary and a map count where each leads to a function, and there are four", () => {
    const rows = ["add", "rm", "mv", "ls"]
    const script = `const commands = {\n${rows.map((name) => `  ${name}: ${name}Files,\n`).join("")}}\n`
    const python = `COMMANDS = {\n${rows.map((name) => `    "${name}": do_${name},\n`).join("")}}\n`
    const go = `var commands = map[string]func() error{\n${rows.map((name) => `\t"${name}": ${name},\n`).join("")}}\n`
    for (const [path, text] of [
      ["a.js", script],
      ["a.py", python],
      ["a.go", go]
    ] as const)
      assert.deepStrictEqual(
        listedCommands(new SourceFile({ path, text })).map(({ symbol }) => symbol),
        rows,
        path
      )
    assert.deepStrictEqual(commandsIn("a.py", 'COMMANDS = {\n    "add": do_add,\n    "rm": do_rm,\n}\n'), [])
    assert.deepStrictEqual(commandsIn("a.js", `const colours = {\n${script.split("\n").slice(1).join("\n")}`), [])
  })

  it("rows of a table that dispatches by name count where each leads to a module; those that lead to a text do not", () => {
    const rows = (value: (name: string) => string) =>
      `my %ActionDispatch = (\n${["browse", "queue", "restore", "view"].map((name) => `    "${name}"   => ${value(name)},\n`).join("")});\n`
    assert.deepStrictEqual(
      commandsIn(
        "admin.pl",
        rows(() => '"Browse"')
      ).map((one) => one.split(" at ")[0]),
      ["browse", "queue", "restore", "view"].map((name) => `row of \`ActionDispatch\`: ${name}`)
    )
    assert.deepStrictEqual(
      commandsIn(
        "admin.pl",
        rows((name) => `"what ${name} does"`)
      ),
      []
    )
  })

  it("calls that register a command by its name count where there are five, definitions and other calls do not", () => {
    const calls = (callee: string, count: number) =>
      Array.from({ length: count }, (_, i) => `  ${callee}     ("view.c${"abcde"[i]}", &act);\n`).join("")
    assert.lengthOf(commandsIn("a.cc", calls("CMD2_ANY", 5)), 5)
    assert.include(
      commandsIn("a.js", calls("vscode.commands.registerCommand", 5))[0],
      "`vscode.commands.registerCommand`"
    )
    assert.deepStrictEqual(commandsIn("a.cc", calls("CMD2_ANY", 4)), [])
    assert.deepStrictEqual(commandsIn("a.cc", calls("show_text", 5)), [])
    assert.deepStrictEqual(commandsIn("a.cc", calls("CMD2_ANY", 5).replaceAll("  CMD", "// CMD")), [])
  })

  it("a variable with a word that only begins like that of a command is none", () => {
    const over = (value: string) =>
      `switch (${value}) {\n  case "add": break\n  case "rm": break\n  case "ls": break\n}\n`
    assert.lengthOf(commandsIn("a.js", over("commandName")), 3)
    assert.deepStrictEqual(commandsIn("a.js", over("commandpair[0]")), [])
  })

  it.each([
    [
      "kingpin",
      "a.go",
      'import "github.com/alecthomas/kingpin"\nvar add = app.Command("add", "Adds.")\n',
      "kingpin command: add"
    ],
    ["Cri", "cli.rb", 'require "cri"\nCri::Command.define do\n  name    "deploy"\nend\n', "Cri command: deploy"]
  ])("a command of %s is known by its name", (_, path, text, expected) => {
    assert.deepStrictEqual(
      commandSites(new SourceFile({ path, text })).map(({ shape, symbol }) => `${shape}: ${symbol}`),
      [expected]
    )
    assert.deepStrictEqual(
      commandSites(new SourceFile({ path, text: text.split("\n").slice(1).join("\n").replace("Cri::", "My::") })),
      []
    )
  })

  it("cases of a switch over the word that was typed count; those of a switch within it, or over another value, do not", () => {
    const over = (value: string) =>
      `switch (${value}) {\n  case "add":\n    switch (kind) {\n      case "deep": break\n    }\n    break\n  case "rm":\n    break\n  case "ls":\n    break\n}\n`
    assert.deepStrictEqual(commandsIn("a.js", over("argv[2]")), [
      "case of `switch (argv[2])`: add at 2",
      "case of `switch (argv[2])`: rm at 7",
      "case of `switch (argv[2])`: ls at 9"
    ])
    assert.deepStrictEqual(commandsIn("a.js", over("colour")), [])
  })
})

describe("Writes in languages that are not parsed", () => {
  it.each([
    ["Save.hs", "save path text = do\n  writeFile path text\n", 2],
    ["shop_store.erl", "save(Path, Data) ->\n    file:write_file(Path, Data).\n", 2],
    ["lib/ds.php", "<?php\n$done = @ldap_add($this->connect(), $dn, $entry);\n", 2],
    ["shop", '#!/usr/bin/perl\nopen my $fh, ">>", $path;\n', 2]
  ])("are found in %s", (path, text, line) => {
    assert.deepStrictEqual(
      storesOf(new SourceFile({ path, text })).map((store) => store.line),
      [line]
    )
  })

  it("an import of what writes, the type of it, and a comment write nothing", () => {
    const text = "import System.IO (writeFile)\nwriteFile :: FilePath -> IO ()\n-- writeFile path text\n"
    assert.deepStrictEqual(storesOf(new SourceFile({ path: "Save.hs", text })), [])
  })
})

describe("Commands that branches distinguish", () => {
  const words = ["add", "remove", "list", "start", "stop"]
  const names = (path: string, text: string) =>
    listedCommands(new SourceFile({ path, text })).map(({ symbol }) => symbol)

  it.each([
    ["a.pl", (name: string) => `${name}_item() if $verb eq '${name}';\n`],
    ["a.c", (name: string) => `    else if (!strcmp(command, "${name}"))\n        return ${name}();\n`],
    ["a.py", (name: string) => `    elif args[0] == "${name}":\n        ${name}()\n`],
    ["A.java", (name: string) => `    if ("${name}".equals(cmd)) { ${name}(); }\n`]
  ])("count in %s where five words are compared with what was typed", (path, branch) => {
    assert.deepStrictEqual(names(path, words.map(branch).join("")), words)
    assert.deepStrictEqual(names(path, words.slice(0, 3).map(branch).join("")), [])
  })

  it("another value that is compared, or a comparison that is no branch, makes none", () => {
    assert.deepStrictEqual(names("a.pl", words.map((name) => `f() if $colour eq '${name}';\n`).join("")), [])
    assert.deepStrictEqual(names("a.py", words.map((name) => `x = command == "${name}"\n`).join("")), [])
  })

  it("rows that name a command in a field count as well", () => {
    const rows = words.map((name) => `   {cmd = '${name}', min = 2, action = ${name}Tbl },\n`).join("")
    assert.deepStrictEqual(names("a.lua", `local shopCmdA = {\n${rows}}\n`), words)
    assert.deepStrictEqual(names("a.lua", `local colours = {\n${rows}}\n`), [])
  })
})

const routesIn = (path: string, text: string) =>
  textRoutes(new SourceFile({ path, text })).map(
    ({ method, path: route, handler, line }) => `${method} ${route} → ${handler} at ${line}`
  )

describe("Routes as they are written", () => {
  it.each([
    [
      "main.go",
      'import "net/http"\nvar _ http.Handler\nfunc f() {\n\tr.Get(*prefix+"/status", h.Status)\n\tr.Put("/a", func(w http.ResponseWriter) {})\n\tclient.Get("/b", x)\n}\n',
      ["GET /status → h.Status at 4", "PUT /a → null at 5"]
    ],
    [
      "src/api.rs",
      'use axum::Router;\nlet app = Router::new().route("/orders", post(orders::add));\n',
      ["POST /orders → orders::add at 2"]
    ],
    [
      "src/web.rs",
      'use actix_web::get;\n#[get("/carts/{id}")]\npub async fn cart(id: u32) {}\n',
      ["GET /carts/{id} → cart at 2"]
    ],
    [
      "src/server.rs",
      "use hyper::Method;\nmatch method {\n    Method::GET | Method::HEAD => {}\n    Method::PUT => {}\n}\nif method == Method::PATCH {}\n",
      ["GET /* → null at 3", "PUT /* → null at 4"]
    ],
    [
      "app.py",
      "from flask import Flask\nself.add_url_rule('/', 'render', self._render)\nself.add_url_rule(asset_route, 'asset', self._asset)\n",
      ["ANY / → self._render at 2", "ANY {asset_route} → self._asset at 3"]
    ],
    [
      "web.py",
      'import tornado.web\nroutes = [\n    (r"/rpc", RpcHandler),\n    ("/not", "a handler"),\n    (r"/files%s" % path_regex, FilesHandler),\n]\n',
      ["ANY /rpc → RpcHandler at 3", "ANY /files%s → FilesHandler at 5"]
    ],
    [
      "routes.php",
      "<?php\nuse Slim\\App;\n$app->get('/tags', TagController::class . ':index');\n$bag->get('/not');\n",
      ["GET /tags → TagController::class at 3"]
    ],
    [
      "lib/App.pm",
      "use Mojolicious::Lite;\nget '/bills' => sub { };\n$r->post('/bills')->to('bills#add');\n",
      ["GET /bills → null at 2", "POST /bills → bills#add at 3"]
    ]
  ])("%s", (path, text, expected) => {
    assert.deepStrictEqual(routesIn(path, text), expected)
  })

  it("a file without the framework's name declares none", () => {
    assert.deepStrictEqual(routesIn("a.py", "x.add_url_rule('/', 'render', view)\n"), [])
    assert.deepStrictEqual(routesIn("a.go", 'r.Get("/status", status)\n'), [])
  })
})

describe("Addresses that branches compare", () => {
  const pathsIn = (path: string, text: string) => comparedRoutes(new SourceFile({ path, text })).map((one) => one.path)
  const branches = (names: ReadonlyArray<string>) =>
    names.map((name) => `  else if (strncmp(HttpUrl, "${name}", 7) == 0) {}\n`).join("")
  const own = ["/items/", "/icons/", "/status", "/"]

  it("are routes in C and Perl where a file speaks HTTP and has four", () => {
    assert.deepStrictEqual(pathsIn("http.c", `reply("HTTP/1.1 200");\n${branches(own)}`), own)
    const perl = own.map((name) => `if ($path eq "${name}") { }\n`).join("")
    assert.deepStrictEqual(pathsIn("http.pl", `if ($method eq "GET") { }\n${perl}`), own)
  })

  it("are none without HTTP, below four, or where they are places of the machine", () => {
    assert.deepStrictEqual(pathsIn("http.c", branches(own)), [])
    assert.deepStrictEqual(pathsIn("http.c", `reply("HTTP/1.1 200");\n${branches(own.slice(1))}`), [])
    assert.deepStrictEqual(
      pathsIn("http.c", `reply("HTTP/1.1 200");\n${branches(["/dev/null", "/proc", "/tmp/a", "/usr/lib"])}`),
      []
    )
  })
})

describe("Writes", () => {
  const linesIn = (path: string, text: string) => storesOf(new SourceFile({ path, text })).map(({ line }) => line)

  it("settings of a desktop are written by the calls of its libraries, and by none of the same name without them", () => {
    const kept = (path: string, text: string) =>
      storesOf(new SourceFile({ path, text })).map(({ kind, line }) => `${kind} ${line}`)
    const qt = '#include <QSettings>\nvoid save(QSettings &s) {\n  s.setValue("width", 3);\n  label->setValue(3);\n}\n'
    assert.deepStrictEqual(kept("src/save.cpp", qt), ["settings 3"])
    assert.deepStrictEqual(
      kept("src/save.cpp", qt.replace("<QSettings>", "<QSlider>").replace("QSettings &s", "S &s")),
      []
    )
    const gnome =
      'void save(void) {\n  g_settings_set_int(settings, "width", 3);\n  g_settings_get_int(settings, "width");\n}\n'
    assert.deepStrictEqual(kept("src/save.c", gnome), ["settings 2"])
    const vala =
      'void save () {\n  settings.set_int ("width", 3);\n  FileUtils.set_contents (path, text);\n  settings.get_int ("width");\n}\n'
    assert.deepStrictEqual(kept("src/save.vala", vala), ["settings 2", "files 3"])
    const kde = '#include <KConfigGroup>\nvoid save(KConfigGroup &group) {\n  group.writeEntry("width", 3);\n}\n'
    assert.deepStrictEqual(kept("src/save.cpp", kde), ["settings 3"])
  })

  it("what a package brings along for its tests and its build says nothing of what the program keeps", async () => {
    const text = 'import os\n\ndef save(path):\n    with open(path, "w") as file:\n        file.write("x")\n'
    const written = async (path: string) => {
      const { guides } = await outputOf({ [path]: text })
      return guides.some(({ content }) => content.includes("writes files"))
    }
    assert.isTrue(await written("src/notes.py"))
    assert.isFalse(await written("buildtools/notes.py"))
    assert.isFalse(await written("my-test-helpers/notes.py"))
    assert.isFalse(await written("src/testutils.py"))
  })

  it("what was written beside its place and is moved there counts; bytes of a message do not", () => {
    assert.deepStrictEqual(linesIn("store.go", "f, _ := os.CreateTemp(dir, name)\nos.Rename(tmpFile, path)\n"), [2])
    assert.deepStrictEqual(linesIn("store.py", "import os\nos.rename(tempfile, target)\n"), [2])
    assert.deepStrictEqual(linesIn("Record.java", "out.writeBytes(buffer, 0, length);\n"), [])
    assert.deepStrictEqual(linesIn("Store.kt", "file.writeBytes(buffer)\n"), [1])
  })

  it.each([
    ["a text whose name is os", "a.py", "def plain(os):\n    return os.replace(old, new)\n"],
    ["a text that has no such module", "a.py", "os.replace(old, new)\n"],
    ["two literals", "a.py", 'import os\nname = os.replace("-", "_")\n'],
    ["what makes a text of data", "a.py", "text = yaml.dump(data, default_flow_style=False)\n"],
    ["a file that is opened for reading", "A.java", 'new RandomAccessFile(path, "r");\n'],
    ["a file that is opened in a mode that is passed in", "A.java", "new RandomAccessFile(path, mode);\n"],
    ["an existing file in C#", "A.cs", "new FileStream(path, FileMode.Open, FileAccess.Read);\n"],
    ["a file whose flags stand elsewhere", "a.go", "f, err := os.OpenFile(path, flags, 0o644)\n"],
    ["a profile", "a.go", "f, _ := os.Create(*cpuprofile)\n"],
    ["a lock", "a.pl", 'open(my $lockFd, ">", "$dir/LOCK");\n'],
    ["a setting of the kernel", "a.c", 'FILE *f = fopen("/proc/sys/fs/limit", "w");\n'],
    ["a test at the end of its module", "a.rs", "#[cfg(test)]\nmod tests {\n    fs::write(path, text);\n}\n"],
    ["a list that is no Redis", "a.js", 'client.lpush("jobs", 1)\n'],
    ["a stream that is read", "a.cc", "std::fstream in(path, std::ios::in);\n"],
    ["the declaration of a function", "a.c", "int rename(const char *from, const char *to);\n"]
  ])("%s is no write", (_, path, text) => {
    assert.deepStrictEqual(linesIn(path, text), [])
  })

  it.each([
    ["a file that is moved into its place", "a.py", "import os\nos.replace(beside, path)\n", 2],
    ["data in a file", "a.py", "yaml.dump(data, f)\n", 1],
    ["a file that is opened for writing", "A.java", 'new RandomAccessFile(path, "rw");\n', 1],
    ["a new file in C#", "A.cs", "new FileStream(path, FileMode.Create);\n", 1],
    ["a file with its flags", "a.go", "f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)\n", 1],
    ["a module before its tests", "a.rs", "fs::write(path, text);\n#[cfg(test)]\nmod tests {}\n", 1],
    ["a list of Redis", "a.js", 'const redis = require("redis")\nclient.lpush("jobs", 1)\n', 2],
    ["a stream that is written", "a.cc", "std::fstream out(path, std::ios::out | std::ios::trunc);\n", 1],
    ["a file that C moves into its place", "a.c", "rename(beside, path);\n", 1],
    ["a file that Perl moves into its place", "a.pl", 'rename("$path.new", $path);\n', 1],
    ["an entry of a directory", "A.java", "import javax.naming.directory.*;\nctx.modifyAttributes(dn, mods);\n", 2],
    ["a record of Ecto", "lib/a.ex", "Repo.insert!(changeset)\n", 1],
    ["a file of Objective-C", "A.m", "[data writeToFile:path atomically:YES];\n", 1]
  ])("%s is written", (_, path, text, line) => {
    assert.deepStrictEqual(linesIn(path, text), [line])
  })

  it("a file that a method opens, a function that is imported by its name, and Lua count; reading does not", () => {
    assert.deepStrictEqual(
      linesIn("Writer.pm", "$self->Open(\\*OUT, $name, '>');\n$self->Open(\\*IN, $name, '<');\n"),
      [1]
    )
    assert.deepStrictEqual(linesIn("a.py", 'with path.open("wb") as f:\n    pass\nwith path.open("rb") as f:\n'), [1])
    assert.deepStrictEqual(linesIn("a.lua", 'local f = io.open(name, "w")\nlocal g = io.open(name, "r")\n'), [1])
    assert.deepStrictEqual(
      linesIn("a.js", 'import { writeFile } from "node:fs/promises"\nwriteFile(path, text)\n'),
      [2]
    )
    assert.deepStrictEqual(linesIn("b.js", 'import { writeFile } from "./own"\nwriteFile(path, text)\n'), [])
  })

  it("a database of Rust is one of a library that the file names, not the program's own", () => {
    assert.deepStrictEqual(linesIn("a.rs", "use redb::Database;\nlet db = Database::create(path)?;\n"), [2])
    assert.deepStrictEqual(linesIn("b.rs", "use crate::db::Database;\nlet db = Database::open()?;\n"), [])
  })

  it("what a program says of its own work is no state, unless it keeps nothing else", async () => {
    const log = { "app/logger.py": 'def start():\n    f = open("work.txt", "a")\n' }
    const dataOf = async (texts: Readonly<Record<string, string>>) =>
      (await outputOf(texts)).guides.find(({ slug }) => slug === "architecture")?.content ?? ""
    assert.notInclude(await dataOf({ ...log, "app/book.py": 'open("book.txt", "w")\n' }), "app/logger.py")
    assert.include(await dataOf(log), "app/logger.py:2")
  })
})

describe("Reasons in comments", () => {
  const reasonsIn = (path: string, text: string) =>
    reasonsOf(new SourceFile({ path, text })).map(({ line, text: asked }) => `${line}: ${asked}`)

  it("a sentence that asks for something and says why counts, over several lines, at the line on which it begins", () => {
    const text =
      "export const a = 1\n// Takes both locks. They must be taken in this order,\n// otherwise two workers wait for each other.\nexport const b = 2\n"
    assert.deepStrictEqual(reasonsIn("src/a.ts", text), [
      "2: They must be taken in this order, otherwise two workers wait for each other."
    ])
    const python = "# Never close the file here, because the reader still needs it.\nx = 1\n"
    assert.deepStrictEqual(reasonsIn("a.py", python), [
      "1: Never close the file here, because the reader still needs it."
    ])
    const java =
      "/**\n * Callers must hold the lock so that no other thread sees half of it.\n * @return the state\n */\n"
    assert.deepStrictEqual(reasonsIn("A.java", java), [
      "2: Callers must hold the lock so that no other thread sees half of it."
    ])
  })

  it("a demand without a reason, a reason without a demand, code that is commented out and a licence do not", () => {
    for (const line of [
      "// The cart must be locked before it is changed.",
      "// The cart is locked because two workers may change it.",
      "// You must not use this file because the license forbids it to everyone.",
      '// if (never) { throw Error("because it must not happen at all") }',
      "// TODO this must be changed because it is slow and no one knows why.",
      "// Fails once the mirror has grown past the limit, and never ends otherwise.",
      "// The digest is of the code, so that no one must remember to raise a number.",
      "// Locks are always taken by name, so that two callers do not wait for each other."
    ])
      assert.deepStrictEqual(reasonsIn("src/a.ts", `${line}\n`), [], line)
  })

  it("is a principle with its place, about the folder that it stands in", () => {
    const reason = { line: 7, text: "Never retry a payment, otherwise it is made twice." }
    const [rule] = reasonRules(surveyOf({}, { "src/pay/send.ts": { reasons: [reason] } }))
    assert.strictEqual(rule?.text, "“Never retry a payment, otherwise it is made twice.” (`src/pay/send.ts:7`)")
    assert.deepStrictEqual(
      [rule?.origin, rule?.scope, rule?.cites],
      ["stated", { folder: "src/pay" }, [{ path: "src/pay/send.ts", line: 7 }]]
    )
  })
})

describe("Writes of what is not run", () => {
  const written = (path: string, text: string) => storesOf(new SourceFile({ path, text })).map(({ line }) => line)

  it("comments and code that is left out of C write nothing, what stands between them does", () => {
    const inside = '/* Once:\n   f = fopen(name, "w");\n*/\nint a;\n#if 0\n  f = fopen(old, "w");\n#endif\n'
    assert.deepStrictEqual(written("src/a.c", inside), [])
    const beside = '/* One. */\nf = fopen(name, "w");\n/* Two. */\n#if 0\n#else\nf = fopen(other, "w");\n#endif\n'
    assert.deepStrictEqual(written("src/a.c", beside), [2, 6])
  })

  it("examples in the documents of a module of Perl write nothing, what follows them does", () => {
    const example = "  open(my $out, '>', $file);\n"
    const module = `package Kettle;\n\n=head1 SYNOPSIS\n\n${example}\n=cut\n\nsub save {\n${example}}\n`
    assert.deepStrictEqual(written("lib/Kettle.pm", module), [10])
  })
})

describe("Quotations", () => {
  it.each([
    ["Run `make &lt;target>`", "“Run `make &lt;target>`”"],
    ["Run `make <target>` first", "“Run `make <target>` first”"],
    ["Python &lt; 3 &amp; PyPy", "“Python < 3 & PyPy”"],
    ["Replace <your name> there", "“Replace `<your name>` there”"],
    ["Press <kbd>Enter</kbd> once", "“Press Enter once”"],
    ["Not <script src=x onerror='a'> this", "“Not &lt;script src=x onerror='a'> this”"]
  ])("%s", (text, expected) => {
    assert.strictEqual(quoted(text), expected)
  })
})

describe("Principles that documents state", () => {
  it("each item of a style guide is one, with its first sentence, wherever the guide lies; of a page for users none is", async () => {
    const items =
      "# Style\n\n- Behaviour is written once, in a service. Handlers call it.\n- Names of tables are plural nouns.\n"
    const { principles_md } = await outputOf({ "docs/house-style.md": items, "docs/usage.md": items })
    assert.include(principles_md, "“Behaviour is written once, in a service.” (`docs/house-style.md:3`)")
    assert.include(principles_md, "“Names of tables are plural nouns.” (`docs/house-style.md:4`)")
    assert.notInclude(principles_md, "docs/usage.md")
  })

  it("a decision is named by its title without its number", async () => {
    const { principles_md } = await outputOf({ "docs/adr/0004-x.md": "# 4. Grammars are files of the repository\n" })
    assert.include(principles_md, "Decision: “Grammars are files of the repository” (`docs/adr/0004-x.md:1`)")
  })
})

describe("Habits of a language", () => {
  it("how its files are named is said only where it is one of those the program is written in", async () => {
    const files = (folder: string, ending: string, text: string) =>
      Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${folder}/some_thing_${"abcdefgh"[i]}.${ending}`, text]))
    const large = "def work(a):\n    return a\n\n\n".repeat(40)
    const { principles_md } = await outputOf({ ...files("app", "py", large), ...files("tools", "rb", "puts 1\n") })
    assert.include(principles_md, "Python files of more than one word are named in snake_case")
    assert.notInclude(principles_md, "Ruby files")
  })
})
