import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["focused_test", "assertion_not_called"],
    path: "test/a.test.js",
    text: (size) => filled(size, "it.only('a', () => { expect(a).toBe })\n")
  },
  {
    rules: ["no_assertion"],
    path: "test/b.test.js",
    text: (size) => filled(size, "const f = () => f()\nit('totals an order', () => { f(); g.h() })\n")
  },
  {
    rules: ["no_assertion"],
    path: "test/nested.test.js",
    text: (size) => filled(size, "describe('a', () => {\n", ["", "it('totals', () => { f() })\n"])
  },
  {
    rules: ["assertion_cannot_fail"],
    path: "test/c.test.js",
    text: (size) => filled(size, "assert.ok(true);\n", ["test('one', () => {\n", "})\n"])
  },
  {
    rules: ["assertion_cannot_fail"],
    path: "test/many.test.js",
    text: (size) => filled(size, "test('one', () => { assert.equal(sum, sum) })\n")
  },
  {
    rules: ["assertion_swallowed", "assertion_only_in_handler"],
    path: "test/d.test.js",
    text: (size) => filled(size, "try { a() } catch (e) { expect(e).toBe(1) }\n", ["test('one', () => {\n", "})\n"])
  },
  {
    rules: ["assertion_swallowed", "assertion_only_in_handler"],
    path: "test/nested.test.js",
    text: (size) => filled(size, "try { ", ["test('one', () => {\n", ""])
  },
  {
    rules: ["assertion_not_awaited"],
    path: "test/e.test.js",
    text: (size) => filled(size, "a.then(() => { expect(1) });\n", ["test('one', () => {\n", "})\n"])
  },
  {
    rules: ["sleep_in_test"],
    path: "tests/test_a.py",
    text: (size) => filled(size, "    time.sleep(5)\n    assert a\n", ["def test_a():\n", ""])
  },
  {
    rules: ["shadowed_test", "async_test_not_run", "broad_exception"],
    path: "tests/test_b.py",
    text: (size) =>
      filled(size, "    async def test_a(self):\n        with self.assertRaises(Exception): a()\n", [
        "class ATest(unittest.TestCase):\n",
        ""
      ])
  },
  {
    rules: ["fatal_in_goroutine"],
    path: "pkg/a_test.go",
    text: (size) => filled(size, "go func() { t.Fatal(1) }()\n", ["package a\nfunc TestA(t *testing.T) {\n", "}\n"])
  },
  {
    rules: ["broad_exception"],
    path: "src/test/java/ATest.java",
    text: (size) =>
      filled(size, "assertThrows(Exception.class, () -> a());\n", ["class ATest { @Test void a() {\n", "} }\n"])
  }
]
