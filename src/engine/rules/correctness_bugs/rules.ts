import { type Rule, ruleSet } from "../../core/tool/AuditTool.ts"

type CertainRule = Pick<Rule, "languages" | "title" | "description" | "cwe"> & Partial<Rule>

/** Small, local mistakes: what differs from these defaults is given with the rule. */
const certain = (rule: CertainRule): Rule => ({ confidence: 0.92, effort: "small", risk: "low", ...rule })

export const rules = ruleSet({
  identical_branches: certain({
    languages: ["java", "javascript", "rust"],
    title: "All branches do the same",
    description:
      "Whatever the condition says, the same code runs, so either the condition is pointless or one branch was copied " +
      "and never changed. Write what the other branch was meant to do, or keep one copy without the condition.",
    cwe: [1164, 561]
  }),
  repeated_condition: certain({
    languages: ["csharp", "go", "javascript", "php", "python", "ruby", "rust"],
    title: "Branch can never run: its condition was already tested",
    description:
      "An earlier branch of the chain already takes every case that this condition describes, so this branch is dead " +
      "code. Usually the condition was copied and one name or value was left unchanged. Test what was meant, or put " +
      "the narrower condition first.",
    cwe: [561, 570]
  }),
  duplicate_key: certain({
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Key appears twice in one literal",
    description:
      "The last value wins without a word and the earlier one is lost, so an entry that a reader sees is not there. " +
      "Usually an entry was copied and its key not changed. Give it the key that was meant, or remove the one that " +
      "does not count.",
    cwe: [462]
  }),
  duplicate_member: certain({
    languages: ["javascript", "python"],
    title: "Method is defined twice in one class",
    description:
      "The second definition replaces the first, which can never be called: whoever edits the first one changes " +
      "nothing. Rename one of them, merge the two, or delete the one that is not used.",
    cwe: [561, 694]
  }),
  duplicate_case: certain({
    languages: ["javascript", "php", "ruby"],
    title: "Case is handled twice",
    description:
      "The first case with this value takes it, so the code of the second never runs. Usually a case was copied and " +
      "its value not changed: put in the value that was meant, or merge the two.",
    cwe: [561]
  }),
  format_mismatch: certain({
    languages: ["go", "java", "php", "python"],
    title: "Format string and its values do not fit",
    description:
      "The format takes another number of values than it is given, or other names, so it fails when it runs or prints " +
      "something else than was meant, often only on the rare path that reports an error. Give one value per directive.",
    cwe: [685, 628],
    confidence: 0.94
  }),
  self_comparison: certain({
    languages: ["javascript", "python"],
    title: "Value is compared with itself",
    description:
      "Comparing a value with itself gives the same answer whatever the value is, so the check decides nothing. It is " +
      "nearly always a name that was copied and not changed: compare with the value that was meant.",
    cwe: [570, 571]
  }),
  identical_operands: certain({
    languages: ["csharp", "javascript"],
    title: "Both operands are the same",
    description:
      "An operator with the same operand twice adds nothing (`a || a`) or gives a constant (`a.x - a.x`). Most often " +
      "a line was copied and one name was left unchanged, so a case is not checked: put the intended operand in, or " +
      "remove the repeated one.",
    cwe: [1164, 570]
  }),
  self_assignment: certain({
    languages: ["csharp", "java", "javascript", "python"],
    title: "Variable is assigned to itself",
    description:
      "The assignment has no effect, so the value that was meant to be stored never is. In a constructor it usually " +
      "means that the parameter is missing or spelled differently from the field. Assign the intended value, or " +
      "remove the line.",
    cwe: [1164]
  }),
  result_ignored: certain({
    languages: ["csharp", "go", "java", "javascript", "php", "python"],
    title: "Result of a method that changes nothing is ignored",
    description:
      "Strings, dates and big numbers are immutable: their methods return a new value, and a call whose result is not " +
      "kept does nothing. Assign the result to the variable that was to be changed.",
    cwe: [252, 1164]
  }),
  exception_not_thrown: certain({
    languages: ["java", "javascript", "python"],
    title: "Exception is created but not thrown",
    description:
      "Making an exception object has no effect by itself, so the check that was meant to stop here lets everything " +
      "through. Put `throw` or `raise` before it.",
    cwe: [390, 1164],
    confidence: 0.96,
    priority: "P1"
  }),
  comparison_without_effect: certain({
    languages: ["javascript", "python"],
    title: "Comparison whose answer nobody uses",
    description:
      "A comparison as a statement of its own does nothing. Most often `=` was meant, or the statement was to be " +
      "returned or asserted.",
    cwe: [482, 1164],
    confidence: 0.95
  }),
  unreachable_code: certain({
    languages: ["go", "javascript", "php", "python", "ruby"],
    title: "Code can never run",
    description:
      "Control leaves before this statement on every path, so it never runs: either it is left over and should go, or " +
      "the statement before it leaves too early and the work below is silently skipped.",
    cwe: [561]
  }),
  return_value_on_next_line: certain({
    languages: ["javascript"],
    title: "Value on the line after return is not returned",
    description:
      "JavaScript ends the statement after a `return` that stands alone on its line, so the function returns " +
      "undefined and the expression below is dead. Start the expression on the line of the `return`, or open a " +
      "parenthesis there.",
    cwe: [561, 393],
    priority: "P1"
  }),
  nan_comparison: certain({
    languages: ["javascript", "python"],
    title: "Comparison with NaN never holds",
    description:
      "NaN is unequal to everything, itself included, so the comparison does not find it. Ask with `Number.isNaN`, " +
      "`math.isnan`, `Double.isNaN` or the like.",
    cwe: [570],
    confidence: 0.97
  }),
  invalid_typeof: certain({
    languages: ["javascript"],
    title: "typeof is compared with something it never gives",
    description:
      "`typeof` answers with one of eight words, so a comparison with any other string (or with undefined itself) has " +
      "a fixed answer and the check is void. Correct the word; for arrays and null use `Array.isArray` and `=== null`.",
    cwe: [570],
    confidence: 0.96
  }),
  always_true_alternative: certain({
    languages: ["javascript", "python"],
    title: "Bare value after `or` makes the condition always true",
    description:
      '`x == "a" or "b"` does not compare x with both: the second string is true by itself, so the condition always ' +
      "holds. Repeat the comparison, or ask whether a list of the values contains x.",
    cwe: [571, 480],
    confidence: 0.95,
    priority: "P1"
  }),
  misplaced_negation: certain({
    languages: ["javascript"],
    title: "Negation applies to the operand, not to the test",
    description:
      "`!` binds tighter than `in`, `instanceof` and comparisons, so a boolean is tested instead of the value and the " +
      "condition is practically constant. Put the test in parentheses: `!(key in object)`, or use the opposite operator.",
    cwe: [783, 480],
    confidence: 0.96
  }),
  comparison_with_new_object: certain({
    languages: ["javascript"],
    title: "Comparison with an object made on the spot",
    description:
      "Arrays, objects and expressions with `new` are compared by identity, and one that was made this moment is " +
      "identical to nothing. Compare its length or contents instead.",
    cwe: [570, 595],
    confidence: 0.96
  }),
  index_as_boolean: certain({
    languages: ["javascript"],
    title: "Index of a search is used as yes or no",
    description:
      "The search methods give -1 when nothing is found, which is true, and 0 for the first place, which is false, so " +
      "the condition says the opposite of what is meant. Compare with -1, or use `includes` or `some`.",
    cwe: [697, 480]
  }),
  inverted_null_check: certain({
    languages: ["java", "javascript", "python"],
    title: "Member is read only when the object is missing",
    description:
      "The check before the operator lets control through exactly when the object is null, and then reads from it, so " +
      "this throws in the one case that was to be avoided. Turn the comparison or the operator around.",
    cwe: [476],
    priority: "P1",
    confidence: 0.95
  }),
  contradictory_condition: certain({
    languages: ["go", "javascript", "php", "python"],
    title: "Condition is always true or always false",
    description:
      "The comparisons of the same value contradict or complete each other, so the result does not depend on it: " +
      "`x != 1 || x != 2` always holds and `x == 1 && x == 2` never does. Use the other operator or the right bounds.",
    cwe: [570, 571],
    priority: "P1",
    confidence: 0.95
  }),
  assignment_in_condition: certain({
    languages: ["javascript", "php"],
    title: "Condition assigns a constant instead of comparing",
    description:
      "A single `=` stores the value and the condition takes on its truth, so one branch is dead and the variable is " +
      "overwritten. Compare with `===` (or `==`); if the assignment is meant, make it a statement of its own.",
    cwe: [481],
    priority: "P1",
    confidence: 0.96
  }),
  defer_in_loop: certain({
    languages: ["go"],
    title: "Deferred call in a loop waits for the end of the function",
    description:
      "`defer` runs when the function returns, so in a loop the deferred calls pile up: files and connections stay open " +
      "and locks stay held until the last round is over. Close at the end of the round, or move the body of the loop " +
      "to a function of its own.",
    cwe: [772, 833],
    confidence: 0.9
  }),
  nil_map_write: certain({
    languages: ["go"],
    title: "Write to a map that was never made",
    description:
      "A map variable without a value is nil; reading from it works, writing to it panics. Make it with `make` or a " +
      "literal before the first write.",
    cwe: [476],
    confidence: 0.95,
    priority: "P1"
  }),
  duration_without_unit: certain({
    languages: ["go"],
    title: "Sleep of a few nanoseconds",
    description:
      "A plain number is a duration in nanoseconds, so this returns at once and a loop around it runs hot. Multiply by " +
      "`time.Millisecond` or `time.Second`.",
    cwe: [834]
  }),
  loop_variable_capture: certain({
    languages: ["go"],
    title: "Goroutine shares the loop variable",
    description:
      "Up to Go 1.21 a loop has one variable for all its rounds, and a goroutine that reads it later finds the value " +
      "of a later round. Pass it as an argument, or copy it inside the loop (`v := v`); or declare Go 1.22 in go.mod.",
    cwe: [362],
    priority: "P1",
    confidence: 0.92
  }),
  string_identity: certain({
    languages: ["java"],
    title: "Strings are compared by identity",
    description:
      "`==` on strings asks whether both are the same object. That holds for literals of one program and fails for the " +
      "same text from a request, a file or a concatenation. Use `equals`, or `Objects.equals` where one may be null.",
    cwe: [597, 595]
  }),
  boxed_identity: certain({
    languages: ["java"],
    title: "Boxed numbers are compared by identity",
    description:
      "`==` on `Integer`, `Long` and the like compares objects. Values from -128 to 127 come from a cache and compare " +
      "as expected, larger ones do not, so this passes tests and fails with real data. Use `equals` or unbox one side.",
    cwe: [595]
  }),
  equals_between_types: certain({
    languages: ["java"],
    title: "equals is asked about a value of another type",
    description:
      "`equals` of these classes is false for objects of any other type (`Long` and `int` literals, strings and " +
      "characters), and arrays inherit the comparison by identity. Compare values of one type, and arrays with `Arrays.equals`.",
    cwe: [595, 570],
    confidence: 0.95
  }),
  loop_never_ends: certain({
    languages: ["java", "javascript"],
    title: "Loop counter does not lead to the end of the loop",
    description:
      "The update moves the counter away from its bound, or changes another variable than the one that is tested, so " +
      "the loop either does not run at all or runs forever. Change the tested variable, in the direction of the bound.",
    cwe: [835],
    priority: "P1"
  }),
  loop_past_end: certain({
    languages: ["go", "java", "javascript"],
    title: "Loop reads one element past the end",
    description:
      "Indexes go from 0 to length - 1, and the condition with `<=` adds one round more, which reads what is not there: " +
      "an exception, a panic or undefined. Use `<`, or loop over the elements themselves.",
    cwe: [193, 125],
    priority: "P1"
  }),
  string_index_arithmetic: certain({
    languages: ["javascript"],
    title: "Arithmetic with an index that is a string",
    description:
      "`for … in` gives property names, which are strings also for arrays, and `+` joins them with the number. Use a " +
      "counting loop, `entries()` or `forEach` with an index.",
    cwe: [704],
    confidence: 0.95
  }),
  mutable_default: certain({
    languages: ["python"],
    title: "Shared default argument is changed",
    description:
      "A default value is made once, when the function is defined, so what one call adds the next call finds. Use " +
      "`None` as the default and make the list or dict inside the function.",
    cwe: [665],
    confidence: 0.9
  }),
  identity_with_literal: certain({
    languages: ["python"],
    title: "Identity is compared instead of value",
    description:
      "`is` asks for the same object, and whether two equal literals are one object depends on the interpreter, so " +
      "this works by chance and gives a SyntaxWarning. Compare with `==` or `!=`.",
    cwe: [595],
    confidence: 0.97
  }),
  assert_on_tuple: certain({
    languages: ["python"],
    title: "Assertion on a tuple is always true",
    description:
      "With parentheses around the condition and its message, `assert` sees a tuple of two, which is never empty and " +
      "therefore always true. Remove the parentheses.",
    cwe: [571],
    confidence: 0.97
  }),
  except_with_operator: certain({
    languages: ["python"],
    title: "Only one of the listed exceptions is caught",
    description:
      "`except A or B` evaluates `A or B` first, which is A, so B is not caught. Write the types as a tuple: " +
      "`except (A, B)`.",
    cwe: [703, 480],
    confidence: 0.97
  }),
  unreachable_handler: certain({
    languages: ["python"],
    title: "Exception handler can never run",
    description:
      "Handlers are tried in order, and an earlier one already catches this exception or a class above it. Put the " +
      "narrower handler first, or remove the one that never runs.",
    cwe: [561],
    confidence: 0.95
  }),
  raises_no_exception: certain({
    languages: ["python"],
    title: "Something that is no exception is raised",
    description:
      "Raising anything but an exception gives a TypeError at that place, which hides the problem that was to be " +
      "reported. Raise an exception class such as `NotImplementedError` or `ValueError`.",
    cwe: [703],
    confidence: 0.97
  }),
  method_not_called: certain({
    languages: ["python"],
    title: "Condition tests a method instead of calling it",
    description:
      "A method is an object and always true, so the condition never changes. Call it with parentheses, or make it a " +
      "property if it is meant to read like one.",
    cwe: [480, 571]
  }),
  missing_await: certain({
    languages: ["javascript", "python"],
    title: "Promise is used where its value was meant",
    description:
      "An async function gives a promise (in Python a coroutine), which is always true and has none of the properties " +
      "of the value, so the condition is constant or the property undefined. Put `await` before the call.",
    cwe: [571, 480],
    priority: "P1",
    confidence: 0.95
  }),
  missing_break: certain({
    languages: ["java", "javascript"],
    title: "Value set in a case is overwritten by the next case",
    description:
      "Without a `break` control falls into the next case, which sets the same variable again, so the value of this " +
      "case never counts. End the case with `break` or `return`.",
    cwe: [484],
    priority: "P1",
    confidence: 0.95
  }),
  invalid_regex: certain({
    languages: ["go", "javascript"],
    title: "Regular expression is invalid",
    description:
      "The pattern does not follow the syntax of this language's regular expressions, so making it throws or panics as " +
      "soon as the line runs. Escape what is meant literally, or write it without the feature that is not supported.",
    cwe: [1286],
    confidence: 0.95
  })
})

export type RuleId = keyof typeof rules
