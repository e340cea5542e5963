import { assert, describe, it } from "vitest"
import type { Advisories } from "../../../src/engine/dependencies/advisories/Advisory.ts"
import { BUILT_IN_NEWEST, builtIn, builtInCount } from "../../../src/engine/dependencies/advisories/builtIn.ts"
import { compiledAdvisories } from "../../../src/engine/dependencies/advisories/builtInCompiled.ts"
import { npmAdvisories, pythonAdvisories } from "../../../src/engine/dependencies/advisories/builtInNpmPython.ts"
import { rubyPhpAdvisories } from "../../../src/engine/dependencies/advisories/builtInRubyPhp.ts"
import { matchOf } from "../../../src/engine/dependencies/advisories/matching.ts"
import { registryName } from "../../../src/engine/dependencies/advisories/names.ts"
import { openAdvisories } from "../../../src/engine/dependencies/advisories/openAdvisories.ts"
import { compareVersions } from "../../../src/engine/dependencies/versions/order.ts"

const all = [...npmAdvisories, ...pythonAdvisories, ...compiledAdvisories, ...rubyPhpAdvisories]

describe("the built-in list of advisories", () => {
  it("has a date and ids of the shapes that databases give", () => {
    assert.match(BUILT_IN_NEWEST, /^\d{4}-\d\d-\d\d$/)
    assert.strictEqual(builtInCount, new Set(all.map(([, , id]) => id)).size)
    for (const [, , id, alias] of all) {
      assert.match(id, /^(?:GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}|GO-\d{4}-\d{4}|RUSTSEC-\d{4}-\d{4})$/)
      assert.match(alias, /^(?:CVE-\d{4}-\d{4,5})?$/)
    }
  })

  it("has ranges that rise, and versions in the order of their ecosystem", () => {
    for (const [ecosystem, names, id] of all) {
      for (const advisory of builtIn(ecosystem, registryName(ecosystem, names.split(" ")[0]!))) {
        if (advisory.id !== id) continue
        for (const { introduced, fixed, last } of advisory.ranges) {
          const from = introduced === "0" ? "0.0.0" : introduced
          const end = fixed ?? last
          if (end !== undefined) assert.isBelow(compareVersions(ecosystem, from, end) ?? 9, 0, `${id} ${from} ${end}`)
          if (introduced !== "0") assert.isNotNull(matchOf(ecosystem, introduced, advisory), `${id} ${introduced}`)
          if (fixed !== undefined) assert.isNull(matchOf(ecosystem, fixed, advisory), `${id} ${fixed}`)
          if (last !== undefined) assert.isNotNull(matchOf(ecosystem, last, advisory), `${id} ${last}`)
        }
        for (const version of advisory.versions) assert.isNotNull(matchOf(ecosystem, version, advisory), id)
      }
    }
  })

  it("names the fix of famous ones", () => {
    const fix = (...[ecosystem, name, version]: Parameters<Advisories["affecting"]>) =>
      openAdvisories(null)
        .affecting(ecosystem, name, version)
        .map(({ advisory, fixed }) => `${advisory.aliases[0]} ${fixed}`)
    assert.deepStrictEqual(fix("Maven", "org.apache.logging.log4j:log4j-core", "2.14.1"), [
      "CVE-2021-44228 2.15.0",
      "CVE-2021-45046 2.16.0"
    ])
    assert.deepStrictEqual(fix("Maven", "org.springframework:spring-beans", "5.3.17"), ["CVE-2022-22965 5.3.18"])
    assert.deepStrictEqual(fix("NuGet", "newtonsoft.json", "12.0.3"), ["CVE-2024-21907 13.0.1"])
    assert.deepStrictEqual(fix("npm", "lodash", "4.17.21"), [])
  })
})
