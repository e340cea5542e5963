import { ruleSet } from "../../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low", inTests: "report" } as const

/** Assertions that are missing, or that cannot fail. */
export const assertionRules = ruleSet({
  no_assertion: {
    languages: ["javascript", "python", "java", "go", "ruby", "csharp"],
    title: "Test without assertions",
    description:
      "The test runs the code and looks at nothing it produced: it passes with any result, as long as nothing throws. " +
      "Assert what the caller relies on (the value returned, what was stored, what was sent). Where not throwing is " +
      "the point, say so in the name or assert it, so that the next reader does not take it for a check.",
    example: {
      path: "test/orders.test.js",
      bad: `import { total } from "../src/orders.js"

it("totals an order of two lines", () => {
  const sum = total([1, 2])
  console.log(sum)
})
`,
      good: `import { total } from "../src/orders.js"

it("totals an order of two lines", () => {
  expect(total([1, 2])).toBe(3)
})
`
    },
    cwe: [],
    confidence: 0.65,
    priority: "P2",
    ...small
  },
  assertion_cannot_fail: {
    languages: ["javascript", "python", "java", "go", "ruby", "csharp"],
    title: "Tautological assertion",
    description:
      "A constant is asserted, or a value is compared with itself, or a promise is asked whether it threw: the outcome " +
      "is fixed before the test runs. It looks like a check in the report and guards nothing. Assert the value the " +
      "code under test produced against one written down independently of it.",
    example: {
      path: "test/orders.test.js",
      bad: `import { expect, it } from "vitest"

it("adds up", () => {
  const sum = total([1])
  expect(sum).toEqual(sum)
})
`,
      good: `import { expect, it } from "vitest"

it("adds up", () => {
  const sum = total([1])
  expect(sum).toEqual(1)
})
`
    },
    cwe: [570],
    confidence: 0.88,
    priority: "P2",
    ...small
  },
  assertion_not_called: {
    languages: ["javascript", "python"],
    title: "Assertion matcher not called",
    description:
      "The matcher is named and not called (`expect(x).toBe`), `expect(x)` stands alone, a mock's assertion lacks its " +
      "parentheses, or `assertTrue` gets the expected value as its message. Nothing is compared, and the test passes " +
      "whatever the code does. Call the matcher, or use the assertion that takes both values.",
    example: {
      path: "test/orders.test.js",
      bad: `import { expect, it } from "vitest"

it("adds up", () => {
  expect(total([1])).toBe
})
`,
      good: `import { expect, it } from "vitest"

it("adds up", () => {
  expect(total([1])).toBe(1)
})
`
    },
    cwe: [],
    confidence: 0.9,
    priority: "P2",
    ...small
  },
  assertion_swallowed: {
    languages: ["javascript", "python", "csharp", "java", "ruby"],
    title: "Swallowed assertion failure",
    description:
      "The assertion stands in a `try` whose handler takes its failure too and does nothing with it, so the test passes " +
      "when the assertion fails. Assert after the handler, catch only the exception that is meant, or use the " +
      "framework's own way to expect one (`assertThrows`, `pytest.raises`, `rejects.toThrow`).",
    example: {
      path: "test/orders.test.js",
      bad: `import { expect, it } from "vitest"

it("adds up", () => {
  try {
    expect(total([1])).toBe(2)
  } catch (error) {
    console.log(error)
  }
})
`,
      good: `import { expect, it } from "vitest"

it("adds up", () => {
  expect(total([1])).toBe(1)
})
`
    },
    cwe: [390],
    confidence: 0.88,
    priority: "P2",
    ...small
  },
  assertion_only_in_handler: {
    languages: ["javascript", "python", "java", "csharp"],
    title: "Missing fail(): assertions only in the exception handler",
    description:
      "The only assertions stand in the handler of the exception that is expected. When the code stops throwing, the " +
      "handler never runs and the test passes without having checked anything. Use the framework's own assertion for " +
      "exceptions (`assertThrows`, `pytest.raises`, `rejects.toThrow`), or fail at the end of the `try` block.",
    example: {
      path: "test/orders.test.js",
      bad: `import { expect, it } from "vitest"

it("names a missing order", async () => {
  try {
    await loadOrder(-1)
  } catch (error) {
    expect(error.message).toBe("no such order")
  }
})
`,
      good: `import { expect, it } from "vitest"

it("names a missing order", async () => {
  await expect(loadOrder(-1)).rejects.toThrow("no such order")
})
`
    },
    cwe: [],
    confidence: 0.85,
    priority: "P2",
    ...small
  },
  assertion_not_awaited: {
    languages: ["javascript", "csharp"],
    title: "Missing await on an asynchronous assertion",
    description:
      "The assertion is on a promise that no one awaits or returns. The runner counts the test as passed when its " +
      "function returns; the failure comes later, as an unhandled rejection of no test or not at all. Put `await` " +
      "before it, or return the promise.",
    example: {
      path: "test/orders.test.js",
      bad: `import { expect, it } from "vitest"

it("saves", async () => {
  expect(saveOrder({})).resolves.toBe(1)
})
`,
      good: `import { expect, it } from "vitest"

it("saves", async () => {
  await expect(saveOrder({})).resolves.toBe(1)
})
`
    },
    cwe: [],
    confidence: 0.9,
    priority: "P2",
    ...small
  },
  broad_exception: {
    languages: ["python", "java"],
    title: "Overly broad expected exception",
    description:
      "Expecting `Exception` (or `Throwable`) passes for a typing mistake in the test or a missing attribute as well " +
      "as for the failure that is meant. Name the exception the code promises, and check its message where one class " +
      "has several causes.",
    example: {
      path: "tests/test_orders.py",
      bad: `import pytest

from shop import load


def test_missing_order():
    with pytest.raises(Exception):
        load(-1)
`,
      good: `import pytest

from shop import load


def test_missing_order():
    with pytest.raises(LookupError):
        load(-1)
`
    },
    cwe: [],
    confidence: 0.8,
    priority: "P3",
    ...small
  }
})
