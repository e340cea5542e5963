import { nativeWorstCases } from "../../support/nativeWorstCases.ts"
import { filled, type WorstCase } from "../../support/worstCase.ts"

const members = (size: number, each: number, member: (i: number) => string): string =>
  Array.from({ length: Math.floor(size / each) }, (_, i) => member(i)).join("")

const inside =
  (unit: string, before = "function f() {\n", after = "}\n") =>
  (size: number) =>
    filled(size, unit, [before, after])

const conditions = [
  "nan_comparison",
  "invalid_typeof",
  "always_true_alternative",
  "misplaced_negation",
  "comparison_with_new_object",
  "index_as_boolean",
  "inverted_null_check",
  "contradictory_condition",
  "assignment_in_condition",
  "string_identity",
  "boxed_identity",
  "equals_between_types"
]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: conditions, path: "src/chain.ts", text: inside('a === "b" || \n', "const x = ", '"c"\n') },
  { rules: conditions, path: "src/and.ts", text: inside("a > 1 && a < 2 && \n", "if (", "a === NaN) b()\n") },
  { rules: conditions, path: "src/ifs.ts", text: inside("if (a.indexOf(b) && typeof a === 'strin' && !a in b) c()\n") },
  { rules: conditions, path: "src/null.ts", text: inside("if (a == null && a.b) c()\n") },
  { rules: conditions, path: "src/deep.ts", text: inside("(a === \n", "const x = ", "") },
  { rules: conditions, path: "src/assign.ts", text: inside("if (a = \n", "", "1) b()") },
  {
    rules: conditions,
    path: "src/Strings.java",
    text: inside(
      'if (a == "b" && c.equals(d) && e == f) g();\n',
      "class A { void f(String a, String c, Integer d, Integer e, Integer f) {\n",
      "} }\n"
    )
  },
  {
    rules: conditions,
    path: "src/Vars.java",
    text: (size) =>
      `class A { void f() {\n${members(size, 50, (i) => `Integer a${i} = b; if (a${i} == c) d();\n`)}} }\n`
  },
  {
    rules: ["self_comparison", "identical_operands", "self_assignment"],
    path: "src/same.ts",
    text: inside("if (a.b === a.b && c) d = d\n")
  },
  { rules: ["identical_operands"], path: "src/terms.ts", text: inside("a.b || \n", "const x = ", "c\n") },
  {
    rules: ["identical_operands", "self_comparison"],
    path: "src/calls.ts",
    text: inside("(\n", "const x = a == ", "")
  },
  {
    rules: ["identical_operands"],
    path: "src/distinct.ts",
    text: (size) => `const x = ${members(size, 12, (i) => `a${i}.b || \n`)}c\n`
  },
  {
    rules: ["identical_branches", "repeated_condition"],
    path: "src/branches.ts",
    text: (size) => `${members(size, 24, (i) => `if (a === ${i}) { b() } else \n`)}{ b() }\n`
  },
  {
    rules: ["identical_branches", "repeated_condition"],
    path: "src/same.py",
    text: inside("    elif a:\n        b()\n", "def f():\n    if a:\n        b()\n", "    else:\n        b()\n")
  },
  {
    rules: ["identical_branches"],
    path: "src/long.ts",
    text: (size) => {
      const half = filled(Math.floor(size / 2), "b();\n")
      return `if (a) { ${half} } else { ${half} }\n`
    }
  },
  { rules: ["identical_branches"], path: "src/arms.ts", text: inside("a ? b : \n", "const x = ", "b\n") },
  {
    rules: ["duplicate_key", "duplicate_case"],
    path: "src/keys.js",
    text: (size) => `a = {${members(size, 10, (i) => `k${i}: 1, \n`)}}\n`
  },
  {
    rules: ["duplicate_key", "duplicate_key_same_value"],
    path: "src/same.js",
    text: inside("a: 1, \n", "x = {", "}\n")
  },
  { rules: ["duplicate_key"], path: "src/attributes.tsx", text: inside('a="b" \n', "const x = <a ", "/>\n") },
  { rules: ["duplicate_key"], path: "src/nested.js", text: inside("{ a: \n", "x = ", "") },
  {
    rules: ["duplicate_key"],
    path: "src/Maps.java",
    text: inside('"a", 1, \n', "class A { Object f() { return Map.of(", '"b", 2); } }\n')
  },
  {
    rules: ["duplicate_case"],
    path: "src/cases.js",
    text: (size) => `switch (a) {\n${members(size, 20, (i) => `case ${i}: b();\n`)}}\n`
  },
  {
    rules: ["duplicate_case", "missing_break"],
    path: "src/through.js",
    text: inside("case 1: a = 1;\n", "switch (x) {\n", "}\n")
  },
  {
    rules: ["duplicate_member"],
    path: "src/members.js",
    text: (size) => `class A {\n${members(size, 12, (i) => `m${i}() {}\n`)}}\n`
  },
  {
    rules: ["duplicate_member"],
    path: "src/members.py",
    text: (size) =>
      `class A:\n${members(size / 2, 40, (i) => `    def method${i}(self): pass\n`)}${members(size / 2, 20, (i) => `    other${i} = 1\n`)}`
  },
  {
    rules: ["missing_await"],
    path: "src/await.ts",
    text: (size) => members(size, 60, (i) => `async function f${i}() {}\nif (f${i}()) a()\n`)
  },
  {
    rules: ["missing_await"],
    path: "src/methods.ts",
    text: inside("async a() { if (this.a()) b() }\n", "class A {\n", "}\n")
  },
  { rules: ["invalid_regex"], path: "src/regex.ts", text: inside('new RegExp("(a")\n', "") },
  {
    rules: ["invalid_regex"],
    path: "src/regex.go",
    text: inside("[\n", "package a\nvar x = regexp.MustCompile(`", "`)\n")
  },
  { rules: ["unreachable_code", "return_value_on_next_line"], path: "src/returns.ts", text: inside("return\na\n") },
  { rules: ["unreachable_code"], path: "src/after.ts", text: inside("return 1;\n") },
  { rules: ["unreachable_code"], path: "src/labels.go", text: inside("return\na()\n", "package a\nfunc f() {\n") },
  { rules: ["unreachable_code"], path: "src/functions.js", text: inside("return 1; function a() {}\n") },
  {
    rules: ["result_ignored", "exception_not_thrown", "comparison_without_effect"],
    path: "src/statements.ts",
    text: inside('a.replace("b", "c");\nnew Error("a");\na === b;\n')
  },
  {
    rules: ["exception_not_thrown"],
    path: "src/branches.py",
    text: inside("if a == 1:\n    b()\nif a == 2:\n    b()\nelse:\n    ValueError(a)\n")
  },
  { rules: ["result_ignored"], path: "src/chain.ts", text: inside(".trim()\n", "a", ".toUpperCase()\n") },
  {
    rules: ["result_ignored"],
    path: "src/Texts.java",
    text: inside("a.trim();\n", "class A { void f(String a) {\n", "} }\n")
  },
  {
    rules: ["comparison_without_effect"],
    path: "src/nested.py",
    text: (size) => members(Math.min(size, 40_000), 40, () => "def f():\n    a == b\n") + filled(size, "a == b\n")
  },
  {
    rules: ["loop_never_ends", "loop_past_end"],
    path: "src/loops.ts",
    text: inside("for (let i = 0; i <= a.length; i--) { b(a[i]) }\n")
  },
  { rules: ["loop_never_ends"], path: "src/while.ts", text: inside("while (a) { \n", "function f() { ", "") },
  { rules: ["loop_never_ends"], path: "src/body.ts", text: inside("c();\n", "while (a < 1) { ", " }") },
  { rules: ["string_index_arithmetic"], path: "src/in.js", text: inside("for (const i in a) b = a[i + 1]\n") },
  {
    rules: [
      "defer_in_loop",
      "deferred_unlock_in_loop",
      "nil_map_write",
      "duration_without_unit",
      "loop_variable_capture"
    ],
    path: "src/a.go",
    text: inside(
      "for i := range a { mu.Lock(); defer mu.Unlock(); defer b(); go func() { c(i) }(); time.Sleep(5); var m map[string]int; m[d] = 1 }\n",
      "package a\nfunc f() {\n"
    )
  },
  {
    rules: ["defer_in_loop", "loop_variable_capture"],
    path: "src/deep.go",
    text: inside("for i := range a { \n", "package a\nfunc f() {\n", "defer b()")
  },
  {
    rules: ["nil_map_write"],
    path: "src/maps.go",
    text: (size) => `package a\nfunc f() {\n${members(size, 40, (i) => `var m${i} map[string]int\nm${i}[a] = 1\n`)}}\n`
  },
  {
    rules: ["nil_map_write"],
    path: "src/map.go",
    text: inside("m[a] = 1\n", "package a\nfunc f() {\nvar m map[string]int\n")
  },
  { rules: ["format_mismatch"], path: "src/format.py", text: inside("%s\n", 'a = """', '""" % (b,)\n') },
  { rules: ["format_mismatch"], path: "src/braces.py", text: inside("{\n", 'a = """', '""".format(b)\n') },
  { rules: ["format_mismatch"], path: "src/pairs.py", text: inside("{a{b}\n", 'a = """', '""".format(b)\n') },
  { rules: ["format_mismatch"], path: "src/formats.py", text: inside('a = "%s %(b)s {}" % (b, c)\n', "") },
  {
    rules: ["format_mismatch"],
    path: "src/format.go",
    text: inside('fmt.Printf("%d %s", a)\n', "package a\nfunc f() {\n")
  },
  {
    rules: ["mutable_default"],
    path: "src/defaults.py",
    text: inside("a=[], \n", "def f(", "b=1):\n    a.append(1)\n")
  },
  { rules: ["mutable_default"], path: "src/uses.py", text: inside("    a.x\n", "def f(a=[]):\n", "    a.append(1)\n") },
  {
    rules: ["identity_with_literal", "assert_on_tuple", "raises_no_exception"],
    path: "src/is.py",
    text: inside('assert (a is 1, "b")\nraise "a"\n', "")
  },
  {
    rules: ["except_with_operator", "unreachable_handler"],
    path: "src/except.py",
    text: (size) => `try:\n    a()\n${members(size, 30, (i) => `except E${i} or F:\n    b()\n`)}`
  },
  {
    rules: ["unreachable_handler"],
    path: "src/tuple.py",
    text: inside("KeyError, \n", "try:\n    a()\nexcept (", "B):\n    pass\nexcept C:\n    pass\n")
  },
  {
    rules: ["method_not_called"],
    path: "src/methods.py",
    text: (size) => `class A:\n${members(size, 70, (i) => `    def is_a${i}(self):\n        if self.is_a${i}: pass\n`)}`
  },
  ...nativeWorstCases,
  {
    rules: ["undefined_name", "undefined_export", "redefined_function"],
    path: "src/names.py",
    text: (size) => members(size, 60, (i) => `def f${i % 7}(a${i}):\n    if a${i}: return b${i}(a${i}, c${i})\n`)
  },
  {
    rules: ["undefined_name"],
    path: "src/guards.py",
    text: (size) => filled(size, "if a:\n if b: c(d)\n", ["try:\n pass\nexcept NameError:\n pass\n", ""])
  },
  {
    rules: ["strip_of_text", "list_replaced_by_none", "shared_inner_list", "condition_on_tuple"],
    path: "src/calls.py",
    text: inside('    a = []\n    a = a.append(b.rstrip(".py"))\n    if (a, b): c = [[]] * 3\n', "def f(a, b):\n", "")
  },
  {
    rules: ["constructor_returns_value", "method_without_self"],
    path: "src/classes.py",
    text: inside("    def f():\n        return a\n    def __init__(self):\n        return 1\n", "class A:\n", "")
  },
  {
    rules: ["constant_nullish_operand", "negative_zero_comparison", "precision_lost", "empty_character_class"],
    path: "src/values.js",
    text: inside("a = !b ?? c === -0 ?? 9007199254740993 ?? /a[]/;\n")
  },
  {
    rules: ["optional_chain_unguarded"],
    path: "src/chains.js",
    text: inside("if (a) { b = [...c?.d]; }\n")
  },
  { rules: ["optional_chain_unguarded"], path: "src/chain.js", text: inside("?.a", "x = (b", ").c\n") },
  {
    rules: ["callback_without_result", "numbers_sorted_as_text", "parse_int_as_callback"],
    path: "src/lists.js",
    text: inside("a = b.map((c) => { d(c) }); e = [10, 9].sort(); g = h.sort(); f = a.map(parseInt);\n")
  },
  {
    rules: ["getter_without_return", "missing_super_call"],
    path: "src/classes.js",
    text: inside("class A extends B { constructor() { a() } get b() { c(); d() } }\n")
  },
  {
    rules: ["useless_catch", "constant_reassigned", "interpolation_in_plain_string"],
    path: "src/scopes.js",
    text: (size) =>
      members(size, 80, (i) => `const a${i} = 1; try { a${i} = 2 } catch (e) { throw e } f("\${a${i}}")\n`)
  },
  {
    rules: [
      "break_without_effect",
      "cancel_discarded",
      "integer_division_to_zero",
      "deferred_close_before_check",
      "decode_into_value",
      "malformed_struct_tag",
      "lock_copied_by_receiver",
      "error_response_without_return",
      "busy_select_loop"
    ],
    path: "checks.go",
    text: inside(
      "func f(w T) { for { select { case <-a: break; default: } }; c, _ := context.WithCancel(d); e, g := h(); defer e.Close(); if g != nil { http.Error(w, 1/2, 3) }; fmt.Fprint(w, i) }\n",
      "package a\ntype T struct { mu sync.Mutex }\n",
      ""
    )
  },
  {
    rules: ["decode_into_value", "malformed_struct_tag"],
    path: "decode.go",
    text: inside("json.Unmarshal(a, b); var c T;\n", "package a\ntype T struct { A int `json:`}\nfunc f() {\n", "}\n")
  },
  {
    rules: ["null_optional", "lock_on_value", "equals_without_hash_code"],
    path: "src/Checks.java",
    text: inside(
      "Optional<A> f() { synchronized (count) { return null; } } public boolean equals(Object o) { return true; }\n",
      "class A { Integer count;\n",
      "}\n"
    )
  },
  {
    rules: ["infinite_recursion"],
    path: "src/recursion.js",
    text: inside("get a() { return this.a }\n", "class A {\n", "}\n")
  },
  { rules: ["almost_swapped"], path: "src/swap.js", text: inside("a = b\nb = a\n") },
  {
    rules: ["position_as_boolean"],
    path: "src/checks.php",
    text: inside('if (!strpos($a, "b") == false) {}\n', "<?php\n", "")
  },
  {
    rules: ["lock_dropped_at_once"],
    path: "src/checks.rs",
    text: inside("let _ = a.lock().unwrap();\n", "fn f() {\n", "}\n")
  }
]
