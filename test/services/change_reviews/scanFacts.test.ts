import { assert, describe, it } from "@effect/vitest"
import { ObservationId } from "../../../src/schema/Ids.ts"
import { ObservationNumber } from "../../../src/schema/Observation.ts"
import {
  matchingOf,
  observationFactsOf,
  scanFactsOf,
  storedScanOf
} from "../../../src/services/change_reviews/scanFacts.ts"
import type { KnownRow } from "../../../src/services/observations/RecordingRepo.ts"
import { type ChangedFile, noLines } from "../../../src/services/ports/Comparison.ts"
import { aFinding } from "../../support/findings.ts"

const changed = (path: string): ChangedFile => ({
  path,
  previous_path: null,
  kind: "modified",
  lines: noLines
})

/** Scans that found nothing, of which the one at the head did not read some files. */
const scanWith = (skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>) => {
  const tools = [{ id: "sql_injection", version: 1, status: "completed" as const }]
  const nothing = { findings: [], tools, also_present: [], skipped: [], silenced: [] }
  const files = skipped.map(({ path }) => changed(path))
  return { files, stored: storedScanOf(nothing, { ...nothing, skipped, suggestions: false }, files) }
}

const factsWith = (skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>) => {
  const { files, stored } = scanWith(skipped)
  return scanFactsOf(stored, files, [], matchingOf(stored, [], new Map()))
}

const aKnownRow = (): KnownRow => {
  const { rule_id, tool, tool_version, kind, signatures, anchor, locations } = aFinding()
  const [{ file_path, symbol }] = locations
  return {
    id: ObservationId.make("00000000-0000-7000-8000-000000000001"),
    number: ObservationNumber.make(1),
    status: "new",
    close_reason: null,
    dismissal_category: null,
    last_seen_job_id: null,
    ...{ rule_id, tool, tool_version, kind, signatures, anchor, file_path, symbol }
  }
}

describe("the facts of a scan", () => {
  it.each(["binary", "vendored", "symlink", "submodule", "configuration"])(
    "hold no doubt because of a changed file that audits leave out: %s",
    (reason) => {
      const { unread, leftOut } = factsWith([{ path: "a", reason }])
      assert.deepStrictEqual([unread, leftOut], [[], ["a"]])
    }
  )

  it.each(["too_large", "unreadable", "missing", "timeout"])(
    "hold a doubt because of a changed file that was not read: %s",
    (reason) => {
      const { unread, leftOut } = factsWith([{ path: "a", reason }])
      assert.deepStrictEqual([unread, leftOut], [["a"], []])
    }
  )

  it.each(["configuration", "vendored", "too_large"])(
    "do not call an observation gone whose file is not inspected any more: %s",
    (reason) => {
      const { stored } = scanWith([{ path: "a.ts", reason }])
      const row = aKnownRow()
      const matching = matchingOf(stored, [row], new Map())
      const facts = observationFactsOf({
        ref: "OBS-1",
        row,
        scan: stored,
        matching,
        renames: new Map(),
        pathsAtHead: new Set(["a.ts"])
      })
      assert.strictEqual(facts.state, "unknown")
      assert.match(facts.doubt, /a\.ts was not inspected/)
    }
  )
})
