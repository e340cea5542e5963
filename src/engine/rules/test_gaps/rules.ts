import { type RuleLanguage, ruleSet } from "../../core/tool/AuditTool.ts"

export const languages: ReadonlyArray<RuleLanguage> = ["go", "java", "javascript", "python"]

/** Four nested loops, as the hardest file of a small service has them. */
const router = ["route", "ship", "refund", "close"]
  .map(
    (name) => `export const ${name}All = (orders, limits, log) => {
  for (const order of orders) {
    if (order.open) {
      for (const line of order.lines) {
        if (line.amount > limits[line.kind]) {
          while (line.amount > 0) {
            if (line.locked) {
              log.${name}(line)
            }
            line.amount--
          }
        }
      }
    }
  }
}
`
  )
  .join("\n")

export const rules = ruleSet({
  untested_complex_file: {
    languages,
    title: "Complex code without tests",
    description:
      "This repository has tests, and none of them names this file or its hardest function, although it takes more " +
      "decisions than most. Anyone who changes it learns from users whether it still works. Begin with a test of its " +
      "hardest function: one case for each way through it.",
    example: {
      path: "test/orders.test.ts",
      bad: `import { price } from "../src/price.ts"

test("price of two", () => expect(price(2)).toBe(2))
`,
      good: `import { routeAll } from "../src/router.ts"

test("no orders", () => expect(routeAll([], {}, console)).toBe(undefined))
`,
      besides: {
        "test/cart.test.ts": `import { cart } from "../src/cart.ts"

test("cart", () => expect(cart(1)).toBe(1))
`,
        "test/price.test.ts": `import { price } from "../src/price.ts"

test("price", () => expect(price(1)).toBe(1))
`,
        "test/stock.test.ts": `import { stock } from "../src/stock.ts"

test("stock", () => expect(stock(1)).toBe(1))
`,
        "test/tax.test.ts": `import { tax } from "../src/tax.ts"

test("tax", () => expect(tax(1)).toBe(1))
`,
        "src/cart.ts": `export const cart = (amount: number) => amount
`,
        "src/price.ts": `export const price = (amount: number) => amount
`,
        "src/router.ts": router
      }
    },
    cwe: [1053],
    confidence: 0.7,
    effort: "medium",
    risk: "low"
  },
  untested_sensitive_module: {
    languages,
    title: "Security-sensitive code without tests",
    description:
      "Mistakes here let strangers in or cost money, and they are rarely seen when someone tries it by hand, because the " +
      "usual case works. Test what must be refused: the wrong password, the expired token, the amount below zero, the same " +
      "request twice.",
    example: {
      path: "test/orders.test.ts",
      bad: `import { price } from "../src/price.ts"

test("price of two", () => expect(price(2)).toBe(2))
`,
      good: `import { accept } from "../src/payments/accept.ts"

test("an open payment", () => expect(accept([{ state: "open", amount: 1 }], 2)).toBe(1))
`,
      besides: {
        "test/cart.test.ts": `import { cart } from "../src/cart.ts"

test("cart", () => expect(cart(1)).toBe(1))
`,
        "test/price.test.ts": `import { price } from "../src/price.ts"

test("price", () => expect(price(1)).toBe(1))
`,
        "test/stock.test.ts": `import { stock } from "../src/stock.ts"

test("stock", () => expect(stock(1)).toBe(1))
`,
        "test/tax.test.ts": `import { tax } from "../src/tax.ts"

test("tax", () => expect(tax(1)).toBe(1))
`,
        "src/cart.ts": `export const cart = (amount: number) => amount
`,
        "src/price.ts": `export const price = (amount: number) => amount
`,
        "src/payments/accept.ts": `export const accept = (payments, total) => {
  let left = total
  for (const payment of payments) {
    if (payment.state === "open") {
      if (payment.amount > left) {
        if (payment.partial) left = 0
        else throw new Error("too much")
      } else {
        left -= payment.amount
      }
    }
  }
  return left
}
`
      }
    },
    cwe: [1053],
    confidence: 0.7,
    effort: "medium",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
