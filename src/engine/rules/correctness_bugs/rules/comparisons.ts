import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Comparisons and operators whose operands do not fit. */
export const comparisonRules = ruleSet({
  self_comparison: certain({
    languages: ["c", "cpp", "javascript", "python"],
    title: "Self-comparison (no-self-compare)",
    description:
      "The check has the same result for every value, so it decides nothing. The value is compared with itself, " +
      "usually because a name was copied and not changed. Compare it with the intended value.",
    example: {
      path: "src/price.js",
      bad: "if (order.price === order.price) reuse(order)\n",
      good: "if (order.price === previous.price) reuse(order)\n"
    },
    cwe: [570, 571]
  }),
  identical_operands: certain({
    languages: ["c", "cpp", "csharp", "javascript", "php"],
    title: "Identical operands of a binary operator",
    description:
      "A case is not checked, or a result is constant. Both operands of the operator are the same, which adds nothing " +
      "(`a || a`) or gives a constant (`a.x - a.x`); usually a line was copied and one name was not changed. Insert " +
      "the intended operand, or remove the repeated one.",
    example: {
      path: "src/order.js",
      bad: "const isClosed = order.paid || order.late || order.paid\n",
      good: "const isClosed = order.paid || order.late || order.cancelled\n"
    },
    cwe: [1164, 570]
  }),
  nan_comparison: certain({
    languages: ["javascript", "python"],
    title: "Comparison with NaN (use-isnan)",
    description:
      "Values that are not a number pass the check unnoticed. NaN is unequal to everything, itself included, so a " +
      "comparison with it always has the same result. Use `Number.isNaN`, `math.isnan` or `Double.isNaN`.",
    example: {
      path: "src/sum.js",
      bad: "if (sum === NaN) reject(order)\n",
      good: "if (Number.isNaN(sum)) reject(order)\n"
    },
    cwe: [570],
    confidence: 0.97
  }),
  invalid_typeof: certain({
    languages: ["javascript"],
    title: "Invalid typeof comparison (valid-typeof)",
    description:
      "The check has the same result for every value. `typeof` returns one of eight strings, so a comparison with any " +
      "other string, or with undefined itself, is constant. Correct the string; for arrays and null use " +
      "`Array.isArray` and `=== null`.",
    example: {
      path: "src/note.js",
      bad: 'if (typeof note === "undefind") add(note)\n',
      good: 'if (typeof note === "undefined") add(note)\n'
    },
    cwe: [570],
    confidence: 0.96
  }),
  comparison_with_new_object: certain({
    languages: ["javascript"],
    title: "Reference comparison with a new object",
    description:
      "The check has the same result for every value. Arrays, objects and `new` expressions are compared by reference, " +
      "and an object created in the comparison is identical to no other object. Compare the length or the contents.",
    example: {
      path: "src/lines.js",
      bad: "if (order.lines === []) remove(order)\n",
      good: "if (order.lines.length === 0) remove(order)\n"
    },
    cwe: [570, 595],
    confidence: 0.96
  }),
  comparison_without_effect: certain({
    languages: ["javascript", "python"],
    title: "Comparison without effect (no-unused-expressions)",
    description:
      "A value is not assigned, returned or asserted as intended. The comparison is a statement of its own, so its " +
      "result is discarded. Write `=` for an assignment, or return or assert the result.",
    example: {
      path: "src/state.js",
      bad: "export function close(order) {\n  order.state == 5\n}\n",
      good: "export function close(order) {\n  order.state = 5\n}\n"
    },
    cwe: [482, 1164],
    confidence: 0.95
  }),
  string_identity: certain({
    languages: ["java"],
    title: "String comparison by reference (== instead of equals)",
    description:
      "Equal texts are treated as different once they come from a request, a file or a concatenation. `==` on strings " +
      "tests whether both are the same object, which is true for literals of one program only. Use `equals`, or " +
      "`Objects.equals` where one operand may be null.",
    example: {
      path: "src/Status.java",
      bad: 'class Status {\n  boolean isOpen(String name) {\n    return name == "open";\n  }\n}\n',
      good: 'class Status {\n  boolean isOpen(String name) {\n    return "open".equals(name);\n  }\n}\n'
    },
    cwe: [597, 595]
  }),
  boxed_identity: certain({
    languages: ["java"],
    title: "Boxed number comparison by reference (== instead of equals)",
    description:
      "The comparison passes tests and fails with real data. `==` on `Integer`, `Long` and similar types compares " +
      "objects; values from -128 to 127 come from a cache and compare as expected, larger values do not. Use `equals`, " +
      "or unbox one operand.",
    example: {
      path: "src/Ids.java",
      bad: "class Ids {\n  boolean same(Integer first, Integer second) {\n    return first == second;\n  }\n}\n",
      good: "class Ids {\n  boolean same(Integer first, Integer second) {\n    return first.equals(second);\n  }\n}\n"
    },
    cwe: [595]
  }),
  equals_between_types: certain({
    languages: ["java"],
    title: "equals() between incompatible types",
    description:
      "The comparison is always false, so the check never takes effect. `equals` of these classes is false for objects " +
      "of any other type (`Long` and `int` literals, strings and characters), and arrays inherit the comparison by " +
      "reference. Compare values of one type, and arrays with `Arrays.equals`.",
    example: {
      path: "src/Ids.java",
      bad: "class Ids {\n  boolean isNew(Long id) {\n    return id.equals(0);\n  }\n}\n",
      good: "class Ids {\n  boolean isNew(Long id) {\n    return id.equals(0L);\n  }\n}\n"
    },
    cwe: [595, 570],
    confidence: 0.95
  }),
  identity_with_literal: certain({
    languages: ["python"],
    title: "Identity comparison with a literal (`is` instead of `==`)",
    description:
      "The comparison depends on the interpreter and may fail for equal values. `is` tests whether both operands are " +
      "the same object, and whether two equal literals are one object is not specified; Python reports a " +
      "SyntaxWarning. Compare with `==` or `!=`.",
    example: {
      path: "src/code.py",
      bad: "if code is 5:\n    stop()\n",
      good: "if code == 5:\n    stop()\n"
    },
    cwe: [595],
    confidence: 0.97
  })
})
