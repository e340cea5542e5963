import { assert, describe, it } from "vitest"
import { editedBytes, editedText } from "../../src/engine/core/fix/applyEdits.ts"
import type { Edit } from "../../src/engine/core/fix/Fixer.ts"
import { argumentList, itemAddition, itemRemoval, withEntry } from "../../src/engine/languages/edits/arguments.ts"
import { type ImportRequest, importing } from "../../src/engine/languages/edits/importing.ts"
import { importRemovals } from "../../src/engine/languages/edits/importRemovals.ts"
import { removal } from "../../src/engine/languages/edits/removal.ts"
import { calls } from "../../src/engine/languages/syntax/vocabulary.ts"
import { sourceFile } from "../support/audit.ts"

describe("an import is added where the language's convention puts it:", () => {
  const table: ReadonlyArray<
    readonly [title: string, path: string, before: string, ImportRequest, local: string | null, after: string | null]
  > = [
    [
      "after the last import of a module",
      "a.ts",
      'import fs from "node:fs"\n\nfs.a()\n',
      { module: "node:crypto", name: "randomBytes" },
      "randomBytes",
      'import fs from "node:fs"\nimport { randomBytes } from "node:crypto"\n\nfs.a()\n'
    ],
    [
      "into the braces of an import of the module",
      "a.ts",
      "import { createHash } from 'crypto';\n\ncreateHash('x');\n",
      { module: "node:crypto", name: "randomBytes" },
      "randomBytes",
      "import { createHash, randomBytes } from 'crypto';\n\ncreateHash('x');\n"
    ],
    [
      "not at all where the module is imported as a whole",
      "a.mjs",
      'import * as crypto from "crypto"\n',
      { module: "node:crypto", name: "randomBytes" },
      "crypto.randomBytes",
      'import * as crypto from "crypto"\n'
    ],
    [
      "as a call of require where the file has them, in the file's style",
      "a.js",
      "#!/usr/bin/env node\n'use strict';\nconst fs = require('fs');\nmodule.exports = fs;\n",
      { module: "node:child_process", name: "execFile" },
      "execFile",
      "#!/usr/bin/env node\n'use strict';\nconst fs = require('fs');\nconst { execFile } = require('child_process');\nmodule.exports = fs;\n"
    ],
    [
      "before the code of a module without imports",
      "a.mjs",
      "// Licence\nrun()\n",
      { module: "node:crypto", name: "randomBytes" },
      "randomBytes",
      '// Licence\nimport { randomBytes } from "node:crypto"\n\nrun()\n'
    ],
    [
      "not at all where the name is taken",
      "a.mjs",
      "const randomBytes = 1\n",
      { module: "node:crypto", name: "randomBytes" },
      null,
      null
    ],
    [
      "sorted among the standard library's modules",
      "a.py",
      '"""Doc."""\nfrom __future__ import annotations\n\nimport os\nimport sys\n\nimport flask\n\nos.sys()\n',
      { module: "secrets" },
      "secrets",
      '"""Doc."""\nfrom __future__ import annotations\n\nimport os\nimport secrets\nimport sys\n\nimport flask\n\nos.sys()\n'
    ],
    [
      "in a group of its own above other packages",
      "a.py",
      "from flask import Flask\n\napp = Flask()\n",
      { module: "secrets" },
      "secrets",
      "import secrets\n\nfrom flask import Flask\n\napp = Flask()\n"
    ],
    [
      "below the docstring",
      "a.py",
      '"""Doc."""\n\n\ndef f():\n    pass\n',
      { module: "json" },
      "json",
      '"""Doc."""\n\nimport json\n\n\ndef f():\n    pass\n'
    ],
    [
      "by the name it has already",
      "a.py",
      "import subprocess as sp\n",
      { module: "subprocess", name: "run" },
      "sp.run",
      "import subprocess as sp\n"
    ],
    [
      "beside other names of the module",
      "a.py",
      "from os import path\n",
      { module: "os", name: "urandom" },
      "urandom",
      "from os import path, urandom\n"
    ],
    [
      "sorted in the block of the standard library",
      "a.go",
      'package a\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"github.com/x/y"\n)\n',
      { module: "net/http", name: "Get" },
      "http.Get",
      'package a\n\nimport (\n\t"fmt"\n\t"net/http"\n\t"os"\n\n\t"github.com/x/y"\n)\n'
    ],
    [
      "as a block where there was one import",
      "a.go",
      'package a\n\nimport "os"\n',
      { module: "crypto/rand" },
      "rand",
      'package a\n\nimport (\n\t"crypto/rand"\n\t"os"\n)\n'
    ],
    [
      "below the package clause",
      "a.go",
      "package a\n\nfunc f() {}\n",
      { module: "os" },
      "os",
      'package a\n\nimport "os"\n\nfunc f() {}\n'
    ],
    [
      "sorted by its full name",
      "A.java",
      "package a;\n\nimport java.io.File;\nimport java.util.List;\n\nclass A {}\n",
      { module: "java.security", name: "SecureRandom" },
      "SecureRandom",
      "package a;\n\nimport java.io.File;\nimport java.security.SecureRandom;\nimport java.util.List;\n\nclass A {}\n"
    ],
    [
      "not at all where the whole package is imported",
      "A.java",
      "package a;\n\nimport java.security.*;\n\nclass A {}\n",
      { module: "java.security", name: "SecureRandom" },
      "SecureRandom",
      "package a;\n\nimport java.security.*;\n\nclass A {}\n"
    ],
    [
      "below the namespace",
      "a.php",
      "<?php\n\nnamespace A;\n\nclass B {}\n",
      { module: "C\\D" },
      "D",
      "<?php\n\nnamespace A;\n\nuse C\\D;\n\nclass B {}\n"
    ],
    [
      "after other libraries",
      "a.rb",
      "# frozen_string_literal: true\n\nrequire 'json'\n\nputs 1\n",
      { module: "digest" },
      "digest",
      "# frozen_string_literal: true\n\nrequire 'json'\nrequire 'digest'\n\nputs 1\n"
    ],
    [
      "sorted among uses",
      "a.rs",
      "use std::env;\nuse std::io;\n\nfn main() {}\n",
      { module: "std::fs" },
      "fs",
      "use std::env;\nuse std::fs;\nuse std::io;\n\nfn main() {}\n"
    ],
    [
      "among usings",
      "A.cs",
      "using System;\nusing System.Text;\n\nclass A {}\n",
      { module: "System.IO" },
      "System.IO",
      "using System;\nusing System.IO;\nusing System.Text;\n\nclass A {}\n"
    ]
  ]

  for (const [title, path, before, request, local, after] of table) {
    it(`${title} (${path})`, async () => {
      const imported = importing(await sourceFile(path, before), request)
      assert.strictEqual(imported?.local ?? null, local)
      if (imported !== null) assert.strictEqual(editedText(before, imported.edits), after)
    })
  }
})

