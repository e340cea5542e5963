import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Conditions that do not decide what they seem to decide. */
export const conditionRules = ruleSet({
  identical_branches: certain({
    languages: ["c", "cpp", "java", "javascript", "php", "rust"],
    title: "Identical branches in a conditional",
    description:
      "The program behaves the same whatever the condition is, so one of the cases is not handled. All branches contain " +
      "the same code: either the condition is pointless, or one branch was copied and never changed. Write the code " +
      "that the other branch was meant to have, or keep one copy without the condition.",
    example: {
      path: "src/price.js",
      bad: "if (customer.isMember) {\n  total = price * 0.9\n} else {\n  total = price * 0.9\n}\n",
      good: "if (customer.isMember) {\n  total = price * 0.9\n} else {\n  total = price\n}\n"
    },
    cwe: [1164, 561]
  }),
  repeated_condition: certain({
    languages: ["c", "cpp", "csharp", "go", "javascript", "php", "python", "ruby", "rust"],
    title: "Duplicate condition in an if/else-if chain (no-dupe-else-if)",
    description:
      "A case is never handled, because its branch never runs. An earlier branch of the chain already takes every case " +
      "that this condition describes; usually the condition was copied and one name or value was not changed. " +
      "Correct the condition, or put the narrower condition first.",
    example: {
      path: "src/status.py",
      bad: 'if code == 1:\n    label = "open"\nelif code == 1:\n    label = "closed"\n',
      good: 'if code == 1:\n    label = "open"\nelif code == 2:\n    label = "closed"\n'
    },
    cwe: [561, 570]
  }),
  always_true_alternative: certain({
    languages: ["javascript", "python"],
    title: "Constant condition: non-empty literal as an operand of `or`",
    description:
      "The condition always holds, so the code behind it runs for every value. " +
      '`x == "a" or "b"` does not compare x with both values: the second string is an operand of its own, and it is ' +
      "true. Repeat the comparison, or test whether a list of the values contains x.",
    example: {
      path: "src/access.py",
      bad: 'if role == "admin" or "editor":\n    allow()\n',
      good: 'if role in ("admin", "editor"):\n    allow()\n'
    },
    cwe: [571, 480],
    confidence: 0.95,
    priority: "P1"
  }),
  contradictory_condition: certain({
    languages: ["go", "javascript", "php", "python"],
    title: "Constant condition: contradictory or exhaustive comparisons",
    description:
      "The check has the same result for every value, so it either never or always takes effect. The comparisons of " +
      "one value contradict or complete each other: `x != 1 || x != 2` always holds and `x == 1 && x == 2` never does. " +
      "Use the other logical operator, or correct the bounds.",
    example: {
      path: "src/limits.js",
      bad: 'if (state !== "open" || state !== "held") close(order)\n',
      good: 'if (state !== "open" && state !== "held") close(order)\n'
    },
    cwe: [570, 571],
    priority: "P1",
    confidence: 0.95
  }),
  inverted_null_check: certain({
    languages: ["java", "javascript", "python"],
    title: "Null dereference: inverted null check",
    description:
      "The program throws in exactly the case that the check was meant to prevent. The check before the operator " +
      "continues only when the object is null, and the next operand then reads a member of it. Invert the comparison, " +
      "or replace the logical operator.",
    example: {
      path: "src/owner.js",
      bad: "if (order.owner == null && order.owner.name) greet(order.owner)\n",
      good: "if (order.owner != null && order.owner.name) greet(order.owner)\n"
    },
    cwe: [476],
    priority: "P1",
    confidence: 0.95
  }),
  assignment_in_condition: certain({
    languages: ["javascript", "php"],
    title: "Assignment in a condition (no-cond-assign)",
    description:
      "The condition has a constant result and the variable is overwritten, so one branch never runs. A single `=` " +
      "assigns the constant, and the condition takes the truth of the assigned value. Compare with `===` (or `==`); " +
      "if the assignment is intended, make it a statement of its own.",
    example: {
      path: "src/role.js",
      bad: 'if (role = "admin") grantAll(user)\n',
      good: 'if (role === "admin") grantAll(user)\n'
    },
    cwe: [481],
    priority: "P1",
    confidence: 0.96
  }),
  misplaced_negation: certain({
    languages: ["javascript"],
    title: "Unsafe negation of the left operand (no-unsafe-negation)",
    description:
      "The check practically never takes effect, because a boolean is tested instead of the value. `!` binds tighter " +
      "than `in`, `instanceof` and comparisons, so it negates the left operand and not the test. Put the test in " +
      "parentheses, as in `!(key in object)`, or use the opposite operator.",
    example: {
      path: "src/entry.js",
      bad: 'if (!"id" in entry) throw new Error("The id is missing.")\n',
      good: 'if (!("id" in entry)) throw new Error("The id is missing.")\n'
    },
    cwe: [783, 480],
    confidence: 0.96
  }),
  index_as_boolean: certain({
    languages: ["javascript"],
    title: "Search index used as a boolean",
    description:
      "The condition is wrong for the first element and for elements that are absent. The search methods return -1 " +
      "when nothing is found, which is true, and 0 for the first position, which is false. Compare with -1, or use " +
      "`includes` or `some`.",
    example: {
      path: "src/search.js",
      bad: "if (names.indexOf(name)) remove(name)\n",
      good: "if (names.indexOf(name) !== -1) remove(name)\n"
    },
    cwe: [697, 480]
  }),
  method_not_called: certain({
    languages: ["python"],
    title: "Method used as a condition without being called",
    description:
      "The condition always holds, so the check has no effect. A method that is not called is an object, and objects " +
      "are true. Call it with parentheses, or make it a property if it is meant to be read like one.",
    example: {
      path: "src/shelf.py",
      bad:
        "class Shelf:\n    def is_full(self):\n        return len(self.items) > 9\n\n" +
        "    def add(self, item):\n        if self.is_full:\n            raise ValueError(item)\n",
      good:
        "class Shelf:\n    def is_full(self):\n        return len(self.items) > 9\n\n" +
        "    def add(self, item):\n        if self.is_full():\n            raise ValueError(item)\n"
    },
    cwe: [480, 571]
  }),
  missing_await: certain({
    languages: ["javascript", "python"],
    title: "Missing await: promise used as a value",
    description:
      "A condition is constant or a property is undefined, because the result has not arrived yet. An async function " +
      "returns a promise (in Python a coroutine), which is always true and has none of the properties of its result. " +
      "Add `await` before the call.",
    example: {
      path: "src/access.js",
      bad:
        "async function isAllowed(user) {\n  return load(user)\n}\n" +
        "export async function open(user) {\n  if (isAllowed(user)) return 1\n}\n",
      good:
        "async function isAllowed(user) {\n  return load(user)\n}\n" +
        "export async function open(user) {\n  if (await isAllowed(user)) return 1\n}\n"
    },
    cwe: [571, 480],
    priority: "P1",
    confidence: 0.95
  }),
  assert_on_tuple: certain({
    languages: ["python"],
    title: "Assertion on a tuple: always true",
    description:
      "The assertion never fails, so nothing is checked. With parentheses around the condition and its message, " +
      "`assert` receives a tuple of two elements, which is not empty and therefore true. Remove the parentheses.",
    example: {
      path: "src/check.py",
      bad: 'def check(code):\n    assert (code > 0, "code must be positive")\n',
      good: 'def check(code):\n    assert code > 0, "code must be positive"\n'
    },
    cwe: [571],
    confidence: 0.97
  })
})
