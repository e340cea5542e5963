import { assert, describe, it } from "@effect/vitest"
import { commandGate } from "../../../src/services/fixes/commandGates.ts"
import { failingTests } from "../../../src/services/fixes/failingTests.ts"
import type { CommandOutcome } from "../../../src/services/ports/CommandSandbox.ts"

const outcome = (fields: Partial<CommandOutcome>): CommandOutcome => ({
  status: "exited",
  exit_code: 0,
  output: "",
  truncated: false,
  duration_ms: 1,
  ...fields
})

const green = outcome({ output: "all good" })
const red = (...names: ReadonlyArray<string>) =>
  outcome({ exit_code: 1, output: names.map((name) => `FAILED tests/test_a.py::${name} - assert 1 == 2`).join("\n") })
const broken = outcome({ exit_code: 2, output: "cannot find module x" })

/** Format, output, the tests that fail in it. */
const outputs: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
  [
    "TAP",
    `TAP version 13
# Subtest: sums
    # Subtest: adds
    ok 1 - adds
    # Subtest: subtracts
    not ok 2 - subtracts # time=3ms
    1..2
not ok 1 - sums
not ok 2 - later # TODO not yet
not ok 3 - elsewhere # SKIP no network
ok 4 - fine
1..4`,
    ["sums > subtracts", "sums"]
  ],
  [
    "node:test",
    `▶ sums
  ✔ adds (0.5ms)
  ✖ subtracts (1.2ms)
✖ sums (2.5ms)
ℹ tests 2
ℹ fail 1

✖ failing tests:

test at test/sums.test.js:8:3
✖ subtracts (1.2ms)
  AssertionError: 1 !== 2`,
    ["subtracts", "sums"]
  ],
  [
    "Jest",
    `PASS src/b.test.js
FAIL src/a.test.js (5.1 s)
  ● Console

    console.log
  ● sums › subtracts

    expect(received).toBe(expected)
Tests:       1 failed, 3 passed, 4 total`,
    ["sums › subtracts", "src/a.test.js"]
  ],
  [
    "Vitest",
    `\u001b[31m❯\u001b[39m test/a.test.ts (2 tests | 1 failed) 4ms
   × sums > subtracts 2ms
⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯
 \u001b[41m FAIL \u001b[49m test/a.test.ts > sums > subtracts
AssertionError: expected 1 to be 2`,
    ["test/a.test.ts > sums > subtracts"]
  ],
  [
    "pytest",
    `..F.E
=========================== short test summary info ============================
FAILED tests/test_a.py::TestSums::test_sub[1-2] - assert 1 == 2
ERROR tests/test_b.py - ModuleNotFoundError: No module named 'x'
1 failed, 3 passed, 1 error in 0.12s`,
    ["tests/test_a.py::TestSums::test_sub[1-2]", "tests/test_b.py"]
  ],
  [
    "unittest",
    "FAIL: test_sub (tests.test_a.Sums.test_sub)\nERROR: test_add (tests.test_a.Sums.test_add)",
    ["test_sub (tests.test_a.Sums.test_sub)", "test_add (tests.test_a.Sums.test_add)"]
  ],
  [
    "go test",
    `=== RUN   TestSub
--- FAIL: TestSub (0.00s)
    --- FAIL: TestSub/negative (0.00s)
    a_test.go:8: 1 != 2
FAIL
FAIL\texample.org/a\t0.002s
ok  \texample.org/b\t0.001s
FAIL\texample.org/c [build failed]
FAIL`,
    ["example.org/a", "example.org/a TestSub", "example.org/a TestSub/negative", "example.org/c"]
  ],
  [
    "cargo test",
    `     Running unittests src/lib.rs (target/debug/deps/a-0f3b2c1d)
test sums::adds ... ok
test sums::subtracts ... FAILED
   Doc-tests a
test src/lib.rs - sub (line 3) ... FAILED
test result: FAILED. 1 passed; 1 failed`,
    ["unittests src/lib.rs sums::subtracts", "a src/lib.rs - sub (line 3)"]
  ],
  [
    "Maven Surefire",
    `[ERROR] Tests run: 2, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in org.example.SumsTest
[ERROR] org.example.SumsTest.subtracts -- Time elapsed: 0.01 s <<< FAILURE!
[ERROR] adds(org.example.SumsTest)  Time elapsed: 0.012 s  <<< ERROR!
[ERROR] Failures:
[ERROR]   SumsTest.subtracts:12 expected: <1> but was: <2>`,
    ["org.example.SumsTest.subtracts", "adds(org.example.SumsTest)"]
  ],
  ["output without a known format", "make: *** [Makefile:3: test] Error 1\nnot okay, FAIL, ● done", []]
]

