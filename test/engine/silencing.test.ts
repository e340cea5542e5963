import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { ScanOptions } from "../../src/engine/core/scan/ScanOptions.ts"
import { foreignMarks } from "../../src/engine/core/silencing/foreignMarks.ts"
import { ignoreComments } from "../../src/engine/core/silencing/ignoreComments.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { sourceFile, treeOf } from "../support/audit.ts"
import { madeUp } from "../support/madeUp.ts"

const shell = (name: string) => `import os\n\ndef run(request):\n    os.system("ls " + request.args["${name}"])`
const audit = (texts: Readonly<Record<string, string>>, options: Partial<ScanOptions> = {}) =>
  scan(treeOf(texts), { suite: "full", tools, ...options })

const reported = (result: Awaited<ReturnType<typeof scan>>, tool = "command_injection") =>
  result.findings
    .filter((finding) => finding.tool === tool)
    .map(({ locations: [{ file_path, line_start }] }) => `${file_path}:${line_start}`)

const silencedBy = (result: Awaited<ReturnType<typeof scan>>) =>
  result.silenced.map(({ rule, path, line, by, reason }) => `${by} ${rule.split(".")[0]} ${path}:${line} ${reason}`)

const flagged = `from flask import request\nimport os\n\ndef run():\n    os.system("ls " + request.args["a"])\n`

describe("an ignore comment", () => {
  const comment = "assay: ignore command_injection -- only staff reach this page"

  it("silences the rules it names on its line or the line below, is counted, and keeps its reason", async () => {
    const result = await audit({
      "a.py": flagged.replace('["a"])', `["a"])  # ${comment}`),
      "b.py": flagged.replace("    os.system", `    # ${comment}\n    os.system`),
      "c.py": flagged
    })
    assert.deepStrictEqual(reported(result), ["c.py:5"])
    assert.deepStrictEqual(silencedBy(result), [
      "comment command_injection a.py:5 only staff reach this page",
      "comment command_injection b.py:6 only staff reach this page"
    ])
    assert.deepStrictEqual(result.silenced_counts, { comment: 2 })
    assert.deepStrictEqual(result.stale_ignores, [])
  })

  it("silences a file where it says so", async () => {
    const result = await audit({ "a.py": `# assay: ignore-file command_injection -- a test page\n${flagged}` })
    assert.deepStrictEqual(reported(result), [])
    assert.deepStrictEqual(result.silenced_counts, { comment: 1 })
  })

  it("silences nothing without a reason, and is reported", async () => {
    const result = await audit({ "a.py": flagged.replace('["a"])', '["a"])  # assay: ignore command_injection') })
    assert.deepStrictEqual(reported(result), ["a.py:5"])
    assert.deepStrictEqual(result.warnings, [
      {
        path: "a.py",
        line: 5,
        message: "An ignore comment needs a reason and silences nothing without: add ` -- why`."
      }
    ])
  })

  it("is stale when it matches nothing that was looked for", async () => {
    const text = "# assay: ignore command_injection -- gone\nx = 1\n# assay: ignore of_no_suite.rule -- kept\ny = 1\n"
    const { stale_ignores } = await audit({ "a.py": text })
    assert.deepStrictEqual(stale_ignores, [{ path: "a.py", line: 1, rules: ["command_injection"], reason: "gone" }])
  })

  it("accepts a credential only by name, and counts it", async () => {
    const key = `ghp_${madeUp("alnum", 36)}`
    const kept = await audit({ "a.py": `# assay: ignore -- ours\ntoken = "${key}"\n` })
    assert.strictEqual(reported(kept, "secret_detection").length, 1)
    const named = await audit({ "a.py": `# assay: ignore secret_detection -- revoked\ntoken = "${key}"\n` })
    assert.deepStrictEqual(reported(named, "secret_detection"), [])
    assert.deepStrictEqual(named.silenced_counts, { comment: 1 })
  })

  const forms: ReadonlyArray<readonly [path: string, text: string]> = [
    ["a.ts", "// assay: ignore x -- r"],
    ["a.ts", "/* assay: ignore x -- r */"],
    ["a.tsx", "const a = <p>{/* assay: ignore x -- r */}</p>"],
    ["a.py", "# assay: ignore x -- r"],
    ["a.sql", "-- assay: ignore x -- r"],
    ["a.html", "<!-- assay: ignore x -- r -->"],
    ["a.css", "/* assay: ignore x -- r */"],
    ["a.lua", "-- assay: ignore x -- r"],
    ["a.ini", "; assay: ignore x -- r"],
    ["a.tex", "% assay: ignore x -- r"],
    ["a.j2", "{# assay: ignore x -- r #}"],
    ["a.hbs", "{{!-- assay: ignore x -- r --}}"],
    ["a.erb", "<%# assay: ignore x -- r %>"],
    ["a.cshtml", "@* assay: ignore x -- r *@"],
    ["Dockerfile", "# assay: ignore x -- r"],
    ["a.yaml", "# assay: ignore x -- r"]
  ]
  for (const [path, text] of forms) {
    it(`is read in ${path}: ${text}`, async () => {
      const [comment] = ignoreComments(await sourceFile(path, `${text}\n`))
      assert.deepStrictEqual([comment?.rules, comment?.reason], [["x"], "r"])
    })
  }

  it("is no text that the program holds", async () => {
    assert.deepStrictEqual(ignoreComments(await sourceFile("a.py", 'x = "# assay: ignore x -- r"\n')), [])
  })
})

