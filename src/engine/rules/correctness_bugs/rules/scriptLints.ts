import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Mistakes that are certain from one JavaScript or TypeScript file alone. */
export const scriptLintRules = ruleSet({
  constant_nullish_operand: certain({
    languages: ["javascript"],
    title: "Constant left operand of `??` (no-constant-binary-expression)",
    description:
      "The default is never used. Negations, comparisons and sums bind more tightly than `??` and are never null or undefined. " +
      "Put the operands of `??` in parentheses.",
    example: {
      path: "src/total.js",
      bad: "export const total = (net, fee) => net + fee ?? 0\n",
      good: "export const total = (net, fee) => net + (fee ?? 0)\n"
    },
    cwe: [570, 783],
    confidence: 0.94
  }),
  negative_zero_comparison: certain({
    languages: ["javascript"],
    title: "Comparison with -0 (no-compare-neg-zero)",
    description:
      "The condition holds for 0, too. `===` makes no difference between 0 and -0. Use `Object.is(x, -0)`, or compare with 0.",
    example: {
      path: "src/sign.js",
      bad: "export const isNegativeZero = (x) => x === -0\n",
      good: "export const isNegativeZero = (x) => Object.is(x, -0)\n"
    },
    cwe: [697]
  }),
  precision_lost: certain({
    languages: ["javascript"],
    title: "Number literal loses precision (no-loss-of-precision)",
    description:
      "The program calculates with another number than the one in the code. Numbers hold integers exactly up to 2^53 only. " +
      "Write a BigInt or a string.",
    example: {
      path: "src/ids.js",
      bad: "export const first = 9007199254740993\n",
      good: "export const first = 9007199254740993n\n"
    },
    cwe: [681],
    priority: "P3",
    confidence: 0.88
  }),
  optional_chain_unguarded: certain({
    languages: ["javascript"],
    title: "Unsafe use of an optional chain (no-unsafe-optional-chaining)",
    description:
      "The line throws a TypeError in the case that the optional chain was written for. Where the object is missing the chain " +
      "is undefined, and undefined cannot be called, spread or read from. Continue the chain with `?.`, or give a default with `??`.",
    example: {
      path: "src/rows.js",
      bad: "export const rows = (page) => [...page?.rows]\n",
      good: "export const rows = (page) => [...(page?.rows ?? [])]\n"
    },
    cwe: [476],
    confidence: 0.82
  }),
  callback_without_result: certain({
    languages: ["javascript"],
    title: "Array callback without a return value (array-callback-return)",
    description:
      "The result is empty, full of undefined, or the same for every element. The callback of `map`, `filter`, `reduce` and " +
      "others has to return a value, and this one never does. Return it, or use `forEach`.",
    example: {
      path: "src/names.js",
      bad: "export const names = (rows) => {\n  const found = rows.map((row) => {\n    row.name.trim()\n  })\n  return found\n}\n",
      good: "export const names = (rows) => {\n  const found = rows.map((row) => {\n    return row.name.trim()\n  })\n  return found\n}\n"
    },
    cwe: [394],
    confidence: 0.86
  }),
  numbers_sorted_as_text: certain({
    languages: ["javascript"],
    title: "Numbers sorted as text",
    description:
      "The order is wrong as soon as numbers have different lengths: 10 comes before 9. `sort` without a comparison converts " +
      "the elements to strings. Pass a comparison: `(a, b) => a - b`.",
    example: {
      path: "src/sizes.js",
      bad: 'export const sizes = (text) => text.split(",").map(Number).sort()\n',
      good: 'export const sizes = (text) => text.split(",").map(Number).sort((a, b) => a - b)\n'
    },
    cwe: [697]
  }),
  parse_int_as_callback: certain({
    languages: ["javascript"],
    title: "`parseInt` as a callback of `map`",
    description:
      "All numbers but the first are NaN or wrong. `map` passes the index as the second argument, and `parseInt` takes it as the " +
      "base. Use `Number`, or `(text) => parseInt(text, 10)`.",
    example: {
      path: "src/ids.js",
      bad: 'export const ids = (text) => text.split(",").map(parseInt)\n',
      good: 'export const ids = (text) => text.split(",").map(Number)\n'
    },
    cwe: [628],
    confidence: 0.96
  }),
  empty_character_class: certain({
    languages: ["javascript"],
    title: "Empty character class in a regular expression",
    description:
      "The pattern never matches. `[]` is a class without characters, which no character is in; usually a bracket was to be " +
      "escaped. Write `\\[\\]` for brackets, or fill the class.",
    example: {
      path: "src/lists.js",
      bad: "export const isList = (text) => /^list[]$/.test(text)\n",
      good: "export const isList = (text) => /^list\\[\\]$/.test(text)\n"
    },
    cwe: [185]
  }),
  getter_without_return: certain({
    languages: ["javascript"],
    title: "Getter without a return value (getter-return)",
    description:
      "Reading the property always gives undefined. The getter has a body, but no path of it returns a value. Return the value.",
    example: {
      path: "src/cart.js",
      bad: "export class Cart {\n  get total() {\n    this.rows.reduce((sum, row) => sum + row.price, 0)\n  }\n}\n",
      good: "export class Cart {\n  get total() {\n    return this.rows.reduce((sum, row) => sum + row.price, 0)\n  }\n}\n"
    },
    cwe: [394]
  }),
  missing_super_call: certain({
    languages: ["javascript"],
    title: "Constructor of a derived class without `super()`",
    description:
      "Creating an object of the class throws a ReferenceError. A constructor of a class that extends another has to call " +
      "`super()` before it returns. Add the call.",
    example: {
      path: "src/shapes.js",
      bad: "export class Square extends Shape {\n  constructor(side) {\n    this.side = side\n  }\n}\n",
      good: "export class Square extends Shape {\n  constructor(side) {\n    super()\n    this.side = side\n  }\n}\n"
    },
    cwe: [665],
    confidence: 0.94
  }),
  useless_catch: certain({
    languages: ["javascript"],
    title: "Useless catch clause (no-useless-catch)",
    description:
      "Readers look for error handling that is not there. The clause only throws the error that it caught. Remove it, or handle " +
      "the error.",
    example: {
      path: "src/save.js",
      bad: "export const save = async (row) => {\n  try {\n    await write(row)\n  } catch (error) {\n    throw error\n  }\n}\n",
      good: "export const save = async (row) => {\n  await write(row)\n}\n"
    },
    cwe: [1164],
    priority: "P3",
    confidence: 0.9
  }),
  constant_reassigned: certain({
    languages: ["javascript"],
    title: "Assignment to a constant (no-const-assign)",
    description:
      "The line throws a TypeError when it runs. The name is declared with `const` or imported, and cannot be assigned again. " +
      "Declare it with `let`, or use another variable.",
    example: {
      path: "src/count.js",
      bad: "const count = 0\nexport const next = () => {\n  count += 1\n  return count\n}\n",
      good: "let count = 0\nexport const next = () => {\n  count += 1\n  return count\n}\n"
    },
    cwe: [665],
    confidence: 0.94
  }),
  interpolation_in_plain_string: certain({
    languages: ["javascript"],
    title: "Template placeholder in a plain string",
    description:
      "Users see the placeholder instead of the value. Placeholders are replaced in template strings only, and this string has plain " +
      "quotes, while a variable of that name exists. Use backticks.",
    example: {
      path: "src/greet.js",
      bad: `export const greet = (name) => {\n  return "Hello \${name}"\n}\n`,
      good: `export const greet = (name) => {\n  return \`Hello \${name}\`\n}\n`
    },
    cwe: [1164],
    confidence: 0.68
  })
})
