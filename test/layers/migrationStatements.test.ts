import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const folder = fileURLToPath(new URL("../../src/layers/migrations/", import.meta.url))

/** The last migration from before these rules; those until then are as they were merged. */
const lastWithoutRules = 58

interface Rule {
  readonly why: string
  readonly isBroken: (statement: string, created: ReadonlySet<string>) => boolean
}

const tableOf = (statement: string, pattern: RegExp) => pattern.exec(statement)?.[1]?.toLowerCase() ?? ""

const altered = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/i

const altersOld = (part: RegExp, statement: string, created: ReadonlySet<string>) =>
  altered.test(statement) && !created.has(tableOf(statement, altered)) && part.test(statement)

/** A table that the migration itself makes is empty, and no one reads it yet. */
const rules: Readonly<Record<string, Rule>> = {
  index: {
    why: "CREATE INDEX holds up writers: add the index to onlineIndexes.ts",
    isBroken: (statement, created) =>
      /^CREATE (?:UNIQUE )?INDEX\b/i.test(statement) && !created.has(tableOf(statement, /\bON (?:ONLY )?(\w+)/i))
  },
  notNull: {
    why: "SET NOT NULL reads the whole table under a lock: add a CHECK NOT VALID, and validate it in a later version",
    isBroken: (statement, created) => altersOld(/\bSET NOT NULL\b/i, statement, created)
  },
  type: {
    why: "another type rewrites the table under a lock: add a column beside it",
    isBroken: (statement, created) => altersOld(/\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/i, statement, created)
  },
  computed: {
    why: "a stored generated column, an identity, or a default that is no constant rewrites the table under a lock",
    isBroken: (statement, created) =>
      altersOld(
        /\bADD COLUMN[^;]*(?:GENERATED|DEFAULT (?:gen_random_uuid|clock_timestamp|random|nextval)\b|\b(?:big|small)?serial\b)/i,
        statement,
        created
      )
  },
  constraint: {
    why: "a constraint without NOT VALID reads the whole table under a lock",
    isBroken: (statement, created) =>
      altersOld(/\bADD (?:CONSTRAINT|CHECK|FOREIGN KEY|UNIQUE|PRIMARY KEY)\b/i, statement, created) &&
      !/\bNOT VALID\b/i.test(statement)
  },
  rewrite: {
    why: "it locks the table for as long as it reads or writes all of it",
    isBroken: (statement) => /^(?:VACUUM FULL|CLUSTER|REINDEX|LOCK TABLE|TRUNCATE)\b/i.test(statement)
  },
  removal: {
    why: "the version before still uses it: stop using it in one version, and drop it in the next but one",
    isBroken: (statement, created) =>
      /^DROP TABLE\b/i.test(statement) || altersOld(/\b(?:DROP COLUMN|RENAME)\b/i, statement, created)
  },
  required: {
    why: "the version before inserts rows without it: give it a default, or allow NULL",
    isBroken: (statement, created) =>
      altersOld(/\bADD COLUMN (?:IF NOT EXISTS )?\w+[^,;]*\bNOT NULL\b(?![^,;]*\bDEFAULT\b)/i, statement, created) &&
      !/\bDEFAULT\b[^,;]*\bNOT NULL\b/i.test(statement)
  }
}

/** The statements of a migration: what is between backquotes, without comments and bodies of functions. */
const statementsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/sql`((?:[^`\\]|\\.)*)`/gs)].flatMap(([, sql = ""]) =>
    sql
      .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
      .replace(/--[^\n]*/g, "")
      .split(";")
      .map((statement) => statement.replace(/\s+/g, " ").trim())
      .filter((statement) => statement !== "")
  )

const createdBy = (statements: ReadonlyArray<string>) =>
  new Set(statements.map((one) => tableOf(one, /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i)))

/** What the rules find in a migration. */
const brokenIn = (text: string): ReadonlyArray<string> => {
  const statements = statementsOf(text)
  const created = createdBy(statements)
  return statements.flatMap((statement) =>
    Object.entries(rules).flatMap(([name, { isBroken }]) => (isBroken(statement, created) ? [name] : []))
  )
}

const files = readdirSync(folder).filter((name) => /^\d{4}_.*\.ts$/.test(name))

describe("migrations", () => {
  it("after the first that these rules bind hold up no reader, and leave the version before what it uses", () => {
    const broken = files
      .filter((name) => Number.parseInt(name, 10) > lastWithoutRules)
      .flatMap((name) => brokenIn(readFileSync(folder + name, "utf8")).map((rule) => `${name}: ${rules[rule]?.why}`))
    assert.deepStrictEqual(broken, [])
  })

  it("are read by the rules: those from before break most of them", () => {
    assert.includeMembers(
      files.flatMap((name) => brokenIn(readFileSync(folder + name, "utf8"))),
      ["index", "constraint"]
    )
  })

  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["CREATE INDEX a ON observations (b)", ["index"]],
    ["CREATE UNIQUE INDEX a ON observations (b)", ["index"]],
    ["CREATE TABLE t (a int); CREATE INDEX i ON t (a)", []],
    ["ALTER TABLE jobs ALTER COLUMN a SET NOT NULL", ["notNull"]],
    ["ALTER TABLE jobs ALTER a TYPE bigint", ["type"]],
    ["ALTER TABLE jobs ADD COLUMN a uuid DEFAULT gen_random_uuid()", ["computed"]],
    ["ALTER TABLE jobs ADD COLUMN a text GENERATED ALWAYS AS (b) STORED", ["computed"]],
    ["ALTER TABLE jobs ADD CONSTRAINT c CHECK (a > 0)", ["constraint"]],
    ["ALTER TABLE jobs ADD CONSTRAINT c CHECK (a > 0) NOT VALID", []],
    ["ALTER TABLE jobs ADD COLUMN a integer", []],
    ["ALTER TABLE jobs ADD COLUMN a integer NOT NULL DEFAULT 0", []],
    ["ALTER TABLE jobs ADD COLUMN a integer NOT NULL", ["required"]],
    ["ALTER TABLE jobs DROP COLUMN a", ["removal"]],
    ["ALTER TABLE jobs RENAME COLUMN a TO b", ["removal"]],
    ["DROP TABLE jobs", ["removal"]],
    ["TRUNCATE jobs", ["rewrite"]],
    ["-- CREATE INDEX a ON jobs (b)\n CREATE FUNCTION f() AS $$ BEGIN TRUNCATE jobs; END $$", []]
  ]
  for (const [statement, expected] of cases) {
    it(`${expected.length === 0 ? "may" : "may not"} have: ${statement}`, () => {
      assert.deepStrictEqual(brokenIn(`sql\`${statement}\``), expected)
    })
  }
})
