import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type SarifInput, toSarif } from "../../src/cli/formats/sarif.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { Finding } from "../../src/engine/core/scan/ScanResult.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { patternTool, treeOf } from "../support/audit.ts"
import { aFinding } from "../support/findings.ts"

// The part of SARIF 2.1.0 that we write, with GitHub's limits on top; no other property may appear.
const Text = Schema.String.pipe(Schema.minLength(1))
const upTo = (length: number) => Text.pipe(Schema.maxLength(length))
const Line = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))
const relativeUri = /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})*$/

const physicalLocation = Schema.Struct({
  artifactLocation: Schema.Struct({
    uri: Schema.String.pipe(Schema.pattern(relativeUri)),
    uriBaseId: Schema.Literal("SRCROOT")
  }),
  region: Schema.Struct({
    startLine: Line,
    endLine: Line,
    startColumn: Schema.optional(Line),
    endColumn: Schema.optional(Line)
  }).pipe(Schema.filter(({ startLine, endLine }) => startLine <= endLine)),
  contextRegion: Schema.optional(
    Schema.Struct({ startLine: Line, endLine: Line, snippet: Schema.Struct({ text: Text }) })
  )
})

const FlowLocation = Schema.Struct({
  location: Schema.Struct({
    physicalLocation: Schema.Struct({
      artifactLocation: physicalLocation.fields.artifactLocation,
      region: Schema.optional(Schema.Struct({ startLine: Line }))
    }),
    message: Schema.Struct({ text: Text })
  })
})

const Level = Schema.Literal("error", "warning", "note")

const Rule = Schema.Struct({
  id: upTo(255),
  name: upTo(255),
  helpUri: Schema.optional(Schema.String.pipe(Schema.pattern(/^https:/))),
  shortDescription: Schema.Struct({ text: upTo(1024) }),
  fullDescription: Schema.Struct({ text: upTo(1024) }),
  help: Schema.Struct({ text: Text, markdown: Text }),
  defaultConfiguration: Schema.Struct({ level: Level }),
  properties: Schema.Struct({
    tags: Schema.Array(Text).pipe(
      Schema.maxItems(20),
      Schema.filter((tags) => new Set(tags).size === tags.length)
    ),
    precision: Schema.Literal("very-high", "high", "medium", "low"),
    "security-severity": Schema.optional(Schema.NumberFromString.pipe(Schema.between(0.1, 10)))
  })
})

const Result = Schema.Struct({
  ruleId: Text,
  ruleIndex: Schema.NonNegativeInt,
  level: Level,
  message: Schema.Struct({ text: Text }),
  locations: Schema.Tuple(Schema.Struct({ physicalLocation })),
  relatedLocations: Schema.Array(Schema.Struct({ id: Schema.NonNegativeInt, physicalLocation })).pipe(
    Schema.maxItems(1000)
  ),
  codeFlows: Schema.optional(
    Schema.Tuple(
      Schema.Struct({ threadFlows: Schema.Tuple(Schema.Struct({ locations: Schema.NonEmptyArray(FlowLocation) })) })
    )
  ),
  partialFingerprints: Schema.Struct({ "assay/v1": Text, "assayLocated/v1": Text }),
  properties: Schema.Struct({ priority: Text, kind: Text, confidence: Schema.Number })
})

const Log = Schema.Struct({
  $schema: Schema.String.pipe(Schema.pattern(/sarif-2\.1\.0\.json$/)),
  version: Schema.Literal("2.1.0"),
  runs: Schema.Tuple(
    Schema.Struct({
      tool: Schema.Struct({
        driver: Schema.Struct({
          name: Text,
          semanticVersion: Schema.String.pipe(Schema.pattern(/^\d+\.\d+\.\d+/)),
          rules: Schema.Array(Rule).pipe(Schema.maxItems(25_000))
        })
      }),
      invocations: Schema.Tuple(
        Schema.Struct({
          executionSuccessful: Schema.Boolean,
          toolExecutionNotifications: Schema.Array(
            Schema.Struct({
              level: Level,
              message: Schema.Struct({ text: Text }),
              locations: Schema.optional(
                Schema.Tuple(
                  Schema.Struct({
                    physicalLocation: Schema.Struct({
                      artifactLocation: physicalLocation.fields.artifactLocation,
                      region: Schema.optional(Schema.Struct({ startLine: Line }))
                    })
                  })
                )
              )
            })
          )
        })
      ),
      // GitHub distinguishes uploads of one commit by the text before the last slash.
      automationDetails: Schema.Struct({ id: Schema.String.pipe(Schema.pattern(/^[^/]+(?:\/[^/]+)*\/$/)) }),
      columnKind: Schema.Literal("utf16CodeUnits", "unicodeCodePoints"),
      originalUriBaseIds: Schema.Struct({
        SRCROOT: Schema.Struct({ description: Schema.Struct({ text: Text }) })
      }),
      properties: Schema.optional(Schema.Struct({ commit: Text })),
      results: Schema.Array(Result).pipe(Schema.maxItems(25_000))
    })
  )
})

/** A scan without notices. */
const quiet: Omit<SarifInput["scan"], "findings"> = {
  tools: [],
  left_out: [],
  stale_ignores: [],
  warnings: [],
  languages_without_rules: [],
  silenced_counts: {}
}

/** As a reader of the file gets it. */
const read = (findings: ReadonlyArray<Finding>, used = tools, scan: Partial<SarifInput["scan"]> = {}) => {
  const written: unknown = JSON.parse(
    JSON.stringify(
      toSarif({
        version: "1.2.3",
        tools: used,
        scan: { ...quiet, findings, ...scan },
        commit: "a".repeat(40)
      })
    )
  )
  return Schema.decodeUnknownSync(Log, { onExcessProperty: "error", errors: "all" })(written).runs[0]
}

