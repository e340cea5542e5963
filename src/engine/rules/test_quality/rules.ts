import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low", inTests: "report" } as const

export const rules = ruleSet({
  focused_test: {
    languages: ["javascript", "ruby", "go"],
    title: "Focused test (.only)",
    description:
      "A focus mark (`.only`, `fit`, `fdescribe`, `:focus`) makes the runner skip every other test of the file or the " +
      "suite and still report success, so whatever they guard can break unseen. It is a tool for the desk: remove it " +
      "before the code is shared, and let the lint or the runner's own switch (`--forbid-only`) refuse it in CI.",
    cwe: [],
    confidence: 0.93,
    priority: "P1",
    ...small
  },
  no_assertion: {
    languages: ["javascript", "python", "java", "go", "ruby", "csharp"],
    title: "Test without assertions",
    description:
      "The test runs the code and looks at nothing it produced: it passes with any result, as long as nothing throws. " +
      "Assert what the caller relies on (the value returned, what was stored, what was sent). Where not throwing is " +
      "the point, say so in the name or assert it, so that the next reader does not take it for a check.",
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
    cwe: [],
    confidence: 0.9,
    priority: "P2",
    ...small
  },
  shadowed_test: {
    languages: ["python", "ruby"],
    title: "Duplicate test name shadows a test",
    description:
      "Two test methods of one class have the same name. The later definition replaces the earlier one, which is " +
      "neither run nor reported. Usually one was copied and the name forgotten: give each the name of what it checks.",
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
    cwe: [],
    confidence: 0.75,
    priority: "P3",
    ...small
  },
  broad_exception: {
    languages: ["python", "java"],
    title: "Overly broad expected exception",
    description:
      "Expecting `Exception` (or `Throwable`) passes for a typing mistake in the test or a missing attribute as well " +
      "as for the failure that is meant. Name the exception the code promises, and check its message where one class " +
      "has several causes.",
    cwe: [],
    confidence: 0.8,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
