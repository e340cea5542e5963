import { assert, describe, it } from "vitest"
import { languageOf } from "../../src/engine/core/files/Language.ts"
import { ruleLanguageOf } from "../../src/engine/core/tool/AuditTool.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { inspectProject } from "../support/audit.ts"
import { fixturesOf, HISTORY_FILE, historyOf, marksOf, withoutMarks } from "../support/fixtures.ts"

const lineOf = (mark: string): string => mark.split(" ", 1)[0]!

/** Rules that need more files, or a text that may not be stored: shown by the test named. */
const shownElsewhere: ReadonlyMap<string, string> = new Map([
  ["configuration_management.tracked_artefact text", "configurationManagement.test.ts"],
  ["observability.no_health_route go", "observability.test.ts"],
  ["observability.no_health_route java", "observability.test.ts"],
  ["observability.no_health_route javascript", "observability.test.ts"],
  ["observability.no_health_route python", "observability.test.ts"],
  ["dependency_structure.layer_inversion javascript", "dependencyStructure.test.ts"],
  ["dependency_structure.hub_module javascript", "dependencyStructure.test.ts"],
  ...["csharp", "ruby", "rust"].flatMap((language) => [
    [`code_hotspots.hotspot ${language}`, "codeHotspots.test.ts"] as const,
    [`code_hotspots.single_owner ${language}`, "codeHotspots.test.ts"] as const
  ]),
  ["secret_detection.json_web_token text", "secrets.test.ts"]
])

describe("every tool flags the marked lines of its fixtures and no others, in the languages its rules name", () => {
  for (const tool of tools) {
    it(tool.id, async () => {
      const { [HISTORY_FILE]: commits, ...texts } = fixturesOf(tool.id)
      const marks = Object.entries(texts).flatMap(([path, text]) => marksOf(path, text))
      const code = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, withoutMarks(text)]))
      const matches = await inspectProject(tool, code, commits === undefined ? null : historyOf(commits))
      const found = matches.map(({ path, line, rule, message }) => ({ at: `${path}:${line}`, rule, message }))
      const markedLines = new Set(marks.map(lineOf))
      const foundMarks = new Set(found.flatMap(({ at, rule }) => [at, `${at} ${rule}`]))
      const missed = marks.filter((mark) => !foundMarks.has(mark)).map((mark) => `missed      ${mark}`)
      const unexpected = found
        .filter(({ at }) => !markedLines.has(at))
        .map(({ at, rule, message }) => `unexpected  ${at} ${rule}: ${message}`)
      assert.deepStrictEqual([...missed, ...unexpected], [])
      assert.isAbove(marks.length, 0, "a fixture folder marks at least one line")

      const strange = matches.flatMap(({ path, line, rule, identifiers }) =>
        (identifiers ?? [])
          .filter((name) => !code[path]!.includes(name))
          .map((name) => `${path}:${line} ${rule}: ${name}`)
      )
      assert.deepStrictEqual(strange, [], "verification drops what relies on a name that the file does not have")

      const claimed = Object.entries(tool.rules).flatMap(([id, rule]) =>
        rule.languages.map((language) => `${id} ${language}`)
      )
      const shown = new Set(matches.map(({ rule, path }) => `${rule} ${ruleLanguageOf(languageOf(path))}`))
      const unshown = claimed.filter((claim) => !shown.has(claim) && !shownElsewhere.has(`${tool.id}.${claim}`))
      const unclaimed = [...shown].filter((claim) => !claimed.includes(claim))
      assert.deepStrictEqual({ unshown, unclaimed }, { unshown: [], unclaimed: [] })
    })
  }
})