const bad = patternTool(/bad/)

describe("SARIF", () => {
  it("describes each rule of its results once, as code hosts take it, and no other", () => {
    const ids = tools.flatMap((tool) => Object.keys(tool.rules).map((id) => `${tool.id}.${id}`))
    assert.deepStrictEqual(read([]).tool.driver.rules, [])
    const { rules } = read([...ids, ...ids].map((rule_id) => aFinding({ rule_id }))).tool.driver
    assert.deepStrictEqual(
      rules.map(({ id }) => id),
      ids
    )
    for (const { properties } of rules)
      assert.strictEqual(properties.tags.includes("security"), properties["security-severity"] !== undefined)
  })

  it("stays under the number of results that GitHub takes, whatever is found", () => {
    const findings = Array.from({ length: 25_001 }, () => aFinding())
    const { runs } = toSarif({ version: "1.0.0", tools, scan: { ...quiet, findings }, commit: null })
    assert.strictEqual(runs[0]!.results.length, 25_000)
  })

  it("names the rule of each result by id and by index, and its place by lines", async () => {
    const { findings } = await scan(treeOf({ "src/a.js": "function f() {\n  bad\n  bad\n}\n" }), {
      suite: "full",
      tools: [bad]
    })
    const run = read(findings, [bad])
    const [result] = run.results
    assert.strictEqual(run.tool.driver.rules[result!.ruleIndex]?.id, result!.ruleId)
    assert.deepStrictEqual(result!.locations[0].physicalLocation.region, {
      startLine: 2,
      endLine: 2,
      startColumn: 3,
      endColumn: 6
    })
    assert.deepStrictEqual(result!.locations[0].physicalLocation.contextRegion, {
      startLine: 1,
      endLine: 4,
      snippet: { text: "function f() {\n  bad\n  bad\n}" }
    })
    assert.strictEqual(result!.relatedLocations.length, 1)
  })

  it("says what did not finish and what was left out, so that no results are no clean bill", () => {
    const [invocation] = read([], tools, {
      tools: [{ id: "complexity", version: 1, status: "failed", error: "out of memory" }],
      left_out: [{ reason: "binary", explanation: "Not read.", files: 2, examples: ["a.bin"] }]
    }).invocations
    assert.isFalse(invocation.executionSuccessful)
    assert.deepStrictEqual(
      invocation.toolExecutionNotifications.map(({ message }) => message.text),
      ["complexity did not finish. out of memory", "2 files left out (binary), such as a.bin. Not read."]
    )
  })

  it("notifies of what no rule looked for, and of decisions without effect", () => {
    const [{ toolExecutionNotifications }] = read([], tools, {
      languages_without_rules: [{ language: "Lua", files: 2, lines: 5 }],
      warnings: [{ path: ".assay.yaml", line: 3, message: "Unknown key." }],
      stale_ignores: [{ path: "a.js", line: 7, rules: [], reason: "gone" }],
      silenced_counts: { foreign_mark: 4 }
    }).invocations
    assert.deepStrictEqual(
      toolExecutionNotifications.map(({ level, message, locations }) => [
        level,
        message.text,
        locations?.[0].physicalLocation.artifactLocation.uri
      ]),
      [
        ["warning", "No rules for Lua: 2 files with 5 lines were read as text.", undefined],
        ["warning", "Unknown key.", ".assay.yaml"],
        ["note", "This ignore comment matches nothing: remove it.", "a.js"],
        ["note", "4 findings are silenced by: foreign mark.", undefined]
      ]
    )
  })

  it("never calls an advisory an error", () => {
    const [result] = read([aFinding({ kind: "advisory", priority: "P1" })]).results
    assert.strictEqual(result?.level, "warning")
  })

  it("writes the steps of a flow, those of other files without a line", () => {
    const steps = [
      { file_path: "routes.ts", line: null, note: "the request" },
      { file_path: "a.ts", line: 5, note: "the query" }
    ]
    const [result] = read([aFinding({ steps }), aFinding()]).results
    const locations = result?.codeFlows?.[0].threadFlows[0].locations.map(({ location }) => location)
    assert.deepStrictEqual(
      locations?.map(({ physicalLocation, message }) => ({
        file_path: physicalLocation.artifactLocation.uri,
        line: physicalLocation.region?.startLine ?? null,
        note: message.text
      })),
      steps
    )
    assert.isUndefined(read([aFinding()]).results[0]?.codeFlows)
  })

  const names = {
    "src/a b#c?d.js": "src/a%20b%23c%3Fd.js",
    "Übersicht/件.js": "%C3%9Cbersicht/%E4%BB%B6.js",
    "c:/100%.js": "c%3A/100%25.js",
    "src/\\xff'\"\n.js": "src/%FF%27%22%0A.js"
  }
  for (const [path, uri] of Object.entries(names)) {
    it(`writes ${JSON.stringify(path)} as a relative URI of its bytes`, async () => {
      const { findings } = await scan(treeOf({ [path]: "bad" }), { suite: "full", tools: [bad] })
      const [result] = read(findings, [bad]).results
      assert.strictEqual(result?.locations[0].physicalLocation.artifactLocation.uri, uri)
    })
  }

  it("knows a result again after lines were inserted above it", async () => {
    const found = await Promise.all(
      ["bad", "\n\n// more\nbad"].map((text) => scan(treeOf({ "a.js": text }), { suite: "full", tools: [bad] }))
    )
    const [before, after] = found.map(({ findings }) => read(findings, [bad]).results[0]?.partialFingerprints)
    assert.isDefined(before)
    assert.deepStrictEqual(before, after)
  })
})
