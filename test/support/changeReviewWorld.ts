import { aRepository } from "./gitRepository.ts"
import { madeUp } from "./madeUp.ts"

/** Refs of the injections that the audits of the branches found, by `repository path`. */
export type Refs = (repository: "shop" | "ledger" | "archive", path: string) => string

export interface ScriptedCriterion {
  readonly text: string
  readonly check?: object
  readonly verdict: "met" | "not_met" | "cannot_tell"
  /** A location that the verdict shows, where it shows one: `repository path:line`. */
  readonly shows?: string
}

const lock = (packages: Readonly<Record<string, string>>) =>
  `${JSON.stringify({ name: "shop", lockfileVersion: 3, packages: { "": { name: "shop" }, ...Object.fromEntries(Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }])) } }, null, 2)}\n`

const search = `import express from "express"
import { db } from "./db"

const app = express()
app.get("/search", (req, res) => {
  db.query("SELECT * FROM items WHERE name = '" + req.query.name + "'")
  res.end()
})
`

/** A loop that never ends, on the sixth line. */
const report = `import express from "express"

const app = express()
app.get("/report", (req, res) => {
  const pages = Number(req.query.pages)
  for (let page = pages; page > 0; page++) res.write("report")
  res.end()
})
`

const book = (body: string) => `import os
import subprocess


def post(amount):
    return amount


def export(request):
${body}
`

/** Two repositories with the three branches of a change, and one that the change does not touch. */
export const changeReviewWorld = () => {
  const shop = aRepository({
    "README.md": "# Shop\n",
    "docs/pay.md": "Payments of up to 100 are taken.\n",
    "src/pay.ts":
      "export const LIMIT = 100\nexport const pay = (amount: number) => amount <= LIMIT\nexport const refund = (amount: number) => -amount\n",
    "src/search.ts": search,
    "src/Legacy.kt": "fun legacy() = 1\n",
    "test/pay.test.ts": 'import { pay } from "../src/pay"\nit("pays", () => pay(1))\n',
    "data/rates.csv": "eur,usd\n".repeat(150_000),
    "package.json": '{ "name": "shop", "dependencies": { "left-pad": "1.1.3" } }\n',
    "package-lock.json": lock({ "left-pad": "1.1.3" }),
    "migrations/001_items.up.sql": "CREATE TABLE items ();\n",
    "migrations/001_items.down.sql": "DROP TABLE items;\n"
  })
  shop.git("branch", "pay/retry", "main")
  shop.commit(
    {
      "src/retry.ts": "export const retry = (times: number) => times + 1\n",
      "test/retry.test.ts": 'import { retry } from "../src/retry"\nit("retries", () => retry(1))\n',
      "docs/retry.md": "Retries wait twice as long each time.\n",
      "migrations/002_retries.up.sql": "CREATE TABLE retries ();\n",
      "migrations/002_retries.down.sql": "DROP TABLE retries;\n"
    },
    { branch: "pay/retry" }
  )
  shop.git("branch", "pay/cleanup", "main")
  shop.commit(
    {
      "src/pay.ts":
        "// TODO: take larger payments\nexport const pay = (amount: number) => amount <= 100\nexport const refund = (amount: number, reason: string) => [-amount, reason]\n",
      "src/report.ts": report,
      "src/token.ts": `export const token = "ghp_${madeUp("alnum", 36, 21)}"\n`,
      "src/Legacy.kt": "fun modern() = 1\n",
      "package.json": '{ "name": "shop", "dependencies": { "left-pad": "1.3.0" } }\n',
      "package-lock.json": lock({ "left-pad": "1.3.0" })
    },
    { branch: "pay/cleanup" }
  )
  const ledger = aRepository({
    "README.md": "# Ledger\n",
    "ledger/book.py": book('    os.system("export " + request.args["name"])'),
    "tests/test_book.py": "from ledger.book import post\n\n\ndef test_post():\n    assert post(1) == 1\n"
  })
  ledger.git("branch", "book/export", "main")
  ledger.commit(
    {
      "ledger/book.py": book('    return subprocess.run(["export", "all"], check=True)'),
      "tests/test_book.py": "from ledger.book import post\n\n\ndef test_post():\n    assert post(2) == 2\n"
    },
    { branch: "book/export" }
  )
  const archive = aRepository({ "run.py": book('    os.system("archive " + request.args["name"])') })
  return {
    repositories: { shop, ledger, archive },
    branches: [
      { repository: "shop@main", branch: "pay/retry" },
      { repository: "shop@main", branch: "pay/cleanup" },
      { repository: "ledger@main", branch: "book/export" }
    ]
  }
}

/** Thirty criteria of that change: ten are met, ten are not, and of ten nothing in the code shows it. */
export const scriptedCriteria = (ref: Refs): ReadonlyArray<ScriptedCriterion> => [
  { text: "Documentation mentions retries", verdict: "met", shows: "shop docs/retry.md:1" },
  { text: "File docs/retry.md exists", verdict: "met", shows: "shop docs/retry.md:1" },
  { text: "No file named *.orig", verdict: "met" },
  { text: "No `debugger` in src/**", verdict: "met" },
  { text: "No `print(` in ledger/**", verdict: "met" },
  { text: "README mentions ledger", verdict: "met", shows: "ledger README.md:1" },
  { text: "The change touches at most 40 files and 400 lines", verdict: "met" },
  { text: `Observation ${ref("ledger", "ledger/book.py")} is no longer found`, verdict: "met" },
  { text: "No public API is removed in ledger/**", verdict: "met" },
  { text: "Migrations are reversible", verdict: "met", shows: "shop migrations/002_retries.up.sql:1" },

  { text: "Tests changed with code", verdict: "not_met", shows: "shop src/report.ts:1" },
  { text: "No new P0/P1 observation", verdict: "not_met", shows: "shop src/report.ts:6" },
  { text: "No public API removed", verdict: "not_met", shows: "shop src/pay.ts:1" },
  { text: "No secret", verdict: "not_met", shows: "shop src/token.ts:1" },
  { text: "CHANGELOG.md exists", verdict: "not_met" },
  { text: "File src/search.ts is removed", verdict: "not_met", shows: "shop src/search.ts:1" },
  { text: "Documentation mentions refunds", verdict: "not_met" },
  { text: "No TODO in src/**", verdict: "not_met", shows: "shop src/pay.ts:1" },
  { text: "Size below 10", verdict: "not_met" },
  { text: `${ref("shop", "src/search.ts")} is fixed`, verdict: "not_met", shows: "shop src/search.ts:6" },

  { text: "No new dependency with a known vulnerability", verdict: "cannot_tell", shows: "shop package-lock.json:9" },
  { text: "OBS-99999 is gone", verdict: "cannot_tell" },
  { text: `${ref("archive", "run.py")} is gone`, verdict: "cannot_tell" },
  {
    text: "Names of the Kotlin sources stay",
    check: { kind: "no_public_api_removed", paths: ["*.kt"] },
    verdict: "cannot_tell",
    shows: "shop src/Legacy.kt:1"
  },
  { text: "No `gbp` in data/**", verdict: "cannot_tell", shows: "shop data/rates.csv:1" },
  { text: "No `eval` in legacy/**", verdict: "cannot_tell" },
  { text: "Retries use exponential back-off", verdict: "cannot_tell" },
  { text: "The checkout feels faster", verdict: "cannot_tell" },
  { text: "Documentation mentions how to configure the proxy", verdict: "cannot_tell" },
  { text: "Support knows about the new limits", verdict: "cannot_tell" }
]