describe("a mark of another tool", () => {
  it("silences the same concern at its place, and no other", async () => {
    const result = await audit({
      "same.py": flagged.replace('["a"])', '["a"])  # nosec B605'),
      "bare.py": flagged.replace('["a"])', '["a"])  # nosec'),
      "other.py": flagged.replace('["a"])', '["a"])  # nosec B608'),
      "style.py": flagged.replace('["a"])', '["a"])  # noqa: E501'),
      "ruff.py": flagged.replace('["a"])', '["a"])  # noqa: S605')
    })
    assert.deepStrictEqual(reported(result), ["other.py:5", "style.py:5"])
    assert.deepStrictEqual(result.silenced_counts, { foreign_mark: 3 })
  })

  it("of pylint silences a comparison of a value with itself by its number and by its name", async () => {
    const compared = (mark: string) => `def key(value):\n    ${mark}\n    return value < value\n`
    const result = await audit({
      "number.py": compared("# pylint: disable=R0124"),
      "name.py": compared("# pylint: disable=comparison-with-itself"),
      "other.py": compared("# pylint: disable=invalid-name")
    })
    assert.deepStrictEqual(reported(result, "correctness_bugs"), ["other.py:3"])
  })

  it("never silences a credential", async () => {
    const result = await audit({ "a.py": `token = "${`ghp_${madeUp("alnum", 36)}`}"  # nosec\n` })
    assert.strictEqual(reported(result, "secret_detection").length, 1)
  })

  const rangesOf = async (path: string, text: string) =>
    foreignMarks(await sourceFile(path, text)).map(({ first, last }) => `${first}-${last}`)

  const reaches: ReadonlyArray<readonly [title: string, path: string, text: string, lines: ReadonlyArray<string>]> = [
    ["the next line", "a.js", "// eslint-disable-next-line no-eval -- safe\neval(x)\n", ["1-2"]],
    ["the lines until it is lifted", "a.js", "/* eslint-disable no-eval */\n\n\n/* eslint-enable */\nx\n", ["1-4"]],
    ["its own line", "a.go", "package a\n\nvar x = f() // #nosec G404\n", ["3-3"]],
    ["the line below", "a.c", "// NOLINTNEXTLINE(cert-err34-c)\nint x = atoi(y);\n", ["1-2"]],
    ["the method", "A.java", '@SuppressWarnings("PMD.CyclomaticComplexity")\nclass A {\n  int b;\n}\n', ["1-4"]],
    ["the item", "a.rs", "#[allow(clippy::unwrap_used)]\nfn a() {\n  b().unwrap();\n}\nfn c() {}\n", ["1-4"]],
    ["the rest of the file", "A.cs", "#pragma warning disable CA5350\nvar a = 1;\nvar b = 2;", ["1-3"]],
    ["the command below", "a.sh", '#!/bin/sh\n# shellcheck disable=SC2115\nrm -rf "$a/"\n', ["2-3"]],
    ["the resource", "a.tf", 'resource "a" "b" {\n  #tfsec:ignore:aws-s3\n  c = 1\n}\nresource "d" "e" {\n}\n', ["1-4"]]
  ]
  for (const [title, path, text, lines] of reaches) {
    it(`counts for ${title}: ${path}`, async () => {
      assert.deepStrictEqual(await rangesOf(path, text), lines)
    })
  }
})

