import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_path: {
    languages: ["c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Path traversal",
    description:
      "An attacker reads, replaces or removes files outside of the intended folder. Untrusted input is part of a file " +
      "path, and `../` or an absolute path in it leads anywhere. Resolve the whole path and reject it unless it begins " +
      "with that folder and a separator (`path.resolve` and `startsWith`, `Path.resolve().is_relative_to`, " +
      "`getCanonicalPath`, `filepath.IsLocal`, `realpath`), use only the base name (`basename`, `secure_filename`), or " +
      "look the file up by an identifier.",
    example: {
      path: "server/downloads.js",
      bad: `const fs = require("node:fs")
const path = require("node:path")

app.get("/invoices/:name", (req, res) => {
  fs.createReadStream(path.join(INVOICES, req.params.name)).pipe(res)
})
`,
      good: `const fs = require("node:fs")
const path = require("node:path")

app.get("/invoices/:name", (req, res) => {
  fs.createReadStream(path.join(INVOICES, path.basename(req.params.name))).pipe(res)
})
`
    },
    cwe: [22],
    // On code the rule was not tuned on, none of the matches read was plainly right: management interfaces, mostly.
    confidence: 0.65,
    effort: "small",
    risk: "low"
  },
  zip_slip: {
    languages: ["csharp", "go", "java", "javascript", "python"],
    title: "Zip Slip: path traversal through archive entry names",
    description:
      "An attacker overwrites configuration or code outside of the target folder with an archive whose entries are " +
      "named `../../etc/cron.d/job`. The name of an archive entry becomes part of a path without a check. Resolve the " +
      "target of every entry and skip those outside of the target folder, or use an unpacker that does so " +
      "(`ZipFile.extractall`, `tarfile` with `filter='data'`).",
    example: {
      path: "storage/unpack.go",
      bad: `package storage

import (
	"archive/zip"
	"os"
	"path/filepath"
)

func create(entry *zip.File, folder string) (*os.File, error) {
	return os.Create(filepath.Join(folder, entry.Name))
}
`,
      good: `package storage

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
)

func create(entry *zip.File, folder string) (*os.File, error) {
	if !filepath.IsLocal(entry.Name) {
		return nil, fmt.Errorf("unsafe entry %q", entry.Name)
	}
	return os.Create(filepath.Join(folder, entry.Name))
}
`
    },
    cwe: [22],
    // Right in none of six matches read by hand: checks are often made on a normalized copy of the name.
    confidence: 0.65,
    effort: "small",
    risk: "low"
  },
  untrusted_include: {
    languages: ["php"],
    title: "File inclusion (LFI/RFI): untrusted input in a PHP include",
    description:
      "An attacker runs any PHP code that reaches the machine: `../` leads to uploads, logs and sessions that hold what " +
      "they wrote, and with remote includes turned on any URL works. Untrusted input is part of the path that is " +
      "included as code. Look the name up in an allowlist and include the path that it maps to.",
    example: {
      path: "web/index.php",
      bad: `<?php
include "pages/" . $_GET["page"] . ".php";
`,
      good: `<?php
$pages = ["home" => "pages/home.php", "about" => "pages/about.php"];
include $pages[$_GET["page"]] ?? "pages/home.php";
`
    },
    cwe: [98],
    // Programs that load plugins include what an administrator chose, after checks that are functions of their own.
    confidence: 0.65,
    effort: "small",
    risk: "low",
    priority: "P0"
  },
  untrusted_upload_name: {
    languages: ["csharp", "java", "javascript", "php", "python"],
    title: "Unrestricted file upload: stored under the client's file name",
    description:
      "An attacker uploads a script or a page to where the server runs or serves it, or replaces another user's file. " +
      "The file name sent with the upload, its extension included, becomes part of the path of the stored file. Store " +
      "uploads under a generated name (a UUID), keep the original name as data only, and choose the extension from an " +
      "allowlist.",
    example: {
      path: "app/uploads.py",
      bad: `import os
from flask import Flask, request

app = Flask(__name__)


@app.route("/avatar", methods=["POST"])
def avatar():
    upload = request.files["avatar"]
    upload.save(os.path.join("static/avatars", upload.filename))
    return "", 204
`,
      good: `import os
import uuid
from flask import Flask, request

app = Flask(__name__)


@app.route("/avatar", methods=["POST"])
def avatar():
    upload = request.files["avatar"]
    upload.save(os.path.join("static/avatars", f"{uuid.uuid4()}.png"))
    return "", 204
`
    },
    cwe: [434, 22],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  exported_path: {
    languages: ["go", "javascript", "python"],
    title: "Path traversal: library function joins its parameter to a folder",
    description:
      "Anyone whose text reaches this function through a program that uses the library reads or replaces files outside " +
      "of the folder that the library chose. A function that the library exports appends its parameter to that folder " +
      "without a check. Resolve the whole path and reject it unless it begins with the folder and a separator, or use " +
      "only the base name.",
    example: {
      path: "index.js",
      bad: `const fs = require("node:fs")
const path = require("node:path")

exports.template = (name) => fs.readFileSync(path.join(__dirname, "templates", name), "utf8")
`,
      good: `const fs = require("node:fs")
const path = require("node:path")

exports.template = (name) => fs.readFileSync(path.join(__dirname, "templates", path.basename(name)), "utf8")
`,
      besides: { "package.json": '{ "name": "sample", "version": "1.0.0", "main": "index.js" }' }
    },
    cwe: [22],
    // Read on libraries: stores and loaders whose names their own program chose. Off unless it is switched on.
    confidence: 0.4,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  prefix_without_separator: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Partial path traversal: prefix test without a separator at its end",
    description:
      "An attacker reaches files in a folder beside the intended one. A resolved path is taken for one inside of a folder " +
      "because its text begins with the folder's, but `/srv/files-old/a` begins with `/srv/files`, too, and `../files-old/a` " +
      "leads there. Compare with the folder and a separator at its end (`root + path.sep`), or by parts of the path: " +
      "`path.relative`, `Path.is_relative_to` and `os.path.commonpath`, `Path.startsWith` of Java, `filepath.IsLocal`, " +
      "`filepath.Rel`.",
    example: {
      path: "server/files.js",
      bad: `const path = require("node:path")

exports.locate = (root, name) => {
  const target = path.resolve(root, name)
  if (!target.startsWith(root)) throw new Error("outside of the folder")
  return target
}
`,
      good: `const path = require("node:path")

exports.locate = (root, name) => {
  const target = path.resolve(root, name)
  if (!target.startsWith(root + path.sep)) throw new Error("outside of the folder")
  return target
}
`
    },
    cwe: [22],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  prefix_of_joined_path: {
    languages: ["csharp", "java", "python", "ruby"],
    title: "Path traversal: prefix test of a path that is joined and not resolved",
    description:
      "An attacker reads, replaces or removes files outside of the intended folder, although the code asks for it. A path that " +
      "is put together of a folder and a name begins with that folder whatever the name is: `/srv/files/../keys` does. Resolve the path " +
      "before it is compared (`os.path.realpath`, `getCanonicalPath`, `Path.GetFullPath`, `File.expand_path`), and compare " +
      "it with the folder and a separator.",
    example: {
      path: "storage/files.py",
      bad: `import os

def locate(root, name):
    target = os.path.join(root, name)
    if not target.startswith(root + os.sep):
        raise ValueError("outside of the folder")
    return target
`,
      good: `import os

def locate(root, name):
    target = os.path.realpath(os.path.join(root, name))
    if not target.startswith(os.path.realpath(root) + os.sep):
        raise ValueError("outside of the folder")
    return target
`
    },
    cwe: [22],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
