import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { scan } from "../../../src/engine/core/scan/Engine.ts"
import { advisoryPath, openAdvisoryFile } from "../../../src/engine/dependencies/advisories/AdvisoryFile.ts"
import { cvss3Score } from "../../../src/engine/dependencies/advisories/cvss.ts"
import { describeUse } from "../../../src/engine/dependencies/advisories/describeUse.ts"
import { importOsv } from "../../../src/engine/dependencies/advisories/importOsv.ts"
import { openAdvisories } from "../../../src/engine/dependencies/advisories/openAdvisories.ts"
import dependency_vulnerabilities from "../../../src/engine/rules/dependency_vulnerabilities/tool.ts"
import { treeOf } from "../../support/audit.ts"
import { type ZipMember, zipOf } from "../../support/zip.ts"

const scratch = mkdtempSync(join(tmpdir(), "assay-advisories-"))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let made = 0
const newFolder = () => {
  const folder = join(scratch, String(made++))
  mkdirSync(folder)
  return folder
}

const affected = (ecosystem: string, name: string, ...events: ReadonlyArray<Readonly<Record<string, string>>>) => ({
  package: { ecosystem, name },
  ranges: [{ type: ecosystem === "npm" ? "SEMVER" : "ECOSYSTEM", events }]
})

const record = (id: string, fields: Readonly<Record<string, unknown>>) => ({
  name: `${id}.json`,
  content: JSON.stringify({ id, modified: "2026-01-02T00:00:00Z", summary: `About ${id}`, ...fields })
})

const plain = record("GHSA-1", {
  aliases: ["CVE-2026-1"],
  affected: [
    affected(
      "npm",
      "acme-left",
      { introduced: "1.0.0" },
      { fixed: "1.2.0" },
      { introduced: "2.0.0" },
      { fixed: "2.0.3" }
    )
  ],
  database_specific: { severity: "MODERATE" }
})

const imported = async (members: ReadonlyArray<ZipMember>, folder = newFolder(), add = false) => {
  const path = join(newFolder(), "all.zip")
  writeFileSync(path, zipOf(members))
  const report = await importOsv({ paths: [path], folder, add, importedAt: "2026-01-10T00:00:00.000Z" })
  return { folder, report }
}

const ids = (folder: string, ecosystem: "npm" | "PyPI" | "Maven", name: string, version: string) =>
  openAdvisories(folder)
    .affecting(ecosystem, name, version)
    .map(({ advisory, fixed }) => [advisory.id, fixed])

