import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  empty_handler: {
    languages: ["csharp", "go", "java", "javascript", "python", "ruby"],
    title: "Error is caught and dropped",
    description:
      "Whatever goes wrong here leaves no trace: the program goes on as if the work had been done, and the failure " +
      "shows later, somewhere else, without its cause. Let the error through, handle the one kind that is expected, " +
      "or log it; if it truly does not matter, say why in a comment.",
    cwe: [390],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  catches_everything: {
    languages: ["python", "ruby"],
    title: "Handler also hides what nobody meant to catch",
    description:
      "A bare `except`, `rescue Exception` or `catch (Throwable)` takes interrupts, exits, memory exhaustion and " +
      "programming mistakes along with the failure it was written for, and none of them is told. Name the errors that " +
      "are expected, or at least `Exception` (`StandardError`), and let the rest through.",
    cwe: [396],
    confidence: 0.85,
    priority: "P3",
    ...small
  },
  interrupt_swallowed: {
    languages: ["java"],
    title: "Interruption of the thread is swallowed",
    description:
      "Catching `InterruptedException` clears the thread's interrupted flag, so whoever asked the thread to stop is " +
      "ignored: executors do not shut down and timeouts do not end the work. Call " +
      "`Thread.currentThread().interrupt()` in the handler, or let the exception through.",
    cwe: [391],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  printed_only: {
    languages: ["java"],
    title: "Exception is printed, then forgotten",
    description:
      "`printStackTrace()` writes to a stream that servers rarely collect, and the method goes on as if nothing had " +
      "happened. Log it through the application's logger and decide what the caller gets: let it through, wrap it, or " +
      "return a value that says that it failed.",
    cwe: [390],
    confidence: 0.8,
    priority: "P3",
    ...small
  },
  swallowed_rejection: {
    languages: ["javascript"],
    title: "Failure of asynchronous work is dropped",
    description:
      "`.catch(() => {})` turns every failure into nothing: no log, no retry, no answer to the user. Log the reason, " +
      "tell the caller, or handle the one error that is expected; if it truly does not matter, say why in a comment.",
    cwe: [390, 755],
    confidence: 0.8,
    priority: "P2",
    ...small
  },
  thrown_text: {
    languages: ["javascript"],
    title: "Text is thrown instead of an Error",
    description:
      "A thrown string has no stack and no type: logs cannot say where it came from, and handlers that read " +
      "`error.message` get `undefined`. Throw `new Error(…)`, or a class of your own.",
    cwe: [755],
    confidence: 0.92,
    priority: "P3",
    ...small
  },
  success_after_failure: {
    languages: ["javascript", "python"],
    title: "Failure is reported as success",
    description:
      "The handler gives the same answer as the path on which everything went well, so callers carry on with work " +
      "that was not done or a check that did not run. Answer with a failure, or let the error through.",
    cwe: [703, 394],
    confidence: 0.8,
    priority: "P2",
    ...small
  },
  overriding_finally: {
    languages: ["java", "javascript", "python", "ruby"],
    title: "finally block discards the exception",
    description:
      "A `return`, `break` or `continue` in `finally` (`ensure`) ends the block normally, and the exception that was " +
      "on its way, or the value that was being returned, is lost. Keep clean-up only in the block and return after it.",
    cwe: [584],
    confidence: 0.92,
    priority: "P2",
    ...small
  },
  cause_lost: {
    languages: ["java", "javascript"],
    title: "New exception leaves out the one that caused it",
    description:
      "The log will show that something failed, and not what: the original message and stack end here. Hand the " +
      "caught exception on as the cause (`new Error(message, { cause: error })`, `new XException(message, e)`, " +
      "`raise X from e`).",
    cwe: [755],
    confidence: 0.78,
    priority: "P3",
    ...small
  },
  stack_trace_lost: {
    languages: ["csharp"],
    title: "Rethrowing resets the stack trace",
    description:
      "`throw ex;` starts the stack trace anew at this line, and where it really failed is lost. Write `throw;` to let " +
      "the caught exception on as it is.",
    cwe: [755],
    confidence: 0.92,
    priority: "P3",
    ...small
  },
  result_lost: {
    languages: ["python"],
    title: "Function that promises a value ends without one",
    description:
      "On failure the handler only writes a log line and the function returns nothing, although its signature promises " +
      "a value: callers fail later on `None`, far from the cause. Raise, or declare the absence and return it on purpose.",
    cwe: [394],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  ignored_error: {
    languages: ["go"],
    title: "Returned error is not looked at",
    description:
      "When the call fails, the code goes on with a nil or half-filled value, or believes that data was written. Check " +
      'the error and return it (`if err != nil { return fmt.Errorf("…: %w", err) }`).',
    cwe: [252],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  overwritten_error: {
    languages: ["go"],
    title: "Error is overwritten before it is checked",
    description:
      "The first call's error is replaced by the next call's before anything looks at it, so its failure goes unseen. " +
      "Check it directly after the call.",
    cwe: [252, 563],
    confidence: 0.9,
    priority: "P2",
    ...small
  },
  unwrap_in_library: {
    languages: ["rust"],
    title: "Library code panics on an ordinary failure",
    description:
      "Files, networks, environment and input fail in normal operation, and `unwrap()` then ends the caller's thread " +
      "or program without giving it a choice. Return a `Result` and use `?`, or say with `expect` why it cannot fail.",
    cwe: [248],
    confidence: 0.65,
    kind: "advisory",
    priority: "P3",
    effort: "small",
    risk: "medium"
  }
})

export type RuleId = keyof typeof rules
