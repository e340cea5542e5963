import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Statements, loops and handlers that run never, too often or too late. */
export const controlFlowRules = ruleSet({
  unreachable_code: certain({
    languages: ["go", "javascript", "php", "python", "ruby"],
    title: "Unreachable code",
    description:
      "Work that the code describes is never done. Every path leaves before this statement with a return, throw, break " +
      "or continue. Remove the statement, or move the jump after it.",
    example: {
      path: "src/stop.js",
      bad: "export function stop(list) {\n  return list.length\n  list.close()\n}\n",
      good: "export function stop(list) {\n  list.close()\n  return list.length\n}\n"
    },
    cwe: [561]
  }),
  return_value_on_next_line: certain({
    languages: ["javascript"],
    title: "Automatic semicolon insertion: return value on the next line",
    description:
      "The function returns undefined instead of the value. JavaScript ends the statement after a `return` that is " +
      "alone on its line, so the expression below it is unreachable. Start the expression on the line of the " +
      "`return`, or open a parenthesis there.",
    example: {
      path: "src/size.js",
      bad: "export function size(list) {\n  return\n    list.length\n}\n",
      good: "export function size(list) {\n  return list.length\n}\n"
    },
    cwe: [561, 393],
    priority: "P1"
  }),
  missing_break: certain({
    languages: ["java", "javascript", "php"],
    title: "Missing break: switch case falls through (no-fallthrough)",
    description:
      "The value of this case is never used. Without a `break`, control falls through to the next case, which assigns " +
      "the same variable again. End the case with `break` or `return`.",
    example: {
      path: "src/color.js",
      bad: 'switch (kind) {\n  case "a":\n    color = "red"\n  case "b":\n    color = "blue"\n    break\n}\n',
      good: 'switch (kind) {\n  case "a":\n    color = "red"\n    break\n  case "b":\n    color = "blue"\n    break\n}\n'
    },
    cwe: [484],
    priority: "P1",
    confidence: 0.95
  }),
  loop_never_ends: certain({
    languages: ["csharp", "go", "java", "javascript", "php"],
    title: "Infinite loop: the counter does not move towards its bound",
    description:
      "The loop either does not run at all or never ends. Its update moves the counter away from the bound, or changes " +
      "another variable than the tested one. Update the tested variable, in the direction of the bound.",
    example: {
      path: "src/loop.js",
      bad: "for (let i = 0; i < 10; i--) {\n  send()\n}\n",
      good: "for (let i = 0; i < 10; i++) {\n  send()\n}\n"
    },
    cwe: [835],
    priority: "P1"
  }),
  loop_past_end: certain({
    languages: ["go", "java", "javascript"],
    title: "Off-by-one error: loop reads past the end",
    description:
      "The last iteration throws, panics or reads undefined. Indexes go from 0 to length - 1, and the condition with " +
      "`<=` adds one iteration that reads an element past the end. Use `<`, or iterate over the elements.",
    example: {
      path: "src/sum.js",
      bad: "for (let i = 0; i <= rows.length; i++) {\n  total += rows[i].value\n}\n",
      good: "for (let i = 0; i < rows.length; i++) {\n  total += rows[i].value\n}\n"
    },
    cwe: [193, 125],
    priority: "P1"
  }),
  defer_in_loop: certain({
    languages: ["go"],
    title: "Defer in a loop: resources held until the function returns",
    description:
      "Files and connections stay open until the process runs out of them. `defer` runs when the function returns, so " +
      "in a loop the deferred calls accumulate. Close at the end of each iteration, or move the body of the loop to a " +
      "function of its own.",
    example: {
      path: "read.go",
      bad: 'package a\n\nimport "os"\n\nfunc Read(names []string) {\n\tfor _, name := range names {\n\t\tf, _ := os.Open(name)\n\t\tdefer f.Close()\n\t\tparse(f)\n\t}\n}\n',
      good: 'package a\n\nimport "os"\n\nfunc Read(names []string) {\n\tfor _, name := range names {\n\t\tf, _ := os.Open(name)\n\t\tparse(f)\n\t\tf.Close()\n\t}\n}\n'
    },
    cwe: [772],
    confidence: 0.9
  }),
  deferred_unlock_in_loop: certain({
    languages: ["go"],
    title: "Deadlock: deferred unlock in a loop",
    description:
      "The function stops for ever in the second iteration of the loop. `defer` runs when the function returns, so the " +
      "lock of the first iteration is still held when the second one takes it. Unlock at the end of each iteration, or " +
      "move the body of the loop to a function of its own.",
    example: {
      path: "count.go",
      bad: 'package a\n\nimport "sync"\n\nfunc Count(names []string, mu *sync.Mutex) {\n\tfor range names {\n\t\tmu.Lock()\n\t\tdefer mu.Unlock()\n\t\ttotal++\n\t}\n}\n',
      good: 'package a\n\nimport "sync"\n\nfunc Count(names []string, mu *sync.Mutex) {\n\tfor range names {\n\t\tmu.Lock()\n\t\ttotal++\n\t\tmu.Unlock()\n\t}\n}\n'
    },
    cwe: [833, 667],
    confidence: 0.9,
    priority: "P1"
  }),
  loop_variable_capture: certain({
    languages: ["go"],
    title: "Data race: loop variable captured by a goroutine",
    description:
      "Goroutines process the wrong element, most of them the last one. Up to Go 1.21 a loop has one variable for all " +
      "its iterations, and a goroutine that reads it later finds the value of a later iteration. Pass the value as an " +
      "argument or copy it inside the loop (`v := v`), or declare Go 1.22 in go.mod.",
    example: {
      path: "run.go",
      besides: { "go.mod": "module example.com/run\n\ngo 1.20\n" },
      bad: "package a\n\nfunc Run(names []string) {\n\tfor _, name := range names {\n\t\tgo func() {\n\t\t\tsend(name)\n\t\t}()\n\t}\n}\n",
      good: "package a\n\nfunc Run(names []string) {\n\tfor _, name := range names {\n\t\tgo func(name string) {\n\t\t\tsend(name)\n\t\t}(name)\n\t}\n}\n"
    },
    cwe: [362],
    priority: "P1",
    confidence: 0.92
  }),
  except_with_operator: certain({
    languages: ["python"],
    title: "Boolean operator in an except clause",
    description:
      "One of the listed exceptions is not caught and ends the program. `except A or B` evaluates `A or B` first, " +
      "which is A. Write the types as a tuple: `except (A, B)`.",
    example: {
      path: "src/parse.py",
      bad: "try:\n    parse(text)\nexcept ValueError or TypeError:\n    skip(text)\n",
      good: "try:\n    parse(text)\nexcept (ValueError, TypeError):\n    skip(text)\n"
    },
    cwe: [703, 480],
    confidence: 0.97
  }),
  unreachable_handler: certain({
    languages: ["python"],
    title: "Unreachable exception handler",
    description:
      "The exception is handled by the wrong handler. Handlers are tried in order, and an earlier one already catches " +
      "this exception or a base class of it. Put the narrower handler first, or remove the one that never runs.",
    example: {
      path: "src/read.py",
      bad: "try:\n    read(path)\nexcept Exception:\n    stop(path)\nexcept ValueError:\n    skip(path)\n",
      good: "try:\n    read(path)\nexcept ValueError:\n    skip(path)\nexcept Exception:\n    stop(path)\n"
    },
    cwe: [561],
    confidence: 0.95
  })
})
