import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { LockedPackage } from "../../src/engine/dependencies/lockfiles/LockedPackage.ts"
import { lockfileFormat } from "../../src/engine/dependencies/lockfiles/names.ts"
import { parseLockfile } from "../../src/engine/dependencies/lockfiles/parseLockfile.ts"
import dependency_vulnerabilities from "../../src/engine/rules/dependency_vulnerabilities/tool.ts"
import { patternTool, treeOf } from "../support/audit.ts"
import { fixturesOf, withoutMarks } from "../support/fixtures.ts"

const fixtures = Object.entries({
  ...fixturesOf("dependency_vulnerabilities"),
  ...Object.fromEntries(Object.entries(fixturesOf("supply_chain")).map(([path, text]) => [`supply/${path}`, text]))
}).flatMap(([path, text]) => (lockfileFormat(path) === null ? [] : [{ path, text: withoutMarks(text) }]))

const textOf = (path: string): string => fixtures.find((fixture) => fixture.path === path)!.text

const shown = (path: string) =>
  parseLockfile(path, textOf(path)).map(
    ({ name, version, direct, dev }: LockedPackage) => `${name} ${version} ${direct} ${dev}`
  )

describe("lock files", () => {
  it("distinguish what is direct and what is for development, as far as they record it", () => {
    assert.deepStrictEqual(shown("npm/package-lock.json").slice(0, 5), [
      "lodash 4.17.11 true false",
      "lodash 3.10.1 false false",
      "lodash 4.17.21 false false",
      "event-stream 3.3.6 true false",
      "minimist 1.2.5 true true"
    ])
    assert.deepStrictEqual(shown("pnpm5/pnpm-lock.yaml"), [
      "@scope/axios 0.1.0 false false",
      "axios 0.21.0 true false",
      "json5 1.0.1 false true",
      "ws 8.18.0 false true"
    ])
    assert.deepStrictEqual(shown("pip/requirements-dev.txt"), ["gunicorn 21.2.0 null true"])
    assert.deepStrictEqual(shown("go/go.mod").slice(1), [
      "golang.org/x/text v0.14.0 true null",
      "golang.org/x/net v0.0.0-20210405180319-a5a99cb37ef4 false null",
      "golang.org/x/crypto v0.31.0 true null",
      "google.golang.org/grpc v1.57.1 true null"
    ])
    assert.deepStrictEqual(shown("gem/Gemfile.lock"), [
      "rack 3.0.0 true null",
      "actionview 5.2.2 true null",
      "activesupport 7.1.0 false null",
      "nokogiri 1.13.3 false null",
      "rest-client 1.6.13 false null"
    ])
    assert.deepStrictEqual(shown("gradle/build.gradle.kts"), [
      "com.h2database:h2 1.4.200 true true",
      "org.apache.logging.log4j:log4j-core 2.14.1 true false",
      "com.thoughtworks.xstream:xstream 1.4.17 true false"
    ])
    assert.deepStrictEqual(shown("composer/composer.lock").at(-1), "phpunit/phpunit 5.6.2 null true")
  })

  it("leave out what is the project's own", () => {
    const all = fixtures.flatMap(({ path, text }) =>
      parseLockfile(path, text).map(({ name, version }) => `${name} ${version}`)
    )
    for (const own of ["ws 5.0.0", "moment 0.0.0-use.local", "flask 0.1.0", "hyper 0.14.0", "requests 2.32.3"]) {
      assert.notInclude(all, own)
    }
  })

  it("show names where they say they are", () => {
    for (const { path, text } of fixtures) {
      for (const { name, version, start, end } of parseLockfile(path, text)) {
        const there = text.slice(start, end)
        if (version === "" || there === "underscore-alias") continue
        assert.isTrue(name === there || name.endsWith(`:${there}`), `${path}: ${name} at ${JSON.stringify(there)}`)
      }
    }
  })

  it("give less when they are cut off or mangled, and never an error", () => {
    for (const { path, text } of fixtures) {
      const whole = parseLockfile(path, text).length
      for (let part = 0; part <= 40; part++) {
        const cut = text.slice(0, Math.floor((text.length * part) / 40))
        assert.isAtMost(parseLockfile(path, cut).length, whole + 1, path)
        for (const mangled of [
          cut + cut,
          cut.replaceAll('"', ""),
          cut.replaceAll("\n", "\r\n"),
          `${cut}\u0000[[[{{{"`
        ]) {
          for (const { start, end } of parseLockfile(path, mangled)) {
            assert.isTrue(start >= 0 && start <= end && end <= mangled.length, path)
          }
        }
      }
    }
  })

  it("may nest as deep as they like: there is nothing in it", () => {
    for (const { path } of fixtures) {
      for (const text of ['{"a":'.repeat(200_000), "[".repeat(500_000), "<a>".repeat(200_000)]) {
        assert.deepStrictEqual(parseLockfile(path, text), [])
      }
    }
  })
})

describe("a lock file beyond the limit of size", () => {
  const entry = (i: number) =>
    `"node_modules/package-${i}": {\n"version": "1.0.0",\n"resolved": "https://registry.npmjs.org/p/-/p-1.0.0.tgz",\n"integrity": "sha512-${"A".repeat(86)}=="\n}`
  const lockfile = (packages: number) =>
    `{"lockfileVersion": 3, "packages": {\n${Array.from({ length: packages }, (_, i) => entry(i)).join(",\n")},
"node_modules/lodash": {"version": "4.17.11"}}}`
  const text = lockfile(30_000)

  /** Processor time, so that a busy machine changes nothing. */
  const cost = (packages: number): number => {
    const source = lockfile(packages)
    const started = process.cpuUsage()
    assert.strictEqual(parseLockfile("package-lock.json", source).length, packages + 1)
    return process.cpuUsage(started).user
  }

  it("is read in time that grows with its length", () => {
    cost(3_000)
    const factors = [1, 2, 3].map(() => cost(12_000) / cost(3_000))
    // Linear is 4, quadratic 16.
    assert.isBelow(Math.min(...factors), 9)
  })

  it("is compared with advisories, shown to no other tool, and not counted as lines", async () => {
    const tools = [dependency_vulnerabilities, patternTool(/version/)]
    const result = await scan(treeOf({ "package-lock.json": text, "big.json": text }), { suite: "full", tools })
    assert.deepStrictEqual(
      result.findings.map(({ rule_id, locations: [first] }) => [rule_id, first.file_path, first.line_start]),
      [["dependency_vulnerabilities.vulnerable_version_critical", "package-lock.json", 150_002]]
    )
    assert.deepStrictEqual(result.skipped, [{ path: "big.json", reason: "too_large" }])
    assert.strictEqual(result.inventory.lines, 0)
  })
})