describe("imported advisories", () => {
  it("are matched by range, each with the version that fixes it", async () => {
    const { folder, report } = await imported([plain])
    assert.deepStrictEqual(report.written, [
      {
        source: "all.zip",
        ecosystem: "npm",
        imported_at: "2026-01-10T00:00:00.000Z",
        newest: "2026-01-02T00:00:00Z",
        advisories: 1
      }
    ])
    assert.deepStrictEqual(ids(folder, "npm", "acme-left", "0.9.0"), [])
    assert.deepStrictEqual(ids(folder, "npm", "acme-left", "1.1.9"), [["GHSA-1", "1.2.0"]])
    assert.deepStrictEqual(ids(folder, "npm", "acme-left", "1.2.0"), [])
    assert.deepStrictEqual(ids(folder, "npm", "acme-left", "2.0.0"), [["GHSA-1", "2.0.3"]])
    assert.deepStrictEqual(ids(folder, "npm", "acme-left", "no version"), [])
    assert.deepStrictEqual(ids(folder, "npm", "acme-other", "1.1.0"), [])
  })

  it("are matched by listed version, by the last affected one, and without an end", async () => {
    const { folder } = await imported([
      record("A-1", { affected: [{ package: { ecosystem: "PyPI", name: "Acme_Tool" }, versions: ["1.0", "1.1"] }] }),
      record("A-2", { affected: [affected("Maven", "org.acme:tool", { introduced: "0" }, { last_affected: "2.0" })] }),
      record("MAL-3", { affected: [affected("npm", "evil", { introduced: "0" })] })
    ])
    assert.deepStrictEqual(ids(folder, "PyPI", "acme-tool", "1.1.0"), [["A-1", null]])
    assert.deepStrictEqual(ids(folder, "PyPI", "acme.tool", "1.2"), [])
    assert.deepStrictEqual(ids(folder, "Maven", "org.acme:tool", "2.0.0"), [["A-2", null]])
    assert.deepStrictEqual(ids(folder, "Maven", "org.acme:tool", "2.0.1"), [])
    assert.isTrue(openAdvisories(folder).affecting("npm", "evil", "9.9.9")[0]?.advisory.malicious)
  })

  it("leave out what was withdrawn, is broken, too large, badly named, or of another ecosystem", async () => {
    const bomb = Buffer.alloc(20 * 1024 * 1024, "a")
    const { folder, report } = await imported([
      { ...plain, name: "../../outside.json" },
      { ...plain, name: "/absolute.json" },
      { ...plain, name: "C:\\windows.json" },
      { name: "half.json", content: '{"id":"GHSA-2","affected":[' },
      { name: "list.json", content: "[1, null, true]" },
      { name: "bomb.json", content: bomb },
      { name: "lying.json", content: bomb, claimedSize: 100 },
      { name: "notes.txt", content: "hello" },
      { name: "folder/", content: "" },
      record("GHSA-4", { withdrawn: "2026-01-01T00:00:00Z", affected: [affected("npm", "a", { introduced: "0" })] }),
      record("DSA-1", { affected: [affected("Debian:12", "a", { introduced: "0" })] }),
      record("GHSA-5", { affected: [{ package: { ecosystem: "npm", name: 5 }, ranges: "x" }, null, 7] }),
      plain
    ])
    assert.deepStrictEqual(report.records, 1)
    assert.deepStrictEqual(report.skipped, {
      broken: 3,
      "not JSON": 1,
      "other ecosystem": 2,
      too_large: 1,
      unreadable: 1,
      unsafe_name: 3,
      withdrawn: 1
    })
    assert.deepStrictEqual(readdirSync(folder), ["npm.advisories"])
  })

  it("replace what was there of the same ecosystem, or add to it", async () => {
    const other = record("GHSA-9", { affected: [affected("npm", "acme-right", { introduced: "0" })] })
    const newer = record("GHSA-1", {
      affected: [affected("npm", "acme-left", { introduced: "0" }, { fixed: "9.0.0" })]
    })
    const python = record("PYSEC-1", { affected: [affected("PyPI", "acme", { introduced: "0" })] })
    const { folder } = await imported([plain, python])
    await imported([other, newer], folder, true)
    assert.deepStrictEqual(ids(folder, "npm", "acme-left", "1.1.0"), [["GHSA-1", "9.0.0"]])
    assert.deepStrictEqual(ids(folder, "npm", "acme-right", "1.0.0"), [["GHSA-9", null]])
    await imported([other], folder)
    assert.deepStrictEqual(ids(folder, "npm", "acme-left", "1.1.0"), [])
    assert.deepStrictEqual(ids(folder, "PyPI", "acme", "1.0"), [["PYSEC-1", null]])
  })

  it("stay where a dump of another ecosystem only mentions theirs, and take in what it says", async () => {
    const python = record("PYSEC-1", { affected: [affected("PyPI", "acme", { introduced: "0" })] })
    const stale = record("GHSA-7", { affected: [affected("PyPI", "both", { introduced: "0" })] })
    const both = record("GHSA-7", {
      affected: [
        affected("npm", "both", { introduced: "0" }, { fixed: "3.0.0" }),
        affected("PyPI", "both", { introduced: "0" }, { fixed: "3.0" })
      ]
    })
    const { folder } = await imported([python, stale])
    const earlier = openAdvisoryFile(folder, "PyPI")!.source
    const { report } = await imported([plain, both], folder)
    assert.deepStrictEqual(ids(folder, "PyPI", "acme", "1.0"), [["PYSEC-1", null]])
    assert.deepStrictEqual(ids(folder, "PyPI", "both", "1.0"), [["GHSA-7", "3.0"]])
    assert.deepStrictEqual(ids(folder, "npm", "both", "1.0.0"), [["GHSA-7", "3.0.0"]])
    assert.deepStrictEqual(
      report.written.map(({ ecosystem, advisories }) => [ecosystem, advisories]),
      [
        ["PyPI", 2],
        ["npm", 2]
      ]
    )
    const now = openAdvisoryFile(folder, "PyPI")!.source
    assert.deepStrictEqual([now.source, now.imported_at], [earlier.source, earlier.imported_at])
    await imported([plain], folder)
    assert.deepStrictEqual(ids(folder, "npm", "both", "1.0.0"), [])
    assert.deepStrictEqual(ids(folder, "PyPI", "both", "1.0"), [["GHSA-7", "3.0"]])
  })

  it("are reported once when several databases publish them", async () => {
    const range = [affected("PyPI", "acme", { introduced: "0" }, { fixed: "2.0" })]
    const { folder } = await imported([
      record("PYSEC-2026-1", { aliases: ["CVE-2026-5", "GHSA-aaaa"], affected: range }),
      record("GHSA-aaaa", { aliases: ["CVE-2026-5"], affected: range, database_specific: { severity: "HIGH" } }),
      record("GHSA-bbbb", { aliases: ["CVE-2026-6"], affected: range })
    ])
    assert.deepStrictEqual(ids(folder, "PyPI", "acme", "1.0"), [
      ["GHSA-aaaa", "2.0"],
      ["GHSA-bbbb", "2.0"]
    ])
  })

  it("come from folders and loose files, too", async () => {
    const from = newFolder()
    mkdirSync(join(from, "npm"))
    writeFileSync(join(from, "npm", "all.zip"), zipOf([plain]))
    writeFileSync(
      join(from, "list.json"),
      `[${record("X-1", { affected: [affected("npm", "x", { introduced: "0" })] }).content}]`
    )
    const folder = newFolder()
    const { records } = await importOsv({ paths: [from], folder, add: false, importedAt: "2026-01-10T00:00:00.000Z" })
    assert.strictEqual(records, 2)
  })

  it("change nothing when the import fails", async () => {
    const { folder } = await imported([plain])
    const before = readFileSync(advisoryPath(folder, "npm"))
    const path = join(newFolder(), "cut.zip")
    writeFileSync(path, zipOf([plain, plain]).subarray(0, 300))
    for (const bad of [path, join(scratch, "absent.zip"), join(import.meta.dirname, "import.test.ts")]) {
      const failed = await importOsv({ paths: [bad], folder, add: false, importedAt: "" }).catch((error) => error)
      assert.instanceOf(failed, Error)
    }
    assert.deepStrictEqual(readFileSync(advisoryPath(folder, "npm")), before)
    assert.deepStrictEqual(readdirSync(folder), ["npm.advisories"])
  })

  it("are as good as absent when their file is damaged", async () => {
    const { folder } = await imported([plain])
    const path = advisoryPath(folder, "npm")
    const whole = readFileSync(path)
    for (const damaged of [whole.subarray(0, 40), whole.subarray(7), Buffer.alloc(0), Buffer.alloc(100)]) {
      writeFileSync(path, damaged)
      assert.isNull(openAdvisoryFile(folder, "npm"))
      assert.deepStrictEqual(openAdvisories(folder).affecting("npm", "acme-left", "1.1.0"), [])
    }
  })
})

