import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Values that are lost, shared by mistake or not what the call expects. */
export const valueRules = ruleSet({
  self_assignment: certain({
    languages: ["csharp", "java", "javascript", "python"],
    title: "Self-assignment (no-self-assign)",
    description:
      "The intended value is never stored. The variable is assigned to itself, which has no effect; in a constructor " +
      "the parameter is usually missing or spelled differently from the field. Assign the intended value, or remove " +
      "the line.",
    example: {
      path: "src/cart.js",
      bad: "class Cart {\n  constructor(name) {\n    this.name = this.name\n  }\n}\n",
      good: "class Cart {\n  constructor(name) {\n    this.name = name\n  }\n}\n"
    },
    cwe: [1164]
  }),
  result_ignored: certain({
    languages: ["csharp", "go", "java", "javascript", "php", "python"],
    title: "Ignored return value of a side-effect-free method",
    description:
      "The value keeps its old form, although the code seems to change it. Strings, dates and big numbers are " +
      "immutable: their methods return a new value, and here it is discarded. Assign the result to the variable that " +
      "should change.",
    example: {
      path: "src/clean.py",
      bad: "def clean(text):\n    text.strip()\n    return text\n",
      good: "def clean(text):\n    text = text.strip()\n    return text\n"
    },
    cwe: [252, 1164]
  }),
  exception_not_thrown: certain({
    languages: ["csharp", "java", "javascript", "python"],
    title: "Exception created but not thrown",
    description:
      "Invalid input passes the check that should stop it. Creating an exception object has no effect by itself. Put " +
      "`throw` or `raise` before it.",
    example: {
      path: "src/check.js",
      bad: 'if (text === "") new TypeError("text is required")\n',
      good: 'if (text === "") throw new TypeError("text is required")\n'
    },
    cwe: [390, 1164],
    confidence: 0.96,
    priority: "P1"
  }),
  raises_no_exception: certain({
    languages: ["python"],
    title: "Raised value is not an exception",
    description:
      "A TypeError hides the error that should be reported. Only exceptions can be raised, and this raises a string or " +
      "the constant `NotImplemented`. Raise an exception class such as `NotImplementedError` or `ValueError`.",
    example: {
      path: "src/shape.py",
      bad: "def area(shape):\n    raise NotImplemented\n",
      good: "def area(shape):\n    raise NotImplementedError\n"
    },
    cwe: [703],
    confidence: 0.97
  }),
  format_mismatch: certain({
    languages: ["go", "java", "php", "python"],
    title: "Format string argument mismatch",
    description:
      "The statement fails when it runs or prints something unintended, often only on the rare path that reports an " +
      "error. The format string takes another number of values, or other names, than the call passes. Pass one value " +
      "per directive.",
    example: {
      path: "src/show.py",
      bad: 'message = "%s of %s" % (done,)\n',
      good: 'message = "%s of %s" % (done, total)\n'
    },
    cwe: [685, 628],
    confidence: 0.94
  }),
  invalid_regex: certain({
    languages: ["go", "javascript"],
    title: "Invalid regular expression (no-invalid-regexp)",
    description:
      "The program throws or panics as soon as the line runs. The pattern does not follow the regular expression syntax " +
      "of this language. Escape the literal characters, or write it without the unsupported feature.",
    example: {
      path: "src/pattern.js",
      bad: 'export const pattern = new RegExp("(abc")\n',
      good: 'export const pattern = new RegExp("(abc)")\n'
    },
    cwe: [1286],
    confidence: 0.95
  }),
  string_index_arithmetic: certain({
    languages: ["javascript"],
    title: "String concatenation instead of index arithmetic in for…in",
    description:
      "The code reads undefined instead of the next element. `for … in` yields property names, which are strings for " +
      "arrays too, and `+` concatenates them with the number. Use a counting loop, `entries()` or `forEach` with an " +
      "index.",
    example: {
      path: "src/steps.js",
      bad: "for (const i in rows) {\n  total += rows[i] - rows[i + 1]\n}\n",
      good: "for (let i = 0; i + 1 < rows.length; i++) {\n  total += rows[i] - rows[i + 1]\n}\n"
    },
    cwe: [704],
    confidence: 0.95
  }),
  mutable_default: certain({
    languages: ["python"],
    title: "Mutable default argument",
    description:
      "Values of one call appear in the next call. A default value is created once, when the function is defined, and " +
      "this function changes it or returns it. Use `None` as the default and create the list or dict in the function.",
    example: {
      path: "src/collect.py",
      bad: "def collect(item, found=[]):\n    found.append(item)\n    return found\n",
      good: "def collect(item, found=None):\n    found = [] if found is None else found\n    found.append(item)\n    return found\n"
    },
    cwe: [665],
    confidence: 0.9
  }),
  nil_map_write: certain({
    languages: ["go"],
    title: "Assignment to an entry of a nil map",
    description:
      "The program panics at the first write. A map variable without a value is nil: reading from it works, writing to " +
      "it does not. Create the map with `make` or a literal before the first write.",
    example: {
      path: "seen.go",
      bad: "package a\n\nfunc Seen(name string) {\n\tvar seen map[string]int\n\tseen[name] = 1\n}\n",
      good: "package a\n\nfunc Seen(name string) {\n\tseen := make(map[string]int)\n\tseen[name] = 1\n}\n"
    },
    cwe: [476],
    confidence: 0.95,
    priority: "P1"
  }),
  duration_without_unit: certain({
    languages: ["go"],
    title: "time.Sleep without a time unit",
    description:
      "The call returns at once, and a loop around it uses a whole processor core. A plain number is a duration in " +
      "nanoseconds. Multiply it by `time.Millisecond` or `time.Second`.",
    example: {
      path: "wait.go",
      bad: 'package a\n\nimport "time"\n\nfunc Wait() {\n\ttime.Sleep(10)\n}\n',
      good: 'package a\n\nimport "time"\n\nfunc Wait() {\n\ttime.Sleep(10 * time.Millisecond)\n}\n'
    },
    cwe: [834]
  })
})
