import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Keys, members and cases that occur twice. */
export const duplicateRules = ruleSet({
  duplicate_key: certain({
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Duplicate key in a literal (no-dupe-keys)",
    description:
      "An entry that is visible in the code is missing at run time. The key occurs twice in one literal, and the last " +
      "value silently replaces the earlier one (or the call throws); usually an entry was copied and its key not " +
      "changed. Use the intended key, or remove the entry that is lost.",
    example: {
      path: "src/options.js",
      bad: "export const options = { retries: 3, delay: 10, retries: 5 }\n",
      good: "export const options = { retries: 3, delay: 10, attempts: 5 }\n"
    },
    cwe: [462]
  }),
  duplicate_key_same_value: certain({
    languages: ["javascript", "php", "python", "ruby"],
    title: "Duplicate key with the same value in a literal",
    description:
      "No value is lost, but an edit of the first entry has no effect. The same key with the same value occurs twice in " +
      "one literal, and only the last entry is kept. Remove one of the two entries.",
    example: {
      path: "src/options.js",
      bad: "export const options = { retries: 3, delay: 10, retries: 3 }\n",
      good: "export const options = { retries: 3, delay: 10 }\n"
    },
    cwe: [462],
    priority: "P3"
  }),
  duplicate_member: certain({
    languages: ["javascript", "python"],
    title: "Duplicate class member (no-dupe-class-members)",
    description:
      "Edits of the first definition have no effect, because it is never called. The class defines the member twice, " +
      "and the second definition replaces the first. Rename one of them, merge the two, or delete the unused one.",
    example: {
      path: "src/cart.js",
      bad: "class Cart {\n  add(item) {\n    this.items.push(item)\n  }\n  add(item, count) {\n    this.items.push(item, count)\n  }\n}\n",
      good: "class Cart {\n  add(item) {\n    this.items.push(item)\n  }\n  addMany(item, count) {\n    this.items.push(item, count)\n  }\n}\n"
    },
    cwe: [561, 694]
  }),
  duplicate_case: certain({
    languages: ["javascript", "php", "ruby"],
    title: "Duplicate case label (no-duplicate-case)",
    description:
      "A case is never handled, because its code never runs. An earlier case of the same switch has the same value; " +
      "usually a case was copied and its value not changed. Use the intended value, or merge the two cases.",
    example: {
      path: "src/names.js",
      bad: 'switch (code) {\n  case 1:\n    name = "one"\n    break\n  case 1:\n    name = "two"\n    break\n}\n',
      good: 'switch (code) {\n  case 1:\n    name = "one"\n    break\n  case 2:\n    name = "two"\n    break\n}\n'
    },
    cwe: [561]
  })
})
