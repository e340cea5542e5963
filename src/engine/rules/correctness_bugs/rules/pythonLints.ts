import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Mistakes that are certain from one Python file alone. */
export const pythonLintRules = ruleSet({
  undefined_name: certain({
    languages: ["python"],
    title: "Undefined name (F821)",
    description:
      "The program fails with a NameError as soon as the line runs, often on a path that tests do not reach. The name is " +
      "neither defined nor imported anywhere in the file, and is no builtin. Import it, or correct its spelling.",
    example: {
      path: "src/load.py",
      bad: "def load(path):\n    return json.loads(path.read_text())\n",
      good: "import json\n\n\ndef load(path):\n    return json.loads(path.read_text())\n"
    },
    cwe: [457],
    // Loaders and entry points of a project may put names into builtins or into a module: one file does not show it.
    confidence: 0.65
  }),
  undefined_export: certain({
    languages: ["python"],
    title: "Undefined name in `__all__` (F822)",
    description:
      "`from module import *` fails with an AttributeError, and tools document a name that does not exist. `__all__` lists a " +
      "name that the module neither defines nor imports. Remove it from the list, or correct its spelling.",
    example: {
      path: "src/shop/prices.py",
      bad: '__all__ = ["total", "discount"]\n\n\ndef total(rows):\n    return sum(rows)\n',
      good: '__all__ = ["total"]\n\n\ndef total(rows):\n    return sum(rows)\n'
    },
    cwe: [457],
    priority: "P3"
  }),
  redefined_function: certain({
    languages: ["python"],
    title: "Function redefined without a use (F811)",
    description:
      "Edits of the first definition have no effect, because it is never called. A later function of the same block has the " +
      "same name and replaces it before anything uses it. Rename one of them, or delete the first.",
    example: {
      path: "src/prices.py",
      bad: "def total(rows):\n    return sum(rows)\n\n\ndef total(rows, fee):\n    return sum(rows) + fee\n",
      good: "def total(rows):\n    return sum(rows)\n\n\ndef total_with_fee(rows, fee):\n    return sum(rows) + fee\n"
    },
    cwe: [561],
    confidence: 0.9
  }),
  strip_of_text: certain({
    languages: ["python"],
    title: "`strip` with a text instead of a set of characters (B005)",
    description:
      'Names lose letters at their ends: `"copy.py".rstrip(".py")` is `"co"`. `strip`, `lstrip` and `rstrip` remove every ' +
      "character that occurs in the argument, in any order. Use `removeprefix` or `removesuffix`.",
    example: {
      path: "src/names.py",
      bad: 'def module_of(name):\n    return name.rstrip(".py")\n',
      good: 'def module_of(name):\n    return name.removesuffix(".py")\n'
    },
    cwe: [628],
    confidence: 0.9
  }),
  list_replaced_by_none: certain({
    languages: ["python"],
    title: "List replaced by the result of an in-place method",
    description:
      "The next use of the variable fails, because it is None. `append`, `sort`, `reverse` and others change the list and " +
      "return None. Call the method without the assignment, or use `sorted`.",
    example: {
      path: "src/rows.py",
      bad: "def collect(items):\n    rows = []\n    for item in items:\n        rows = rows.append(item)\n    return rows\n",
      good: "def collect(items):\n    rows = []\n    for item in items:\n        rows.append(item)\n    return rows\n"
    },
    cwe: [252]
  }),
  shared_inner_list: certain({
    languages: ["python"],
    title: "Inner list shared by all rows (list multiplication)",
    description:
      "A value written to one row appears in all rows. Multiplying a list repeats references to one inner list; it makes no " +
      "copies. Create the rows with a list comprehension.",
    example: {
      path: "src/grid.py",
      bad: "def grid(size):\n    rows = [[0] * size] * size\n    rows[0][0] = 1\n    return rows\n",
      good: "def grid(size):\n    rows = [[0] * size for _ in range(size)]\n    rows[0][0] = 1\n    return rows\n"
    },
    cwe: [665]
  }),
  condition_on_tuple: certain({
    languages: ["python"],
    title: "Condition on a tuple (F634)",
    description:
      "The branch always runs, whatever the values are. The condition is a tuple with elements, which is always true; a comma " +
      "stands where `and` or `or` was meant. Combine the parts with a boolean operator.",
    example: {
      path: "src/check.py",
      bad: "def check(a, b):\n    if (a, b):\n        return send(a)\n",
      good: "def check(a, b):\n    if a and b:\n        return send(a)\n"
    },
    cwe: [571],
    confidence: 0.96
  }),
  constructor_returns_value: certain({
    languages: ["python"],
    title: "`__init__` returns a value (PLE0101)",
    description:
      "Creating an object of the class fails with a TypeError. `__init__` has to return None. Remove the value, or use a " +
      "class method that creates and returns the object.",
    example: {
      path: "src/cart.py",
      bad: "class Cart:\n    def __init__(self, rows):\n        self.rows = rows\n        return self.rows\n",
      good: "class Cart:\n    def __init__(self, rows):\n        self.rows = rows\n"
    },
    cwe: [394],
    confidence: 0.96
  }),
  method_without_self: certain({
    languages: ["python"],
    title: "Method without a parameter for its object (N805)",
    description:
      "Calling the method on an object fails with a TypeError, because Python passes the object as the first argument. The " +
      "method takes no parameters and is not a static method. Add `self`, or decorate it with `@staticmethod`.",
    example: {
      path: "src/cart.py",
      bad: "class Cart:\n    def clear():\n        rows.clear()\n",
      good: "class Cart:\n    def clear(self):\n        self.rows.clear()\n"
    },
    cwe: [628],
    confidence: 0.88
  })
})