describe("an import goes with its last use:", () => {
  const table: ReadonlyArray<
    readonly [title: string, path: string, before: string, removed: string, name: string, after: string]
  > = [
    ["the statement", "a.ts", 'import a from "a"\nimport b from "b"\n\nb(a)\n', "b(a)", "b", 'import a from "a"\n\n\n'],
    ["one of several names", "a.ts", 'import { a, b } from "a"\na(b)\n', "a(b)", "b", 'import { a } from "a"\n\n'],
    [
      "the braces beside a default",
      "a.ts",
      'import a, { b } from "a"\nb(1)\na()\n',
      "b(1)",
      "b",
      'import a from "a"\n\na()\n'
    ],
    ["a call of require", "a.js", 'const a = require("a")\na()\n', "a()", "a", "\n"],
    [
      "not while it is used",
      "a.ts",
      'import { b } from "a"\nb(1)\nb(2)\n',
      "b(1)",
      "b",
      'import { b } from "a"\n\nb(2)\n'
    ],
    ["a module", "a.py", "import os\nimport random\n\nrandom.x()\n", "random.x()", "random", "import os\n\n\n"],
    [
      "one of several modules",
      "a.py",
      "from a import (\n    b,\n    c,\n)\nb(c)\n",
      "b(c)",
      "b",
      "from a import (\n    c,\n)\n\n"
    ],
    [
      "a line of a block",
      "a.go",
      'package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc f() { os.Exit(1) }\n',
      "os.Exit(1)",
      "os",
      'package a\n\nimport (\n\t"fmt"\n)\n\nfunc f() {  }\n'
    ],
    [
      "the only line of a block",
      "a.go",
      'package a\n\nimport (\n\t"os"\n)\n\nfunc f() { os.Exit(1) }\n',
      "os.Exit(1)",
      "os",
      "package a\n\nfunc f() {  }\n"
    ],
    [
      "a class",
      "A.java",
      "import java.util.Random;\nclass A { Object a = new Random(); }\n",
      "new Random()",
      "Random",
      "class A { Object a = ; }\n"
    ],
    [
      "a class of a namespace",
      "a.php",
      "<?php\nuse A\\B;\nuse A\\C;\nnew B();\n",
      "new B()",
      "B",
      "<?php\nuse A\\C;\n;\n"
    ],
    [
      "an item of a list",
      "a.rs",
      "use a::{b, c};\nfn f() { b(); c() }\n",
      "b();",
      "b",
      "use a::{c};\nfn f() {  c() }\n"
    ]
  ]
  for (const [title, path, before, removed, name, after] of table) {
    it(`${title} (${path})`, async () => {
      const file = await sourceFile(path, before)
      const start = before.lastIndexOf(removed)
      const edit: Edit = { start, end: start + removed.length, text: "" }
      assert.strictEqual(editedText(before, [edit, ...importRemovals(file, [edit], new Set([name]))]), after)
    })
  }
})

