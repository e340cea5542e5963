import { filled, type WorstCase } from "../../support/worstCase.ts"

const handler: readonly [string, string] = ['app.get("/x", (req, res) => {\nlet a = req.query.a\n', "\n})\n"]

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["exported_path"],
    path: "index.js",
    text: (size) =>
      filled(size, "exports.f = (a) => fs.readFileSync(path.join(__dirname, a))\n", [
        'const fs = require("fs")\nconst path = require("path")\n',
        ""
      ])
  },
  {
    rules: ["untrusted_path"],
    path: "src/a.js",
    text: (size) =>
      filled(size, "fs.readFile(path.join(a, a), f)\n", ['const fs = require("fs")\n' + handler[0], handler[1]])
  },
  {
    rules: ["untrusted_path"],
    path: "src/b.js",
    text: (size) =>
      filled(size, 'if (!path.resolve(a).startsWith(root)) a = a + "/x"\n', [
        'const fs = require("fs")\n' + handler[0],
        handler[1]
      ])
  },
  {
    rules: ["zip_slip"],
    path: "src/a.go",
    text: (size) =>
      filled(size, "os.Create(filepath.Join(d, f.Name))\n", [
        'package a\nimport ("archive/zip"; "os"; "path/filepath")\nfunc x(f *zip.File, d string) {\n',
        "}\n"
      ])
  },
  {
    rules: ["untrusted_include"],
    path: "src/a.php",
    text: (size) => filled(size, 'include $a . "/" . $_GET["x"];\n', ["<?php\n", ""])
  },
  { rules: ["untrusted_include"], path: "src/b.php", text: (size) => filled(size, "include (", ["<?php\n", "$a;\n"]) },
  {
    rules: ["untrusted_upload_name"],
    path: "src/a.py",
    text: (size) =>
      filled(size, '    f.save(os.path.join("a", f.filename))\n', [
        'import os\nfrom flask import request\ndef x():\n    f = request.files["f"]\n',
        ""
      ])
  },
  {
    rules: ["untrusted_path"],
    path: "src/paths.c",
    text: (size) =>
      filled(
        size,
        `int f(char *a) {\nchar b[8];\n${"strcat(b, getenv(a)); strcat(b, b); fopen(b, a);\n".repeat(200)}}\n`
      )
  },
  {
    rules: ["exported_path"],
    path: "index.js",
    text: (size) =>
      filled(size, "fs.readFileSync(path.join(__dirname, u))\n", [
        'const fs = require("fs"), path = require("path")\nexports.x = (u) => {\n',
        "\n}\n"
      ])
  },
  {
    rules: ["prefix_without_separator"],
    path: "src/c.js",
    text: (size) =>
      filled(size, "t = path.resolve(root, t)\nif (!t.startsWith(root)) throw new Error(t)\n", [
        'const path = require("path")\nfunction f(root, t) {\n',
        "\n}\n"
      ])
  },
  {
    rules: ["prefix_of_joined_path"],
    path: "src/a.py",
    text: (size) =>
      filled(size, "  t = os.path.join(root, t)\n  if not t.startswith(root): raise ValueError(t)\n", [
        "import os\ndef f(root, t):\n",
        "\n"
      ])
  }
]