describe("the configuration of a repository", () => {
  it("switches rules off by path, which is counted", async () => {
    const result = await audit({
      ".assay.yaml": "rules:\n  by_path:\n    - paths: [admin/**]\n      off: [command_injection]\n",
      "admin/a.py": flagged,
      "shop/a.py": flagged
    })
    assert.deepStrictEqual(reported(result), ["shop/a.py:5"])
    assert.deepStrictEqual(silencedBy(result), [
      "configuration command_injection admin/a.py:5 Off in .assay.yaml, line 3."
    ])
  })

  it("excludes paths, but for credentials in them, and says how many files", async () => {
    const result = await audit({
      ".assay.yaml": "paths:\n  exclude: [legacy]\n",
      "legacy/b.py": flagged.replace('["a"])', '["a"])  # assay: ignore command_injection -- staff only'),
      "legacy/a.py": `${flagged}token = "${`ghp_${madeUp("alnum", 36)}`}"\n`,
      "shop/a.py": flagged
    })
    assert.deepStrictEqual(reported(result), ["shop/a.py:5"])
    assert.deepStrictEqual(reported(result, "secret_detection"), ["legacy/a.py:6"])
    assert.deepStrictEqual(
      result.left_out.map(({ reason, files }) => ({ reason, files })),
      [{ reason: "configuration", files: 2 }]
    )
    assert.deepStrictEqual(result.stale_ignores, [])
  })

  it("counts at once for files that an earlier audit left in the cache", async () => {
    const cache = await mkdtemp(join(tmpdir(), "assay-configuration-"))
    const files = { "shop/a.py": flagged, "legacy/a.py": flagged }
    const configured = {
      ...files,
      ".assay.yaml": "paths:\n  exclude: [legacy]\nroles:\n  - paths: [shop]\n    role: test\n"
    }
    await audit(files, { cache })
    const cached = await audit(configured, { cache })
    const fresh = await audit(configured)
    assert.deepStrictEqual([reported(cached), cached.findings], [[], fresh.findings])
    assert.deepStrictEqual(reported(await audit(files, { cache })), ["legacy/a.py:5", "shop/a.py:5"])
    await rm(cache, { recursive: true, force: true })
  })

  it("gives files another role, which hides no credential", async () => {
    const password = `db_password = "${madeUp("alnum", 20)}"\n`
    const result = await audit({
      ".assay.yaml": "roles:\n  - paths: [shop]\n    role: vendored\n  - paths: [tests/live]\n    role: source\n",
      "shop/a.py": `${flagged}${password}`,
      "tests/live/a.py": flagged
    })
    assert.deepStrictEqual(reported(result), ["tests/live/a.py:5"])
    assert.deepStrictEqual(reported(result, "secret_detection"), ["shop/a.py:6"])
  })

  it("says which element a component renders", async () => {
    const texts = { "src/a.tsx": "export const A = () => <Picture src={a} />\n" }
    const mapped = { ".assay.yaml": "accessibility:\n  components: { Picture: img }\n" }
    assert.deepStrictEqual(reported(await audit(texts), "accessibility"), [])
    assert.deepStrictEqual(reported(await audit({ ...texts, ...mapped }), "accessibility"), ["src/a.tsx:1"])
  })

  it("gives rules another priority", async () => {
    const result = await audit({
      ".assay.yaml": "rules:\n  priority: { command_injection: P3 }\n",
      "a.py": flagged
    })
    assert.deepStrictEqual(
      result.findings.filter(({ tool }) => tool === "command_injection").map(({ priority }) => priority),
      ["P3"]
    )
  })

  it("is warned of names that no tool or rule has", async () => {
    const { warnings } = await audit({ ".assay.yaml": "rules:\n  off: [complexitty, complexity]\n", "a.py": "x = 1\n" })
    assert.deepStrictEqual(
      warnings.map(({ line, message }) => `${line} ${message}`),
      ['2 There is no tool or rule "complexitty": docs/audit-tools.md lists them.']
    )
  })

  it("never fails an audit: what is wrong with it is a warning", async () => {
    const result = await audit({ ".assay.yaml": "paths: [\n", "a.py": flagged })
    assert.deepStrictEqual(reported(result), ["a.py:5"])
    assert.strictEqual(result.warnings[0]?.path, ".assay.yaml")
  })
})

describe("what else decides", () => {
  it("a workspace switches rules off, which is counted", async () => {
    const result = await audit({ "a.py": flagged }, { rulesOff: ["command_injection"] })
    assert.deepStrictEqual(reported(result), [])
    assert.deepStrictEqual(result.silenced_counts, { workspace: 1 })
  })

  it("a baseline holds what is known: new findings and further copies are reported", async () => {
    const first = await audit({ "a.py": flagged })
    const baseline = first.findings.map(({ signatures: { located, primary } }) => `${located} ${primary}`)
    const second = await audit({ "moved.py": `\n\n${flagged}`, "b.py": shell("b"), "copy.py": flagged }, { baseline })
    assert.deepStrictEqual(second.silenced_counts, { baseline: baseline.length })
    assert.strictEqual(reported(second).filter((place) => place !== "b.py:4").length, 1)
  })

  it("languages of programs that no rule knows are named with their size", async () => {
    const { languages_without_rules } = await audit({
      "a.lua": "x = 1\ny = 2\n",
      "b.lua": "z = 3\n",
      "c.py": "x = 1\n"
    })
    assert.deepStrictEqual(languages_without_rules, [{ language: "Lua", files: 2, lines: 5 }])
  })
})
