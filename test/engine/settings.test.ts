import { readFileSync } from "node:fs"
import { Ajv } from "ajv"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { languages } from "../../src/engine/core/files/Language.ts"
import { PathPattern } from "../../src/engine/core/settings/PathPattern.ts"
import { parseSettings } from "../../src/engine/core/settings/parseSettings.ts"

const docs = new URL("../../docs/", import.meta.url)
const guide = readFileSync(new URL("configuration.md", docs), "utf8")
const schema: {
  readonly properties: {
    readonly languages: {
      readonly items: { readonly properties: { readonly language: { readonly enum: ReadonlyArray<string> } } }
    }
  }
} = JSON.parse(readFileSync(new URL("assay.schema.json", docs), "utf8"))

const cpuSecondsOf = (run: () => unknown): number => {
  const before = process.cpuUsage()
  run()
  return process.cpuUsage(before).user / 1e6
}

const matching = (pattern: string, ...paths: ReadonlyArray<string>) =>
  paths.filter((path) => new PathPattern(pattern).matches(path))

describe("a pattern for paths", () => {
  it("matches a name anywhere, a folder with all below it, and from the root once it has a slash", () => {
    assert.deepStrictEqual(matching("*.sql", "a.sql", "db/b.sql", "a.sql.ts"), ["a.sql", "db/b.sql"])
    assert.deepStrictEqual(matching("legacy/", "legacy/a.js", "src/legacy/b/c.js", "legacyish/a.js"), [
      "legacy/a.js",
      "src/legacy/b/c.js"
    ])
    assert.deepStrictEqual(matching("src/old", "src/old/a.js", "x/src/old/a.js", "src/older.js"), ["src/old/a.js"])
    assert.deepStrictEqual(matching("/a.js", "a.js", "b/a.js"), ["a.js"])
    assert.deepStrictEqual(matching("src/**/gen/*.ts", "src/gen/a.ts", "src/a/b/gen/c.ts", "src/a/gen/b/c.js"), [
      "src/gen/a.ts",
      "src/a/b/gen/c.ts"
    ])
    assert.deepStrictEqual(matching("src/**", "src/a", "src/a/b", "srcs/a"), ["src/a", "src/a/b"])
    assert.deepStrictEqual(matching("?.js", "a.js", "ab.js"), ["a.js"])
  })

  it("takes no more than linear time for hostile patterns", () => {
    const pattern = new PathPattern(`${"**/*a*a*a*a/".repeat(20)}b`)
    const path = `${"aaaaaaaaaaaaaaaaaaaaaaaa/".repeat(150)}c`
    assert.isBelow(
      cpuSecondsOf(() => pattern.matches(path)),
      1
    )
  })
})

const full = `
version: 1
paths:
  include: [src/**]
  exclude: ["src/legacy/**"]
rules:
  off: [complexity]
  on: [correctness_bugs.rare]
  priority: { sql_injection: P1 }
  by_path:
    - paths: [tools/**]
      off: [command_injection]
roles:
  - paths: [checks/**]
    role: test
languages:
  - paths: ["*.inc"]
    language: php
accessibility:
  components: { PrimaryButton: button }
`

const messagesOf = (text: string) => parseSettings(text).warnings.map(({ line, message }) => `${line}: ${message}`)

describe("the configuration of a repository", () => {
  it("is read whole without a warning", () => {
    const settings = parseSettings(full)
    assert.deepStrictEqual(settings.warnings, [])
    assert.deepStrictEqual(
      settings.rules.map(({ off, on, priority, line }) => ({ off, on, priority, line })),
      [
        { off: ["complexity"], on: ["correctness_bugs.rare"], priority: { sql_injection: "P1" }, line: 7 },
        { off: ["command_injection"], on: [], priority: {}, line: 11 }
      ]
    )
    assert.deepStrictEqual(
      settings.roles.map(({ value }) => value),
      ["test"]
    )
    assert.deepStrictEqual(
      settings.languages.map(({ value }) => value),
      ["php"]
    )
    assert.deepStrictEqual(settings.components, { PrimaryButton: "button" })
    assert.isTrue(settings.exclude[0]!.matches("src/legacy/a/b.js"))
  })

  it("is described for editors by a schema that accepts the same", () => {
    const validate = new Ajv().compile(schema)
    assert.isTrue(validate(parse(full)), JSON.stringify(validate.errors))
    assert.deepStrictEqual(schema.properties.languages.items.properties.language.enum, [...languages])
    for (const wrong of ["path: []", "roles: [{ paths: [a], role: tests }]", "rules: { off: [Complexity] }"]) {
      assert.isFalse(validate(parse(wrong)), wrong)
      assert.isAbove(parseSettings(wrong).warnings.length, 0, wrong)
    }
  })

  it("is documented by an example that can be used as it is", () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? ""
    assert.deepStrictEqual(parseSettings(example).warnings, [])
    assert.include(example, "accessibility:")
  })

  it("keeps what can be used and names the line and the way out of the rest", () => {
    assert.deepStrictEqual(
      messagesOf(
        'path:\n  - a\nroles:\n  - paths: [a]\n    role: tests\nrules:\n  off: [Complexity]\npaths:\n  exclude: ["!a", "../b"]\n'
      ),
      [
        '1: Unknown key "path": known are version, paths, rules, roles, languages, accessibility.',
        '9: paths.exclude: "!a" is left out. Patterns cannot be negated: list the paths under "include" or "exclude".',
        '9: paths.exclude: "../b" is left out. A pattern must stay inside of the repository: write it without "..".',
        '7: rules.off: "Complexity" is no tool (complexity) or rule (tool.rule).',
        '5: roles.role is "tests"; it must be one of source, test, fixture, example, docs, generated, vendored, minified.'
      ]
    )
  })

  it("says where text is no YAML, and follows no alias", () => {
    assert.match(messagesOf("paths:\n  exclude: [a\n")[0] ?? "", /^\d: It is not YAML that can be read: /)
    assert.deepStrictEqual(parseSettings("x: &x [a]\npaths:\n  exclude: *x\n").exclude, [])
    const bomb = `a: &a [x, x]\n${"bcdefghijk".replace(/./g, (name, at: number) => `${name}: &${name} [*${at === 0 ? "a" : "abcdefghijk"[at]}, *${at === 0 ? "a" : "abcdefghijk"[at]}]\n`)}paths: { exclude: [*k] }\n`
    assert.isBelow(
      cpuSecondsOf(() => parseSettings(bomb)),
      2
    )
    assert.deepStrictEqual(parseSettings(bomb).exclude, [])
  })

  it("runs nothing: tags and merge keys are data", () => {
    const { warnings, exclude } = parseSettings(
      "paths: !!js/function 'process.exit()'\n<<: { paths: { exclude: [a] } }\n"
    )
    assert.deepStrictEqual(exclude, [])
    assert.isAbove(warnings.length, 0)
  })

  it("cannot switch credential rules off or lower them", () => {
    const settings = parseSettings(
      "rules:\n  off: [secret_detection, secret_detection.hardcoded_password]\n  priority: { secret_detection: P3 }\n"
    )
    assert.deepStrictEqual(settings.rules[0]?.off, [])
    assert.deepStrictEqual(settings.rules[0]?.priority, {})
    assert.strictEqual(settings.warnings.length, 3)
  })
})
