import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { help } from "../../src/cli/allCommands.ts"
import { helpFor } from "../../src/cli/help.ts"
import { plain } from "../../src/cli/terminal.ts"
import { assay } from "../support/assayCommand.ts"
import { inForm } from "../support/forms.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"
import { aServer, servesGit } from "../support/gitServer.ts"

const escape = "\u001b"
const tangle = (depth: number): string =>
  depth === 0 ? "x++" : `if (a${depth} && b${depth}) { for (const c of d) { ${tangle(depth - 1)} } }`
const knot = `export function knot(d) { let x = 0; ${tangle(5)} return x }\n`

describe("assay", () => {
  const asked = [
    [[], "Usage: assay <command> [options]"],
    [["--help"], "  doctor "],
    [["audit", "--help"], "Usage: assay audit [options] <path or git URL>"],
    [["audit", "-h"], "--fail-on P0|P1|P2|P3"],
    [["sign-in-link", "-h"], "[<email>]"],
    [["workspace"], "Usage: assay workspace <command>"]
  ] as const
  for (const [args, expected] of asked) {
    it(`explains itself when asked "assay ${args.join(" ")}"`, () => {
      const page = helpFor(help, args, plain) ?? ""
      assert.include(page, expected)
      assert.notMatch(page, /A user-defined|A true or false|undefined/)
      for (const line of page.split("\n")) assert.isAtMost(line.length, 100, line)
    })
  }

  it("takes no argument for a question that is not one", () => {
    for (const args of [["audit", "."], ["audit", "--", "--help"], ["doctor"]])
      assert.isNull(helpFor(help, args, plain), args.join(" "))
  })

  it.live("answers in plain text where there is no terminal", () =>
    Effect.gen(function* () {
      const [page, number] = yield* Effect.all([assay(["--help"]), assay(["--version"])])
      for (const { status, stdout, stderr } of [page, number]) {
        assert.deepStrictEqual([status, stderr], [0, ""])
        assert.notInclude(stdout, escape)
      }
      assert.strictEqual(page.stdout, `${helpFor(help, [], plain)}\n`)
      assert.match(number.stdout, /^\d+\.\d+\.\d+\n$/)
    })
  )

  const wrong = [
    ["frobnicate"],
    ["audit", ".", "--frob"],
    ["audit", "--fail-on", "P9", "."],
    ["audit", "--json", "--sarif", "-", "."]
  ]
  for (const args of inForm({ short: wrong.slice(-1), long: wrong })) {
    it.live(`rejects "assay ${args.join(" ")}" with status 2 and a short message`, () =>
      Effect.gen(function* () {
        const { status, stdout, stderr } = yield* assay(args)
        assert.deepStrictEqual([status, stdout], [2, ""])
        assert.match(stderr, /^assay: \S/)
        assert.isAtMost(stderr.trim().split("\n").length, 2)
        assert.notInclude(stderr, escape)
      })
    )
  }

  it.live("names the setting that it cannot read", () =>
    Effect.gen(function* () {
      const { status, stderr } = yield* assay(["doctor"], { env: { ASSAY_PORT: "many" } })
      assert.strictEqual(status, 2)
      assert.match(stderr, /^assay: ASSAY_PORT must be a port, 0 to 65535\n$/)
    })
  )

  it.live("says what is wrong with the data folder, and looks at the rest all the same", () =>
    Effect.gen(function* () {
      const file = join(aFolder(), "file")
      writeFileSync(file, "")
      const env = { ASSAY_DATA_DIR: join(file, "data"), DATABASE_URL: "postgres://x:y@127.0.0.1:1/z" }
      const { status, stdout } = yield* assay(["doctor"], { env })
      assert.strictEqual(status, 1)
      assert.match(stdout, /^ok {4}git: git version \d/m)
      assert.match(stdout, /^fail {2}disk: .* is not a folder; set ASSAY_DATA_DIR/m)
      assert.match(stdout, /^fail {2}database: \S/m)
      assert.match(stdout, /^ok {4}proxies: /m)
    })
  )
})

