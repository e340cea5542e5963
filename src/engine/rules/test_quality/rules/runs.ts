import { ruleSet } from "../../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low", inTests: "report" } as const

/** Tests that do not run, or not as they seem to. */
export const runRules = ruleSet({
  focused_test: {
    languages: ["javascript", "ruby", "go"],
    title: "Focused test (.only)",
    description:
      "A focus mark (`.only`, `fit`, `fdescribe`, `:focus`) makes the runner skip every other test of the file or the " +
      "suite and still report success, so whatever they guard can break unseen. It is a tool for the desk: remove it " +
      "before the code is shared, and let the lint or the runner's own switch (`--forbid-only`) refuse it in CI.",
    example: {
      path: "test/orders.test.js",
      bad: `import { expect, it } from "vitest"

it.only("adds up", () => {
  expect(total([1, 2])).toBe(3)
})
`,
      good: `import { expect, it } from "vitest"

it("adds up", () => {
  expect(total([1, 2])).toBe(3)
})
`
    },
    cwe: [],
    confidence: 0.93,
    priority: "P1",
    ...small
  },
  shadowed_test: {
    languages: ["python", "ruby"],
    title: "Duplicate test name shadows a test",
    description:
      "Two test methods of one class have the same name. The later definition replaces the earlier one, which is " +
      "neither run nor reported. Usually one was copied and the name forgotten: give each the name of what it checks.",
    example: {
      path: "tests/test_orders.py",
      bad: `import unittest

from shop import total


class OrderTest(unittest.TestCase):
    def test_one(self):
        self.assertEqual(total([1]), 1)

    def test_one(self):
        self.assertEqual(total([1, 0]), 1)
`,
      good: `import unittest

from shop import total


class OrderTest(unittest.TestCase):
    def test_one(self):
        self.assertEqual(total([1]), 1)

    def test_one_and_zero(self):
        self.assertEqual(total([1, 0]), 1)
`
    },
    cwe: [561],
    confidence: 0.92,
    priority: "P2",
    ...small
  },
  async_test_not_run: {
    languages: ["python"],
    title: "Asynchronous test in unittest.TestCase never awaited",
    description:
      "`unittest.TestCase` calls the method, gets a coroutine and drops it: none of the test's lines is executed and " +
      "the test counts as passed. Derive the class from `unittest.IsolatedAsyncioTestCase`.",
    example: {
      path: "tests/test_orders.py",
      bad: `import unittest

from shop import load


class OrderTest(unittest.TestCase):
    async def test_later(self):
        self.assertEqual(await load(1), 1)
`,
      good: `import unittest

from shop import load


class OrderTest(unittest.IsolatedAsyncioTestCase):
    async def test_later(self):
        self.assertEqual(await load(1), 1)
`
    },
    cwe: [],
    confidence: 0.9,
    priority: "P2",
    ...small
  },
  fatal_in_goroutine: {
    languages: ["go"],
    title: "t.Fatal called from another goroutine",
    description:
      "`t.Fatal` and `t.FailNow` end the goroutine they are called in. In one that the test started, the test itself " +
      "goes on, may hang on what never comes, or ends before the failure is noted. Use `t.Error` and return, or send " +
      "the error to the test through a channel.",
    example: {
      path: "pkg/order_test.go",
      bad: `package pkg

import "testing"

func TestSend(t *testing.T) {
	done := make(chan error)
	go func() {
		if err := Load(1).Send(); err != nil {
			t.Fatal(err)
		}
		close(done)
	}()
	<-done
}
`,
      good: `package pkg

import "testing"

func TestSend(t *testing.T) {
	done := make(chan error)
	go func() {
		done <- Load(1).Send()
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
`
    },
    cwe: [],
    confidence: 0.9,
    priority: "P3",
    ...small
  },
  sleep_in_test: {
    languages: ["javascript", "python", "java", "go", "ruby", "csharp"],
    title: "Fixed sleep in a test",
    description:
      "A pause that is long enough on one machine is too short on a busy one, where the test fails for no reason, and " +
      "too long everywhere else. Wait for the condition itself (poll with a deadline, await an event, join the " +
      "thread), or turn the clock by hand where time is what is tested.",
    example: {
      path: "tests/test_orders.py",
      bad: `import time

from shop import is_saved, save


def test_saves():
    save(1)
    time.sleep(2)
    assert is_saved(1)
`,
      good: `from shop import is_saved, save, wait_until


def test_saves():
    save(1)
    wait_until(lambda: is_saved(1))
    assert is_saved(1)
`
    },
    cwe: [],
    confidence: 0.75,
    priority: "P3",
    ...small
  }
})
