import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { storesOf } from "../../../../src/engine/discovery/observers/stores.ts"
import { outputOf } from "../../../support/survey.ts"

const kept = (path: string, text: string) =>
  storesOf(new SourceFile({ path, text })).map(({ kind, line }) => `${kind} ${line}`)

describe("Writes, by language", () => {
  it.each([
    [
      "nodes of ZooKeeper by a client's chain of calls, and not what only reads them",
      "Save.java",
      "import org.apache.curator.framework.CuratorFramework;\nclass Save {\n  void run() {\n    client.setData().inBackground().forPath(path, bytes);\n    client.getData().forPath(path);\n  }\n}\n",
      ["nodes of ZooKeeper 4"]
    ],
    [
      "items of DynamoDB, and no items of anything else",
      "save.py",
      "def save(db, id):\n    db.update_item(Key={'id': id})\n    db.get_item(Key={'id': id})\n",
      ["a database 2"]
    ],
    [
      "what Redis is asked to set, where it is imported",
      "save.js",
      'const redis = require("redis")\nclient.set("wagon", 1)\nwagons.set("wagon", 1)\n',
      ["a key-value store 2"]
    ],
    [
      "files that a script of the shell redirects into by a variable, and none that is for a moment",
      "save.sh",
      '#!/bin/sh\necho "$wagon" >> "$WAGON_FILE"\necho x > "$TMPFILE"\necho y > /dev/null\n',
      ["files 2"]
    ],
    [
      "a temporary file of Rust that is given its name at the end",
      "save.rs",
      "use tempfile::NamedTempFile;\n\nfn save(path: &Path) {\n    let tmp = NamedTempFile::new().unwrap();\n    tmp.persist(path).unwrap();\n}\n",
      ["files 5"]
    ],
    [
      "what is opened over several lines, but not where these say that it is no file",
      "save.rs",
      'fn save(path: &Path) {\n    OpenOptions::new()\n        .write(true)\n        .open(path);\n    OpenOptions::new()\n        .read(true)\n        .open("/dev/null");\n}\n',
      ["files 2"]
    ],
    [
      "Tcl, with the name of the file in quotes or put together",
      "save.tcl",
      'set f [open "$home/my barges" w]\nset g [open [file join $home crews] a]\nset h [open $home r]\n',
      ["files 1", "files 2"]
    ],
    ["a database of SQLite in Tcl", "save.tcl", "package require sqlite3\nsqlite3 db $path\n", ["SQLite 2"]],
    [
      "documents of Elasticsearch",
      "save.py",
      "from elasticsearch import Elasticsearch\n\ndef save(self, barge):\n    self.elasticsearch.index(index='barges', body=barge)\n    self.cargo.index('coal')\n",
      ["a database 4"]
    ],
    [
      "NeDB under a scope",
      "save.js",
      'const Datastore = require("@acme-io/nedb")\nconst db = new Datastore({ filename: "a" })\n',
      ["a database 2"]
    ],
    ["lowdb", "save.js", 'import { Low } from "lowdb"\nconst db = new Low(adapter, {})\n', ["files 2"]],
    [
      "a channel of OCaml",
      "save.ml",
      "let save path text =\n  let out = open_out_gen [Open_append] 0o644 path in\n  output_string out text\n",
      ["files 2"]
    ],
    [
      "Out_channel of OCaml",
      "save.ml",
      "let save path text =\n  Out_channel.with_open_text path (fun out -> output_string out text)\n",
      ["files 2"]
    ],
    ["withFile of Haskell", "Save.hs", "save path = withFile path WriteMode $ \\h ->\n  hPutStr h text\n", ["files 1"]],
    [
      "D",
      "save.d",
      'void save(string path) {\n  auto f = File(path, "w");\n  std.file.write(path, text);\n}\n',
      ["files 2", "files 3"]
    ],
    [
      "a file that Elixir opens for writing",
      "lib/a.ex",
      "File.open!(path, [:write])\nFile.write_stream(path)\n",
      ["files 1", "files 2"]
    ],
    ["Erlang", "a_store.erl", "save(P) ->\n    {ok, F} = file:open(P, [write]).\n", ["files 2"]],
    [
      "a file of GIO that Vala copies or removes",
      "a.vala",
      "file.copy_async (target, FileCopyFlags.NONE);\nfile.trash_async ();\nfile.move (target, FileCopyFlags.OVERWRITE);\n",
      ["files 1", "files 2", "files 3"]
    ],
    [
      "a file of GIO in C",
      "a.c",
      "g_file_replace_contents (file, text, length, NULL, FALSE, 0, NULL, NULL, &error);\n",
      ["files 1"]
    ],
    [
      "a file of GIO in Python",
      "a.py",
      "from gi.repository import Gio\nfile.replace_contents(text, None, False, 0, None)\n",
      ["files 2"]
    ],
    [
      "fopen in a condition, within another call and with a mode that is chosen",
      "a.c",
      'if ((f = fopen(path_of(a, b), "w")) == NULL) fail();\nread_into(fopen(path, "r+"), text);\nf = fopen(path, isMore ? "a" : "w");\n',
      ["files 1", "files 2", "files 3"]
    ],
    ["what a framework saves settings with", "a.cpp", "fcitx::safeSaveAsIni(config_, path);\n", ["settings 1"]],
    [
      "a database of Node",
      "a.js",
      'import Database from "better-sqlite3"\nconst db = new Database(path)\n',
      ["SQLite 2"]
    ],
    [
      "an engine of SQLAlchemy",
      "a.py",
      "from sqlalchemy import create_engine\nfrom sqlalchemy.orm import sessionmaker\nengine = create_engine(url)\n",
      ["a database 3"]
    ],
    [
      "a file of Object Pascal",
      "Pour.pas",
      "unit Pour;\nbegin\n  Assign (F, 'cups.dat');\n  ReWrite (F, 1);\n  S := TFileStream.Create(Path, fmCreate);\n  Lines.SaveToFile(Path);\nend.\n",
      ["files 4", "files 5", "files 6"]
    ],
    [
      "settings of Object Pascal",
      "pour.pp",
      "unit Pour;\nuses IniFiles;\nvar Ini: TIniFile;\nbegin\n  Ini.WriteString('cup', 'size', S);\nend.\n",
      ["settings 5"]
    ],
    [
      "CoffeeScript, with and without parentheses",
      "a.coffee",
      "save = (path) ->\n  fs.writeFileSync path, text\n  fs.appendFile(path, text)\n",
      ["files 2", "files 3"]
    ],
    ["a queue of Python", "a.py", 'channel.basic_publish(exchange="", routing_key="cups", body=text)\n', ["a queue 1"]],
    [
      "a topic of Kafka",
      "a.js",
      "const { Kafka } = require('kafkajs')\nawait producer.send({ topic: 'cups', messages })\n",
      ["a queue 2"]
    ],
    [
      "a file whose mode says that it is written",
      "a.go",
      "f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o600)\n",
      ["files 1"]
    ]
  ])("%s", (_, path, text, expected) => {
    assert.deepStrictEqual(kept(path, text), expected)
  })

  it.each([
    ["a function of the same name in OCaml", "save.ml", "let open_out path = Channel.make path\n"],
    ["a file that Haskell reads", "Load.hs", "load path = withFile path ReadMode $ \\h ->\n  hGetContents h\n"],
    ["a file that D reads", "load.d", 'auto f = File(path, "r");\n'],
    ["a window that is moved", "a.vala", "window.move (3, 4);\n"],
    ["a method that is called trash, without GIO", "a.py", "mailbox.trash(message)\n"],
    ["a setting of the kernel for one process", "a.go", "f, err := os.OpenFile(oomScorePath, os.O_WRONLY, 0)\n"],
    ["a file that is created where it is missing, and read", "a.go", "os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0)\n"],
    ["a terminal", "a.go", "tty, err := os.OpenFile(ttyPath, os.O_RDWR, 0)\n"],
    ["a comment of Object Pascal", "a.pas", "unit A;\n{ once\n  ReWrite (F, 1);\n}\nWriteLn('x'); ReWrite(Output);\n"],
    ["a manifest of Puppet", "a.pp", "file { $path: }\nrewrite (F)\n"],
    ["WriteString of what are no settings", "a.pas", "unit A;\nS.WriteString('cup');\n"],
    ["what CoffeeScript reads", "a.coffee", "text = fs.readFileSync path\nwriter.writeFile path\n"],
    ["a producer that is not Kafka's", "a.js", "await producer.send(film)\n"],
    ["what publishes without a queue", "a.go", "err := book.Publish(ctx)\n"],
    ["a Datastore that is not NeDB's", "a.js", "const store = new Datastore(client)\n"],
    ["fopen for reading", "a.c", 'if ((f = fopen(path, "rb")) == NULL) fail();\n'],
    ["the declaration of such a function", "a.cpp", "bool safeSaveAsIni(const Config &config);\n"],
    [
      "an engine that asks whether a database answers",
      "a.py",
      'from sqlalchemy import create_engine, text\nengine = create_engine(url)\nengine.connect().execute(text("SELECT 1"))\n'
    ],
    ["a Database that is not SQLite's", "a.js", 'import { Database } from "./own.js"\nconst db = new Database(path)\n']
  ])("%s writes nothing", (_, path, text) => {
    assert.deepStrictEqual(kept(path, text), [])
  })

  it("what a server keeps comes before what its pages keep", async () => {
    const { guides } = await outputOf({
      "web/src/storage.ts": 'export const keep = (text: string) => localStorage.setItem("a", text)\n',
      "book.go": "package book\n\nfunc keep() error { return os.WriteFile(path, text, 0o600) }\n"
    })
    const architecture = guides.find(({ slug }) => slug === "architecture")?.content ?? ""
    assert.match(architecture, /`book\.go:3` writes files[\s\S]*`web\/src\/storage\.ts:1` writes the browser's storage/)
  })

  it("memory that processes share is none, whatever its name is kept in", async () => {
    const written = async (line: string) =>
      (await outputOf({ "src/a.c": `int keep(void) {\n  ${line}\n  return 0;\n}\n` })).guides.some(({ content }) =>
        content.includes("writes files")
      )
    assert.isTrue(await written("fd = open(book_path, O_RDWR | O_CREAT, 0600);"))
    assert.isFalse(await written("fd = open(shm_path, O_RDWR | O_CREAT, 0600);"))
  })
})

describe("a file of Python that is written beside its place", () => {
  const save = (next: string) =>
    `def save(self):\n    tmp = self.path.with_suffix(".tmp")\n    tmp.write_text(text)\n${next}`

  it("counts where it is moved there soon, and is for a moment only where it is not", () => {
    assert.deepStrictEqual(kept("a.py", save("    tmp.replace(self.path)\n")), ["files 3"])
    assert.include(kept("a.py", save("    os.replace(tmp, self.path)\n")), "files 3")
    assert.deepStrictEqual(kept("a.py", save("    return read(tmp)\n")), [])
  })
})

describe("files that a new project begins with", () => {
  const saves = (name: string) => `def ${name}():\n    with open("main.py", "w") as out:\n        out.write("run()")\n`
  const routes = `from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.route("/tea")\ndef tea():\n    return "{}"\n`
  const isShown = async (texts: Readonly<Record<string, string>>): Promise<boolean> =>
    ((await outputOf(texts)).guides.find(({ slug }) => slug === "architecture")?.content ?? "").includes("writes files")

  it("are no data of a program that answers requests, and all that others write", async () => {
    assert.isFalse(await isShown({ "kettle/cli.py": saves("init_project"), "kettle/app.py": routes }))
    for (const name of ["save_project", "create_app"])
      assert.isTrue(await isShown({ "kettle/cli.py": saves(name), "kettle/app.py": routes }))
    assert.isTrue(await isShown({ "kettle/cli.py": saves("init_project"), "kettle/app.py": "def run():\n    pass\n" }))
  })
})