describe("The failing tests of an output", () => {
  for (const [format, output, expected] of outputs) {
    it(`are read from ${format}`, () => {
      assert.deepStrictEqual([...failingTests(output)].sort(), [...expected].sort())
      assert.deepStrictEqual([...failingTests(output.replaceAll("\n", "\r\n"))].sort(), [...expected].sort())
    })
  }

  it("are read in time that grows with the output, whatever it holds", () => {
    const lines = [
      "not ok 1 - ",
      "    # Subtest: x",
      "✖ (",
      " FAIL  a.ts > ",
      "[ERROR] a Time elapsed: ",
      "FAILED a.py - "
    ]
    const long = lines.flatMap((line) => [
      line.repeat(2000),
      `${line}${" ".repeat(20_000)}`,
      `${line}${"(".repeat(20_000)}`
    ])
    assert.isAtLeast(failingTests(long.join("\n")).size, 0)
    assert.strictEqual(failingTests("\n".repeat(200_000)).size, 0)
  })
})

describe("The gate of a command", () => {
  it("passes where the command passes, before the fix or not", () => {
    assert.strictEqual(commandGate("test", green, green).result, "passed")
    assert.strictEqual(commandGate("build", broken, green).result, "passed")
  })

  it("fails where the command passed before the fix and does not after it, by the kind of the command", () => {
    const kinds = (["format", "build", "lint", "test"] as const).map((name) => {
      const gate = commandGate(name, green, broken)
      assert.strictEqual(gate.result, "failed")
      assert.match(
        gate.reason,
        /^Since the fix the command ended with exit code 2\. The end of its output:\ncannot find/
      )
      return gate.failure_kind
    })
    assert.deepStrictEqual(kinds, ["lint_failed", "build_failed", "lint_failed", "test_regression"])
    assert.include(commandGate("test", green, red("test_sub")).reason, "These fail: tests/test_a.py::test_sub.")
    for (const status of ["timeout", "resource_limit"] as const) {
      assert.strictEqual(commandGate("test", green, outcome({ status, exit_code: null })).result, "failed")
    }
  })

  it("does not count tests that failed before the fix, but every newly failing one", () => {
    assert.strictEqual(commandGate("test", red("a", "b"), red("b", "a")).result, "passed")
    assert.strictEqual(commandGate("test", red("a", "b"), red("a")).result, "passed")
    const worse = commandGate("test", red("a"), red("a", "b"))
    assert.strictEqual(worse.failure_kind, "test_regression")
    assert.strictEqual(worse.reason, "Since the fix one more test fails: tests/test_a.py::b.")
    assert.strictEqual(commandGate("test", red("a"), red("b")).result, "failed")
  })

  it("fails where tests ran before the fix and none is reported after it", () => {
    assert.strictEqual(commandGate("test", red("a"), broken).result, "failed")
    assert.strictEqual(commandGate("test", red("a"), outcome({ status: "timeout", exit_code: null })).result, "failed")
  })

  it("is skipped where a command failed before the fix and does not say what failed, or did not end", () => {
    assert.strictEqual(commandGate("build", broken, broken).result, "skipped")
    assert.strictEqual(commandGate("test", broken, red("a")).result, "skipped")
    const before = outcome({ status: "timeout", exit_code: null })
    assert.match(commandGate("test", before, broken).reason, /took too long before the fix/)
  })

  it("only warns where the output before the fix was too long to know all that failed", () => {
    const gate = commandGate("test", { ...red("a"), truncated: true }, red("a", "b"))
    assert.strictEqual(gate.result, "warned")
    assert.include(gate.reason, "tests/test_a.py::b")
  })

  it("names a few tests and the end of the output only, however many there are", () => {
    const names = Array.from({ length: 1000 }, (_, i) => `${i}${"x".repeat(500)}`)
    assert.isBelow(commandGate("test", red("a"), red(...names)).reason.length, 1500)
    assert.isBelow(commandGate("test", green, red(...names)).reason.length, 3000)
  })
})