describe("an argument", () => {
  const edited = async (
    path: string,
    text: string,
    edit: (file: Awaited<ReturnType<typeof sourceFile>>, list: number) => ReadonlyArray<Edit>
  ) => {
    const file = await sourceFile(path, text)
    return editedText(text, edit(file, argumentList(file.tree!, calls(file)[0]!.node)))
  }

  it("is added in the layout of its list", async () => {
    const add = (path: string, text: string) => edited(path, text, (file, list) => [itemAddition(file, list, "z=1")])
    assert.strictEqual(await add("a.py", "f()\n"), "f(z=1)\n")
    assert.strictEqual(await add("a.py", "f(a, b)\n"), "f(a, b, z=1)\n")
    assert.strictEqual(await add("a.py", "f(\n    a,\n    b,\n)\n"), "f(\n    a,\n    b,\n    z=1,\n)\n")
    assert.strictEqual(await add("a.py", "f(\n    a,\n    b\n)\n"), "f(\n    a,\n    b,\n    z=1\n)\n")
  })

  it("is replaced where it is named, and added where not", async () => {
    const set = (text: string) => edited("a.py", text, (file, list) => [withEntry(file, list, "z", "2", "z=2")])
    assert.strictEqual(await set("f(a, z=1)\n"), "f(a, z=2)\n")
    assert.strictEqual(await set("f(a)\n"), "f(a, z=2)\n")
  })

  it("is removed with its comma", async () => {
    const remove = (text: string, index: number) =>
      edited("a.py", text, (file, list) => itemRemoval(file, list, file.tree!.namedChildren(list)[index]!))
    assert.strictEqual(await remove("f(a, b, c)\n", 1), "f(a, c)\n")
    assert.strictEqual(await remove("f(a, b, c)\n", 2), "f(a, b)\n")
    assert.strictEqual(await remove("f(a)\n", 0), "f()\n")
  })
})

describe("a statement is removed", () => {
  const removed = async (text: string, statement: string) => {
    const start = text.indexOf(statement)
    return editedText(text, [removal(await sourceFile("a.js", text), start, start + statement.length)])
  }
  it("with its line, and with one of two blank lines around it", async () => {
    assert.strictEqual(await removed("a()\nb()\nc()\n", "b()"), "a()\nc()\n")
    assert.strictEqual(await removed("a()\n\nb()\n\nc()\n", "b()"), "a()\n\nc()\n")
    assert.strictEqual(await removed("a()\n\n\nc()\n", "a()"), "c()\n")
    assert.strictEqual(await removed("a(); b()\n", "b()"), "a();\n")
  })
})

describe("edits of bytes", () => {
  const text = "a\r\nü\uFFFDx😀y\r\n"
  const bytes = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from("a\r\nü"),
    Buffer.from([0xff]),
    Buffer.from("x😀y\r\n")
  ])

  it("keep a byte order mark, what is not UTF-8, and line ends", () => {
    assert.strictEqual(new TextDecoder().decode(bytes), text)
    const at = text.indexOf("y")
    const after = editedBytes(bytes, text, [{ start: at, end: at + 1, text: "1\n2" }])
    assert.deepStrictEqual(
      Buffer.from(after),
      Buffer.concat([bytes.subarray(0, bytes.length - 3), Buffer.from("1\r\n2\r\n")])
    )
  })

  it("map every offset as the decoder does", () => {
    let state = 1
    const next = (max: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return state % max
    }
    const leads = [0x41, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0x80, 0x82, 0xa0, 0xbf, 0xff, 0xc0, 0x9f]
    for (let round = 0; round < 2_000; round++) {
      const made = Buffer.from(Array.from({ length: 1 + next(12) }, () => leads[next(leads.length)]!))
      const decoded = new TextDecoder().decode(made)
      const bytesOf = (count: number) => Buffer.from(editedBytes(made, decoded, [{ start: 0, end: count, text: "" }]))
      assert.strictEqual(bytesOf(decoded.length).length, 0)
      const characters = [...decoded]
      const cut = characters.slice(0, next(characters.length + 1)).join("").length
      assert.strictEqual(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(cut)), decoded.slice(cut))
    }
  })

  it("are rejected where they overlap or lie outside", () => {
    assert.throws(
      () =>
        editedText("abc", [
          { start: 0, end: 2, text: "" },
          { start: 1, end: 3, text: "" }
        ]),
      /overlap/
    )
    assert.throws(() => editedText("abc", [{ start: 2, end: 4, text: "" }]), /outside/)
  })
})