describe("assay audit", { timeout: 600_000 }, () => {
  it.live(
    "exits with 1 when --fail-on is reached, with 0 when it is not, and reports the same findings in every format",
    () =>
      Effect.gen(function* () {
        const { path, git } = aRepository({ "src/knot.js": knot })
        const file = join(aFolder(), "out.sarif")
        const strict = yield* assay(["audit", "--json", "--sarif", file, "--fail-on", "P3", path])
        const lenient = yield* assay(["audit", "--fail-on", "P0", path])
        assert.deepStrictEqual([strict.status, lenient.status], [1, 0])
        assert.include(strict.stderr, "priority P3 or higher")
        assert.strictEqual(lenient.stderr, "")
        assert.include(lenient.stdout, "src/knot.js:1")
        const report = JSON.parse(strict.stdout) as { commit: string; findings: ReadonlyArray<{ rule_id: string }> }
        assert.strictEqual(report.commit, git("rev-parse", "HEAD"))
        const { runs } = JSON.parse(readFileSync(file, "utf8")) as {
          runs: [{ results: ReadonlyArray<{ ruleId: string }> }]
        }
        assert.isNotEmpty(report.findings)
        assert.deepStrictEqual(
          runs[0].results.map(({ ruleId }) => ruleId),
          report.findings.map(({ rule_id }) => rule_id)
        )
      })
  )

  it.live("keeps what a discovery has read for the next one, and with --no-cache nothing", () =>
    Effect.gen(function* () {
      const { path } = aRepository({ "src/knot.js": knot })
      const env = { XDG_CACHE_HOME: aFolder() }
      const kept = () =>
        readdirSync(env.XDG_CACHE_HOME, { recursive: true }).filter((one) => /discovery/.test(`${one}`))
      const uncached = yield* assay(["discover", "--no-cache", path], { env })
      assert.isEmpty(kept())
      const first = yield* assay(["discover", path], { env })
      assert.isNotEmpty(kept())
      const again = yield* assay(["discover", path], { env })
      assert.strictEqual(first.stdout, uncached.stdout)
      assert.strictEqual(again.stdout, first.stdout)
    })
  )

  it.live("analyses what has changed since the last audit, or with --no-cache everything, and reports the same", () =>
    Effect.gen(function* () {
      const { path } = aRepository({ "src/knot.js": knot, "src/ok.js": "export const ok = 1\n" })
      const env = { XDG_CACHE_HOME: aFolder() }
      const audited = (...flags: ReadonlyArray<string>) =>
        Effect.map(assay(["audit", "--json", ...flags, path], { env }), ({ stdout }) => {
          const { reused_files, findings } = JSON.parse(stdout) as { reused_files: number; findings: unknown }
          return { reused_files, findings: JSON.stringify(findings) }
        })
      const first = yield* audited()
      writeFileSync(join(path, "src/ok.js"), "export const ok = 2\n")
      const [second, uncached] = [yield* audited(), yield* audited("--no-cache")]
      assert.deepStrictEqual(
        [first, second, uncached].map(({ reused_files }) => reused_files),
        [0, 1, 0]
      )
      assert.strictEqual(second.findings, first.findings)
      assert.strictEqual(uncached.findings, first.findings)
      const { stdout } = yield* assay(["audit", path], { env })
      assert.include(stdout, "2 files had not changed since the last audit.")
    })
  )

  it.live("reads a checkout as it lies there, a bare repository at its HEAD, a URL at its branch", () =>
    Effect.gen(function* () {
      const { path } = aRepository({ "src/ok.js": "export const ok = 1\n" })
      writeFileSync(join(path, "src/knot.js"), knot)
      const served = aFolder()
      const bare = aRepository({ "src/knot.js": knot }, { path: join(served, "bare.git"), bare: true })
      bare.commit({ "src/other.js": knot }, { branch: "other", remove: ["src/knot.js"] })
      const port = yield* aServer(servesGit(served))
      const env = { ASSAY_ALLOW_PRIVATE_NETWORK: "true" }
      const url = `http://127.0.0.1:${port}/bare.git`
      const [checkout, atHead, remote, branch] = yield* Effect.all(
        [
          assay(["audit", path]),
          assay(["audit", bare.path]),
          assay(["audit", url], { env }),
          assay(["audit", "--branch", "other", url], { env })
        ],
        { concurrency: 2 }
      )
      for (const { stdout, stderr } of [checkout, atHead, remote]) assert.include(stdout, "src/knot.js:1", stderr)
      assert.include(branch.stdout, "src/other.js:1")
    }).pipe(Effect.scoped)
  )

  it.live("opens its output before it audits anything, and leaves what is there when there is no result", () =>
    Effect.gen(function* () {
      const { path } = aRepository({ "src/ok.js": "export const ok = 1\n" })
      const folder = aFolder()
      const absent = yield* assay(["audit", "--sarif", join(folder, "no", "x.sarif"), join(folder, "nowhere")])
      assert.deepStrictEqual([absent.status, absent.stdout], [2, ""])
      assert.strictEqual(
        absent.stderr,
        `assay: cannot write ${join(folder, "no", "x.sarif")}: there is no folder ${join(folder, "no")}.\n`
      )
      const kept = join(folder, "kept.sarif")
      writeFileSync(kept, "earlier")
      for (const file of [kept, join(folder, "new.sarif")])
        assert.strictEqual((yield* assay(["audit", "--sarif", file, join(folder, "nowhere")])).status, 2)
      assert.deepStrictEqual(readdirSync(folder), ["kept.sarif"])
      assert.strictEqual(readFileSync(kept, "utf8"), "earlier")
      assert.strictEqual((yield* assay(["audit", "--sarif", kept, path])).status, 0)
      assert.include(readFileSync(kept, "utf8"), '"version": "2.1.0"')
    })
  )

  it.live("reads the whole repository of a subfolder, reports what is in it, and says so", () =>
    Effect.gen(function* () {
      const { path } = aRepository({ "src/knot.js": knot, "lib/knot.js": knot })
      const { status, stdout, stderr } = yield* assay(["audit", "lib", "--compact"], { cwd: path })
      assert.strictEqual(status, 0)
      assert.match(stdout, /^lib\/knot\.js:1:\d+: /)
      assert.notInclude(stdout, "src/knot.js")
      assert.include(stderr, "reporting what is in lib/")
    })
  )

  it.live("audits a folder outside of git, and with --no-git also what git ignores", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      mkdirSync(join(folder, "src"))
      writeFileSync(join(folder, "src/knot.js"), knot)
      const outside = yield* assay(["audit", folder, "--compact"])
      assert.match(outside.stdout, /^src\/knot\.js:1:/)
      const { path } = aRepository({ ".gitignore": "local/\n" })
      mkdirSync(join(path, "local"))
      writeFileSync(join(path, "local/knot.js"), knot)
      const [tracked, all] = yield* Effect.all([
        assay(["audit", path, "--compact"]),
        assay(["audit", path, "--compact", "--no-git"])
      ])
      assert.strictEqual(tracked.stdout, "")
      assert.match(all.stdout, /^local\/knot\.js:1:/)
    })
  )

  it.live("reads the whole of a tracked subfolder with --no-git, too, and a package unpacked in it by itself", () =>
    Effect.gen(function* () {
      const { path } = aRepository({ ".gitignore": "local/\n", "src/knot.js": knot, "lib/knot.js": knot })
      mkdirSync(join(path, "lib/local"))
      writeFileSync(join(path, "lib/local/knot.js"), knot)
      const [part, alone] = yield* Effect.all([
        assay(["audit", "lib", "--compact", "--no-git"], { cwd: path }),
        assay(["audit", "lib/local", "--compact", "--no-git"], { cwd: path })
      ])
      assert.include(part.stdout, "lib/knot.js:1:")
      assert.notInclude(part.stdout, "src/knot.js")
      assert.include(part.stderr, "reporting what is in lib/")
      assert.match(alone.stdout, /^knot\.js:1:/)
      assert.notInclude(alone.stderr, "reporting what is in")
    })
  )

  it.live("reports only the rules that are asked for, and names the one that is meant by a wrong id", () =>
    Effect.gen(function* () {
      const { path } = aRepository({ "src/knot.js": knot })
      const [only, excluded, wrong] = yield* Effect.all([
        assay(["audit", path, "--compact", "--only", "complexity"]),
        assay(["audit", path, "--compact", "--exclude", "complexity"]),
        assay(["audit", path, "--only", "complexty"])
      ])
      assert.match(only.stdout, /\[complexity\.\w+\]\n$/)
      assert.notInclude(excluded.stdout, "[complexity.")
      assert.deepStrictEqual([wrong.status, wrong.stdout], [2, ""])
      assert.include(wrong.stderr, "Did you mean complexity?")
    })
  )

  it.live("follows values through what a repository models of its own functions", () =>
    Effect.gen(function* () {
      const models = [
        "models:",
        "  - language: python",
        "    sources:",
        "      - path: shop.web.field()",
        "    sinks:",
        "      - path: shop.db.run",
        "        kind: sql",
        ""
      ]
      const code =
        'from shop import web, db\n\n\ndef go():\n    return db.run("select * from t where a = \'" + web.field("a") + "\'")\n'
      const { path } = aRepository({ "src/shelf.py": code, ".assay/models.yaml": models.join("\n") })
      const { stdout, stderr } = yield* assay(["audit", path, "--compact"])
      assert.match(
        stdout,
        /^src\/shelf\.py:5:\d+: P0 finding: SQL injection: .*\[sql_injection\.untrusted_sql\]\n$/,
        stderr
      )
    })
  )

  it.live("explains a rule by its id", () =>
    Effect.gen(function* () {
      const { status, stdout } = yield* assay(["explain", "sql_injection.untrusted_sql"])
      assert.strictEqual(status, 0)
      for (const part of ["SQL injection", "CWE-89", "Put right:", "assay: ignore sql_injection.untrusted_sql -- "])
        assert.include(stdout, part)
    })
  )

  const mistaken: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["audti"], 'there is no command "audti". Did you mean audit?'],
    [["workspace", "crate"], 'there is no command "workspace crate". Did you mean create?'],
    [["audit", "--sarfi", "x", "."], "audit has no option --sarfi. Did you mean --sarif?"],
    [["audit", "--fail-on", "P9", "."], '--fail-on takes one of P0, P1, P2, P3, not "P9".']
  ]
  for (const [args, message] of inForm({ short: mistaken.slice(0, 1), long: mistaken })) {
    it.live(`answers "assay ${args.join(" ")}" with what is meant`, () =>
      Effect.gen(function* () {
        const { status, stderr } = yield* assay(args)
        assert.strictEqual(status, 2)
        assert.include(stderr, message)
      })
    )
  }

  it.live("answers a repository without commits, and rejects what is none", () =>
    Effect.gen(function* () {
      const empty = yield* assay(["audit", aRepository().path])
      assert.deepStrictEqual([empty.status, empty.stdout.split("\n")[0]], [0, "No findings."])
      const folder = aFolder()
      mkdirSync(join(folder, "plain"))
      const rejected = [["nowhere", "There is no folder"]] as const
      for (const [name, message] of rejected) {
        const { status, stdout, stderr } = yield* assay(["audit", join(folder, name)])
        assert.deepStrictEqual([status, stdout], [2, ""])
        assert.include(stderr, message)
      }
    })
  )
})
