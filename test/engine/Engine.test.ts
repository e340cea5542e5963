import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { ScanResult } from "../../src/engine/core/scan/ScanResult.ts"
import type { TreeSource } from "../../src/engine/core/source/TreeSource.ts"
import type { AuditTool, FileSummary } from "../../src/engine/core/tool/AuditTool.ts"
import { patternTool, treeOf } from "../support/audit.ts"
import { madeUp } from "../support/madeUp.ts"

const run = (texts: Record<string, string | Uint8Array>, tools: ReadonlyArray<AuditTool>): Promise<ScanResult> =>
  scan(treeOf(texts), { suite: "standard", tools })

describe("a scan", () => {
  it("groups the places of one cause in one function, and keeps functions apart", async () => {
    const text = "function a() { bad; x; bad }\nfunction b() {\n  bad\n}\n"
    const { findings } = await run({ "a.js": text }, [patternTool(/bad/)])
    const places = findings.map(({ locations }) => locations.map((l) => `${l.symbol}:${l.line_start}`))
    assert.deepStrictEqual(places, [["a:1", "a:1"], ["b:3"]])
  })

  it("reports the weightiest of a rule one by one, and all further ones as one finding with their places", async () => {
    const texts = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${10 + i}.js`, "bad"]))
    const ofStyle = patternTool(/bad/, { rule: { category: "maintainability" } })
    const { findings, suppressed, also_present } = await run(texts, [ofStyle])
    const further = findings.at(-1)!
    assert.strictEqual(findings.length, 21)
    assert.strictEqual(further.title, "The pattern occurs: 5 more places in 5 files")
    assert.strictEqual(further.locations.length, 5)
    assert.deepStrictEqual(suppressed, [{ rule: "pattern.match", count: 5 }])
    const grown = await run({ ...texts, "g.js": "bad" }, [ofStyle])
    assert.deepStrictEqual(grown.findings.at(-1)!.signatures, further.signatures)
    // Each by its place; the code is the same in all.
    assert.strictEqual(also_present.length, 5 + 2)
  })

  it("reports every finding about security and correctness one by one", async () => {
    const texts = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${10 + i}.js`, "bad"]))
    for (const category of ["security", "correctness"] as const) {
      const { findings, suppressed } = await run(texts, [patternTool(/bad/, { rule: { category } })])
      assert.deepStrictEqual([findings.length, suppressed], [25, []])
    }
  })

  it("leaves tests and samples alone unless a rule asks, and then lowers its voice", async () => {
    const texts = { "src/a.js": "bad", "test/a.test.js": "bad", "docs/x.md": "bad", "vendor/x.js": "bad" }
    const skipping = await run(texts, [patternTool(/bad/)])
    assert.deepStrictEqual(
      skipping.findings.map((f) => f.locations[0].file_path),
      ["src/a.js"]
    )
    const lowering = await run(texts, [patternTool(/bad/, { rule: { inTests: "lower" } })])
    assert.deepStrictEqual(
      lowering.findings.map((f) => `${f.priority} ${f.locations[0].file_path}`),
      ["P2 src/a.js", "P3 docs/x.md", "P3 test/a.test.js"]
    )
    assert.deepStrictEqual(skipping.skipped_counts, { vendored: 1 })
  })

  it("says what it is unsure of as an advisory, and what it is very unsure of not at all", async () => {
    const tool = { id: "ci_workflow_security" }
    const kinds = await Promise.all(
      [0.9, 0.6, 0.4].map((confidence) => run({ "a.js": "bad" }, [patternTool(/bad/, { tool, rule: { confidence } })]))
    )
    assert.deepStrictEqual(
      kinds.map(({ findings }) => findings.map((f) => f.kind)),
      [["finding"], ["advisory"], []]
    )
  })

  it("records a tool that fails on a file, and goes on with the others", async () => {
    const failing = patternTool(/x/, {
      tool: {
        id: "failing",
        inspect: (file) => {
          if (file.path === "b.js") throw new Error("no")
          return undefined
        }
      }
    })
    const { findings, tools, tool_failures } = await run({ "a.js": "bad", "b.js": "bad" }, [
      failing,
      patternTool(/bad/)
    ])
    assert.strictEqual(findings.length, 2)
    assert.deepStrictEqual(tool_failures, [{ tool: "failing", path: "b.js", message: "Error: no" }])
    assert.deepStrictEqual(tools, [
      {
        id: "failing",
        version: 1,
        domain: "code_quality",
        status: "degraded",
        error: "1 of 2 files, first b.js: Error: no"
      },
      { id: "pattern", version: 1, domain: "code_quality", status: "completed" }
    ])
  })

  it("runs cross-file passes over the facts of all files, in order of path, and reads the matched file again", async () => {
    const seen: Array<FileSummary> = []
    const counting = patternTool(/x/, {
      tool: {
        id: "counting",
        inspect: (file) => ({ length: file.text.length }),
        finish: (facts, project, emit) => {
          seen.push(...facts)
          assert.isTrue(project.has("b.js"))
          assert.strictEqual(project.manifest("package.json"), "{}")
          assert.isNull(project.manifest("a.js"))
          emit("b.js", { rule: "match", start: 3, end: 6, message: "Here." })
        }
      }
    })
    const { findings } = await run({ "b.js": "a\n\nbad", "a.js": "xx", "package.json": "{}" }, [counting])
    assert.deepStrictEqual(
      seen.map(({ path }) => path),
      ["a.js", "b.js", "package.json"]
    )
    assert.deepStrictEqual(findings[0]!.locations, [{ file_path: "b.js", symbol: null, line_start: 3, line_end: 3 }])
    assert.strictEqual(findings[0]!.evidence.detection_query.status, "confirmed")
  })

  const overall = patternTool(/x/, {
    tool: {
      id: "overall",
      inspect: (file) => ({ length: file.text.length }),
      finish: (facts, _, emit) => {
        for (const { path } of facts) {
          emit(path, { rule: "match", start: 0, end: 3, message: "Here." })
          emit(path, { rule: "match", start: 4, end: 7, message: "Here." })
        }
      }
    }
  })

  it("groups matches of cross-file passes as it does with all others", async () => {
    const texts = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${10 + i}.js`, "bad bad\n"]))
    const { findings, suppressed } = await run(texts, [{ ...overall, category: "operations" }])
    assert.deepStrictEqual(
      findings.map(({ locations, evidence }) => [locations.length, evidence.detection_query.status]),
      [...Array.from({ length: 20 }, () => [2, "confirmed"]), [10, "confirmed"]]
    )
    assert.deepStrictEqual(suppressed, [{ rule: "overall.match", count: 5 }])
  })

  it("is inconclusive about a cross-file pass when a file no longer leaves the facts that the pass ran on", async () => {
    const first = treeOf({ "a.js": "bad bad\n", "b.js": "bad bad\n" })
    const later = treeOf({ "a.js": "bad bad\n", "b.js": "bad bad, and more\n" })
    let reads = 0
    // Inspected, read for its configuration files, placed, verified.
    const changing: TreeSource = { ...first, read: (entries) => (reads++ < 3 ? first : later).read(entries) }
    const { findings } = await scan(changing, { suite: "standard", tools: [overall] })
    assert.deepStrictEqual(
      findings.map(({ evidence }) => evidence.detection_query),
      [
        { absence_hint: false, match_count: 2, status: "confirmed" },
        { absence_hint: null, match_count: null, status: "inconclusive" }
      ]
    )
  })

  it("says which rule over all files hangs or fails, and goes on with the others", async () => {
    const failing = patternTool(/x/, {
      tool: {
        id: "failing",
        finish: () => {
          throw new Error("no")
        }
      }
    })
    const { findings, tools } = await run({ "a.js": "bad bad" }, [failing, overall])
    assert.strictEqual(findings.length, 1)
    assert.deepStrictEqual(tools, [
      { id: "failing", version: 1, domain: "code_quality", status: "failed", error: "Error: no" },
      { id: "overall", version: 1, domain: "code_quality", status: "completed" }
    ])
  })

  it("suggests only when asked", async () => {
    const { match } = patternTool(/x/).rules
    const rules = { match: match!, hint: { ...match!, kind: "suggestion" as const } }
    const mixed = patternTool(/bad/, {
      tool: {
        id: "mixed",
        rules,
        inspect: (file, emit) => {
          for (const rule of ["match", "hint"]) emit({ rule, start: 0, end: file.text.length, message: rule })
        },
        finish: (_, __, emit) => emit("a.js", { rule: "hint", start: 0, end: 1, message: "In the end." })
      }
    })
    const hinting = patternTool(/bad/, { tool: { id: "hinting", kind: "suggestion" } })
    const asked = async (suggestions: boolean) => {
      const result = await scan(treeOf({ "a.js": "bad" }), { suite: "full", suggestions, tools: [mixed, hinting] })
      return [result.suggestions, result.findings.map((f) => `${f.kind} ${f.rule_id}`).sort(), result.tools.length]
    }
    assert.deepStrictEqual(await asked(false), [false, ["advisory mixed.match"], 1])
    assert.deepStrictEqual(await asked(true), [
      true,
      ["advisory mixed.match", "suggestion hinting.match", "suggestion mixed.hint", "suggestion mixed.hint"],
      2
    ])
  })

  it("runs rules again over files that changed since, and drops what they do not confirm", async () => {
    const first = treeOf({ "a.js": "bad\n", "b.js": "bad\n", "c.js": "bad\n" })
    const later = treeOf({ "a.js": "bad\n", "b.js": "good\n" })
    let reads = 0
    const changing: TreeSource = { ...first, read: (entries) => (reads++ === 0 ? first : later).read(entries) }
    const concluding = { ...patternTool(/bad/) }
    const { findings, dropped_by_verification } = await scan(changing, { suite: "standard", tools: [concluding] })
    // The first read is the scan's, the second of no file for rules over all files.
    assert.strictEqual(dropped_by_verification, 2)
    assert.deepStrictEqual(findings[0]!.evidence, {
      citation: { checked_at_stage: "verify", line_in_range: true, missing_identifiers: [], path_resolved: true },
      detection_query: { absence_hint: false, match_count: 1, status: "confirmed" },
      checks: [],
      priority_reason:
        "P1 by its consequence; P2 because what was read of such matches does not show that they are rarely wrong."
    })
  })

  it("never reads a file that is too large, nor shows a binary one to tools", async () => {
    const big = treeOf({ "a.js": "bad" })
    const opened: Array<string> = []
    const source: TreeSource = {
      ...big,
      list: async () => [
        ...(await big.list()),
        { path: "huge.js", escaped: false, blob: "0", size: 200_000_000, mode: "100644" }
      ],
      read: (entries) => {
        const requested = [...entries]
        opened.push(...requested.map((entry) => entry.path))
        return big.read(requested)
      }
    }
    const { skipped } = await scan(source, { suite: "standard", tools: [patternTool(/bad/)] })
    assert.notInclude(opened, "huge.js")
    assert.deepStrictEqual(skipped, [{ path: "huge.js", reason: "too_large" }])
    const binary = await run(
      { "x.dat2": new Uint8Array([98, 97, 100, 0, 98]), "l1.js": new Uint8Array([0xff, 98, 97, 100]) },
      [patternTool(/bad/)]
    )
    assert.deepStrictEqual(binary.skipped, [{ path: "x.dat2", reason: "binary" }])
    assert.deepStrictEqual(
      binary.findings.map((f) => f.locations[0].file_path),
      ["l1.js"]
    )
  })

  it("shows at most twelve lines, and of a long line the part that matters", async () => {
    const long = `${"a ".repeat(3_000)}bad ${"b ".repeat(3_000)}`
    const { findings } = await run({ "a.txt2": `one\n${long}\nthree\n`, "b.js": `bad${"\n".repeat(30)}end` }, [
      patternTool(/bad\s*/)
    ])
    const [wide, tall] = findings.map((finding) => finding.snippet.split("\n"))
    assert.isTrue(wide!.every((line) => line.length < 250) && wide!.some((line) => line.includes("bad")))
    assert.isAtMost(tall!.length, 12)
  })

  it("takes an inventory by language", async () => {
    const { inventory } = await run({ "a.py": "x = 1\n", "b.ts": "let a\nlet b\n", script: "#!/bin/bash\nls\n" }, [])
    assert.deepStrictEqual(inventory, {
      files: 3,
      lines: 8,
      bytes: 33,
      languages: [
        { language: "shell", files: 1, lines: 3, bytes: 15 },
        { language: "typescript", files: 1, lines: 3, bytes: 12 },
        { language: "python", files: 1, lines: 2, bytes: 6 }
      ]
    })
  })
})

describe("verification", () => {
  /** Matches only the first time that it sees a file. */
  const once = () => {
    const calls: Array<string> = []
    const tool = patternTool(/bad/)
    const inspect: AuditTool["inspect"] = (file, emit) => {
      calls.push(file.path)
      return calls.indexOf(file.path) === calls.length - 1 ? tool.inspect?.(file, emit) : undefined
    }
    return { calls, tool: { ...tool, inspect } }
  }
  const texts = { "a.js": "bad bad\n", "b.js": "fine\n" }

  it("runs no rule again over files that hold what they held", async () => {
    for (const isImmutable of [true, false]) {
      const { calls, tool } = once()
      const { findings } = await scan({ ...treeOf(texts), isImmutable }, { suite: "standard", tools: [tool] })
      assert.deepStrictEqual(calls, ["a.js", "b.js"])
      assert.deepStrictEqual(
        findings.map(({ evidence }) => evidence),
        [
          {
            citation: { checked_at_stage: "verify", line_in_range: true, missing_identifiers: [], path_resolved: true },
            detection_query: { absence_hint: false, match_count: 2, status: "confirmed" },
            checks: [],
            priority_reason:
              "P1 by its consequence; P2 because what was read of such matches does not show that they are rarely wrong."
          }
        ]
      )
    }
  })

  it("reads no file of a commit again", async () => {
    const tree = treeOf(texts)
    const opened: Array<string> = []
    const read: TreeSource["read"] = (entries) => {
      const paths = [...entries]
      opened.push(...paths.map(({ path }) => path))
      return tree.read(paths)
    }
    await scan({ ...tree, isImmutable: true, read }, { suite: "standard", tools: [patternTool(/bad/)] })
    assert.deepStrictEqual(opened, ["a.js", "b.js"])
  })

  it("runs the rules of every finding again when it is asked to, and drops what they do not find", async () => {
    for (const isImmutable of [true, false]) {
      const { calls, tool } = once()
      const source = { ...treeOf(texts), isImmutable }
      const result = await scan(source, { suite: "standard", tools: [tool], rerunRules: true })
      assert.deepStrictEqual(calls, ["a.js", "b.js", "a.js"])
      assert.deepStrictEqual([result.findings, result.dropped_by_verification], [[], 1])
    }
  })

  it("drops a finding that relies on names which its file does not contain", async () => {
    const naming = (identifiers: ReadonlyArray<string>) =>
      run({ "a.js": "bad name" }, [patternTool(/bad/, { match: { identifiers } })])
    const [present, missing] = [await naming(["name"]), await naming(["name", "other"])]
    assert.deepStrictEqual([present.findings.length, present.dropped_by_verification], [1, 0])
    assert.deepStrictEqual([missing.findings.length, missing.dropped_by_verification], [0, 1])
  })
})

describe("a secret", () => {
  const value = `AKIA${madeUp("base32", 16)}`
  const text = `const region = "eu"\nconst key = "${value}"\nsend(key, "${value}")\n`
  const start = text.indexOf(value)
  const secretive = patternTool(new RegExp(value), {
    tool: { id: "secretive" },
    ruleId: "key",
    match: {
      rule: "key",
      message: `The key ${value} is in the code.`,
      title: `Key ${value}`,
      redact: [[start, start + 20]]
    }
  })
  // Another tool that knows of no secret shows the same lines.
  const nosy = patternTool(/send\(.*\)/)

  it("is shown nowhere, not even by tools that do not know it", async () => {
    const result = await run({ "a.js": text }, [secretive, nosy])
    assert.strictEqual(result.findings.length, 2)
    assert.notInclude(JSON.stringify(result), value)
    assert.notInclude(JSON.stringify(result), value.slice(0, 12))
    assert.include(result.findings.map((f) => f.snippet).join(), "[redacted]")
  })

  it("takes part in the fingerprint as a salted digest", async () => {
    const scanWith = (salt: string, key: string) =>
      scan(treeOf({ "a.js": text.replaceAll(value, key) }), {
        suite: "standard",
        salt,
        tools: [patternTool(new RegExp(key), { match: { message: "A key.", redact: [[start, start + key.length]] } })]
      }).then(({ findings }) => findings[0]!)
    const one = await scanWith("s1", value)
    const rotated = await scanWith("s1", `AKIA${madeUp("base32", 16, 2)}`)
    const elsewhere = await scanWith("s2", value)
    assert.notStrictEqual(one.signatures.primary, rotated.signatures.primary)
    assert.notStrictEqual(one.signatures.primary, elsewhere.signatures.primary)
    assert.strictEqual(one.anchor, rotated.anchor)
  })
})