describe("a scan", () => {
  const tree = { "package-lock.json": '{"packages":{"node_modules/acme-left":{"version":"1.1.0"}}}' }
  const now = Date.parse("2026-01-11T12:00:00Z")
  const described = (use: NonNullable<Awaited<ReturnType<typeof scan>>["advisories"]>) =>
    describeUse(use, now).join("\n")

  it("finds with imported advisories what it cannot know without, and says what it compared with", async () => {
    const { folder } = await imported([plain])
    const options = { suite: "full", tools: [dependency_vulnerabilities] } as const
    const result = await scan(treeOf(tree), { ...options, advisories: folder })
    assert.deepStrictEqual(
      result.findings.map(({ rule_id, priority, suggested_change }) => [rule_id, priority, suggested_change]),
      [["dependency_vulnerabilities.vulnerable_version_moderate", "P2", "Upgrade acme-left 1.1.0 to 1.2.0 or later."]]
    )
    assert.deepStrictEqual(result.advisories?.without_data, [])
    assert.include(
      described(result.advisories!),
      "1 locked version compared with npm (1, all.zip) of 2026-01-02, 9 days old"
    )
  })

  it("keeps the identity of a vulnerable package through another version and another severity of its advisory", async () => {
    const found = async (severity: string, version: string) => {
      const { folder } = await imported([
        record("GHSA-1", {
          aliases: ["CVE-2026-1"],
          affected: [affected("npm", "acme-left", { introduced: "0" }, { fixed: "2.0.0" })],
          database_specific: { severity }
        })
      ])
      const locked = { "package-lock.json": `{"packages":{"node_modules/acme-left":{"version":"${version}"}}}` }
      const options = { suite: "full", tools: [dependency_vulnerabilities], advisories: folder } as const
      return (await scan(treeOf(locked), options)).findings[0]!
    }
    const [before, after] = [await found("MODERATE", "1.1.0"), await found("HIGH", "1.2.0")]
    assert.notStrictEqual(before.rule_id, after.rule_id)
    assert.deepStrictEqual(before.signatures, after.signatures)
  })

  it("says that it has nothing but the built-in list", async () => {
    const result = await scan(treeOf(tree), { suite: "full", tools: [dependency_vulnerabilities] })
    assert.deepStrictEqual(result.findings, [])
    assert.deepStrictEqual(result.advisories?.without_data, ["npm"])
    assert.include(
      described(result.advisories!),
      "No advisories were imported for npm: only the built-in list was compared"
    )
  })

  it("says that there was nothing to compare", async () => {
    const result = await scan(treeOf({ "a.js": "1" }), { suite: "full", tools: [dependency_vulnerabilities] })
    assert.include(described(result.advisories!), "none was compared")
  })
})

