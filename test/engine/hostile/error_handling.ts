import { filled, type WorstCase } from "../../support/worstCase.ts"

const handlers = ["empty_handler", "empty_handler_low_impact", "catches_everything"]

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: handlers,
    path: "src/a.ts",
    text: (size) => filled(size, "try { a() } catch (e) {}\n", ["function f() {\n", "}\n"])
  },
  { rules: handlers, path: "src/nested.ts", text: (size) => filled(size, "try { a(); \n", ["function f() {", ""]) },
  {
    rules: handlers,
    path: "src/inner.ts",
    text: (size) => filled(size, "try { a() } catch (e) { \n", ["function f() {", ""])
  },
  { rules: handlers, path: "src/long.ts", text: (size) => filled(size, "a ( \n", ["try { ", " } catch (e) {}"]) },
  { rules: handlers, path: "src/a.py", text: (size) => filled(size, "try:\n    a()\nexcept:\n    pass\n") },
  {
    rules: handlers,
    path: "src/types.py",
    text: (size) => filled(size, "Exception, \n", ["try:\n    a()\nexcept (", "KeyError):\n    pass\n"])
  },
  {
    rules: handlers,
    path: "src/A.cs",
    text: (size) => filled(size, "try { a(); } catch { }\n", ["class A { void F() {\n", "} }\n"])
  },
  { rules: handlers, path: "lib/a.rb", text: (size) => filled(size, "begin\na\nrescue Exception\nend\n") },
  { rules: handlers, path: "lib/rescue.rb", text: (size) => filled(size, "rescue A\n", ["begin\na\n", "end\n"]) },
  {
    rules: ["interrupt_swallowed", "printed_only", "cause_lost"],
    path: "src/A.java",
    text: (size) =>
      filled(size, "try { a(); } catch (InterruptedException e) { e.printStackTrace(); throw new B(e.a); }\n", [
        "class A { void f() {\n",
        "} }\n"
      ])
  },
  {
    rules: ["interrupt_swallowed", "printed_only", "cause_lost"],
    path: "src/Uses.java",
    text: (size) =>
      filled(size, "e.a(e); \n", ["class A { void f() {\ntry { a(); } catch (InterruptedException e) { ", " } } }\n"])
  },
  {
    rules: ["swallowed_rejection"],
    path: "src/promise.ts",
    text: (size) => filled(size, ".catch(() => {})\n", ["fetch(a)", "\n"])
  },
  { rules: ["swallowed_rejection"], path: "src/promises.ts", text: (size) => filled(size, "a().catch(() => {})\n") },
  { rules: ["thrown_text"], path: "src/throw.ts", text: (size) => filled(size, 'throw "a";\n') },
  { rules: ["thrown_text"], path: "src/text.ts", text: (size) => filled(size, '"a" + \n', ["throw ", '"b"\n']) },
  {
    rules: ["success_after_failure"],
    path: "src/success.ts",
    text: (size) => filled(size, "function f() { try { a(); return true } catch (e) { log(e); return true } }\n")
  },
  {
    rules: ["success_after_failure"],
    path: "src/returns.ts",
    text: (size) => filled(size, "if (a) return true\n", ["function f() { try {\n", "} catch (e) { return true } }\n"])
  },
  {
    rules: ["overriding_finally"],
    path: "src/finally.ts",
    text: (size) => filled(size, "try { a() } finally { return 1; \n", ["function f() { ", ""])
  },
  {
    rules: ["stack_trace_lost"],
    path: "src/B.cs",
    text: (size) => filled(size, "try { a(); } catch (E e) { throw e; \n", ["class A { void F() {", ""])
  },
  {
    rules: ["result_lost"],
    path: "src/result.py",
    text: (size) =>
      filled(size, "def f() -> int:\n    try:\n        return 1\n    except E as e:\n        log.error(e)\n")
  },
  {
    rules: ["ignored_error", "discarded_error", "overwritten_error", "empty_handler"],
    path: "src/a.go",
    text: (size) =>
      filled(size, "x, err := os.Open(a)\nif err != nil { }\nos.WriteFile(a)\n_ = tx.Commit()\n", [
        'package a\nimport "database/sql"\nfunc f() {\n',
        "}\n"
      ])
  },
  {
    rules: ["ignored_error"],
    path: "src/chain.go",
    text: (size) => filled(size, "json.NewDecoder(\n", ["package a\nfunc f() {\n", ").Decode(a)\n}\n"])
  },
  {
    rules: ["ignored_error", "overwritten_error"],
    path: "src/nested.go",
    text: (size) => filled(size, "if a != nil { err = b()\n", ["package a\nfunc f() {\n", ""])
  },
  {
    rules: ["unwrap_in_library"],
    path: "src/a.rs",
    text: (size) => filled(size, "let a = fs::read(b).unwrap();\n", ["fn f() {\n", "}\n"])
  },
  {
    rules: ["unwrap_in_library"],
    path: "src/chain.rs",
    text: (size) => filled(size, ".parse().unwrap()\n", ["fn f() { a", ";}\n"])
  },
  {
    rules: ["unwrap_in_library"],
    path: "src/open.rs",
    text: (size) => filled(size, "File::open(\n", ["fn f() { a.b(", ").unwrap() }\n"])
  }
]
