import { type RuleLanguage, ruleSet } from "../../core/tool/AuditTool.ts"

export const languages: ReadonlyArray<RuleLanguage> = [
  "c",
  "cpp",
  "csharp",
  "go",
  "java",
  "javascript",
  "php",
  "python",
  "ruby",
  "rust"
]

/** A function that sums up what is open, with its names as parameters. */
const sum = (name: string, rows: string, field: string): string =>
  `export function ${name}(${rows}, limit) {
  let total = 0
  let skipped = 0
  for (const row of ${rows}) {
    if (row.${field} > limit && row.state !== "closed") {
      total += row.${field} * row.rate + row.shipping
      row.total = Math.round(total * 100) / 100
    } else if (row.kind === "gift" || row.kind === "sample") {
      skipped += 1
      row.note = [row.note, skipped].join(", ")
    }
  }
  const mean = total / Math.max(1, ${rows}.length - skipped)
  const rounded = Math.round(mean * 100) / 100
  return { total, skipped, mean: rounded }
}
`

const shared = 'export { openTotal } from "./orders.js"\n'

/** Two functions of one file, long enough for a comparison of whole files. */
const file = `${sum("openTotal", "orders", "amount")}\n${sum("paidTotal", "orders", "payment")}`

export const rules = ruleSet({
  exact_clone: {
    languages,
    title: "Duplicate code: exact clone (type 1)",
    description:
      "A bug that is fixed in one copy remains in the others. The same code occurs more than once. Move it to a function that " +
      "all these locations call; where they differ later, add a parameter.",
    example: {
      path: "src/customers.js",
      besides: { "src/orders.js": sum("openTotal", "orders", "amount") },
      bad: sum("openTotal", "orders", "amount"),
      good: shared
    },
    cwe: [1041],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  renamed_clone: {
    languages,
    title: "Duplicate code: renamed clone (type 2)",
    description:
      "A change of one location is missed at the others. They call the same functions in the same order and differ only in " +
      "the names of variables and in constants. Move the steps to one function and pass the differences as arguments.",
    example: {
      path: "src/customers.js",
      besides: { "src/orders.js": sum("openTotal", "orders", "amount") },
      bad: sum("balance", "customers", "amount"),
      good: shared
    },
    cwe: [1041],
    confidence: 0.75,
    effort: "medium",
    risk: "low"
  },
  copied_file: {
    languages,
    title: "Duplicate file",
    description:
      "A change of one file is missed in the other, and the two diverge unnoticed. All or most of the code of one file is also " +
      "in another. Keep one file and import it where the other was; where packages may not share code, make it a package.",
    example: {
      path: "src/customers.js",
      besides: { "src/orders.js": file },
      bad: file,
      good: shared
    },
    cwe: [1041],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