describe("the evidence of a vulnerable package", () => {
  const options = { suite: "full", tools: [dependency_vulnerabilities] } as const
  const lodash = (dev: boolean) =>
    `{"packages":{"":{"${dev ? "devDependencies" : "dependencies"}":{"acme-left":"^1.0.0"}},"node_modules/acme-left":{"version":"1.1.0","dev":${dev}}}}`
  const audited = async (tree: Readonly<Record<string, string>>, fields: Readonly<Record<string, unknown>> = {}) => {
    const { folder } = await imported([record("GHSA-1", { ...leftPad, ...fields })])
    return (await scan(treeOf(tree), { ...options, advisories: folder })).findings[0]!
  }
  const leftPad = {
    affected: [
      {
        ...affected("npm", "acme-left", { introduced: "0" }, { fixed: "1.2.0" }),
        database_specific: { affected_functions: ["acme-left.pad"] }
      }
    ],
    database_specific: { severity: "HIGH" }
  }
  const checked = ({ evidence }: Awaited<ReturnType<typeof audited>>) =>
    (evidence.checks ?? []).map(({ found, detail }) => [found, detail])

  it("says where the package is imported, whether what the advisory names is used, and what the range allows", async () => {
    const used = await audited({
      "package-lock.json": lodash(false),
      "package.json": '{"dependencies":{"acme-left":"^1.0.0"}}',
      "src/a.ts": 'import left from "acme-left/pad"\nexport const b = left.pad("a")\n'
    })
    assert.deepStrictEqual(checked(used), [
      [true, "imported in src/a.ts"],
      [true, "acme-left.pad is used"],
      [true, "`^1.0.0` in package.json allows 1.2.0: `npm update acme-left` suffices"]
    ])
    assert.include(used.suggested_change ?? "", "`npm update acme-left` suffices.")
    const other = await audited({
      "package-lock.json": lodash(false),
      "package.json": '{"dependencies":{"acme-left":"~1.1.0"}}',
      "src/a.ts": 'import { trim } from "acme-left"\nexport const b = trim("a")\n'
    })
    assert.deepStrictEqual(checked(other), [
      [true, "imported in src/a.ts"],
      [false, "no file that imports it names them"],
      [false, "`~1.1.0` in package.json does not allow 1.2.0: change it first"]
    ])
  })

  it("lowers a direct development dependency that no file imports by one more priority, and says why", async () => {
    const tree = (code: string) => ({ "package-lock.json": lodash(true), "src/a.ts": `import "${code}"\n` })
    const [imports, none] = [await audited(tree("acme-left")), await audited(tree("other"))]
    assert.deepStrictEqual([imports.priority, none.priority], ["P2", "P3"])
    assert.include(none.description, "lowered: used for development only, no audited file imports it")
    assert.deepStrictEqual(imports.signatures, none.signatures)
  })

  it("claims nothing about imports where no code of the ecosystem was read", async () => {
    assert.deepStrictEqual(checked(await audited({ "package-lock.json": lodash(false), "a.py": "import os\n" })), [])
  })

  it("knows distributions by the modules that code imports, and symbols that Go advisories name", async () => {
    const yaml = await audited(
      { "requirements.txt": "PyYAML==5.3\n", "app/a.py": "import yaml\nimport re\nx = yaml.load(open('a'))\n" },
      { affected: [affected("PyPI", "pyyaml", { introduced: "0" }, { fixed: "9.0" })] }
    )
    assert.deepStrictEqual(checked(yaml), [[true, "imported in app/a.py"]])
    const net = {
      package: { ecosystem: "Go", name: "acme.dev/net" },
      ranges: affected("Go", "x", { introduced: "0" }).ranges
    }
    const symbols = { imports: [{ path: "acme.dev/net/html", symbols: ["Parse", "Tokenizer.Next"] }] }
    const go = await audited(
      {
        "go.mod": "module a\n\nrequire acme.dev/net v0.1.0\n",
        "a.go": 'package a\n\nimport "acme.dev/net/html"\n\nfunc A() { html.Parse(nil) }\n'
      },
      { affected: [{ ...net, ecosystem_specific: symbols }] }
    )
    assert.deepStrictEqual(checked(go), [
      [true, "imported in a.go"],
      [true, "Parse is used"]
    ])
  })

  it("lowers what is in a package of a Go module that no file imports, and says so", async () => {
    const tree = (part: string) => ({
      "go.mod": "module a\n\nrequire acme.dev/net v0.1.0\n",
      "a.go": `package a\n\nimport "acme.dev/net/${part}"\n\nvar B = ${part}.B\n`
    })
    const net = {
      package: { ecosystem: "Go", name: "acme.dev/net" },
      ranges: affected("Go", "x", { introduced: "0" }).ranges,
      ecosystem_specific: { imports: [{ path: "acme.dev/net/html" }] }
    }
    const reached = await audited(tree("html"), { affected: [net] })
    const elsewhere = await audited(tree("idna"), { affected: [net] })
    assert.deepStrictEqual(
      [reached, elsewhere].map(({ rule_id }) => rule_id.replace("dependency_vulnerabilities.", "")),
      ["vulnerable_version", "vulnerable_version_moderate"]
    )
    assert.include(elsewhere.description, "lowered: no audited file imports the part that has it")
    assert.notInclude(reached.description, "lowered")
  })
})

describe("severity", () => {
  it("is that of the CVSS vector where the advisory names none", () => {
    const scores: ReadonlyArray<readonly [string, number | null]> = [
      ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8],
      ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", 10],
      ["CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1],
      ["CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N", 5.5],
      ["CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:N", 0],
      ["CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", null],
      ["CVSS:3.1/AV:X", null],
      ["", null]
    ]
    for (const [vector, score] of scores) assert.strictEqual(cvss3Score(vector), score, vector)
  })
})
