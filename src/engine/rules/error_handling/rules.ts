import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  empty_handler: {
    languages: ["csharp", "go", "java", "javascript", "python", "ruby"],
    title: "Empty exception handler (empty catch block)",
    description:
      "Work is lost without a trace: the program goes on as if it had been done, and the failure shows later, somewhere " +
      "else, without its cause. The handler catches the error of a write, a send or a similar action and does nothing. " +
      "Let the error through, handle the one kind that is expected, or log it; if it does not matter, state why in a comment.",
    example: {
      path: "src/orders.js",
      bad: "export function place(order) {\n  try {\n    store.saveOrder(order)\n  } catch (error) {}\n}\n",
      good: "export function place(order) {\n  try {\n    store.saveOrder(order)\n  } catch (error) {\n    log.error(error)\n    throw error\n  }\n}\n"
    },
    cwe: [390, 1069],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  empty_handler_low_impact: {
    languages: ["csharp", "java", "javascript", "python", "ruby"],
    title: "Empty exception handler: no known effect of the failure",
    description:
      "A failure leaves no trace, so a bug in this block is hard to find. The handler does nothing, and the names of the " +
      "called functions do not show whether work is lost. Handle the one kind of error that is expected, log it, or " +
      "state in a comment why it does not matter.",
    example: {
      path: "src/panel.js",
      bad: "export function show(panel) {\n  try {\n    panel.compute(panel.rows)\n  } catch (error) {}\n}\n",
      good: "export function show(panel) {\n  try {\n    panel.compute(panel.rows)\n  } catch (error) {\n    log.warn(error)\n  }\n}\n"
    },
    cwe: [390, 1069],
    confidence: 0.62,
    priority: "P3",
    ...small
  },
  catches_everything: {
    languages: ["python", "ruby"],
    title: "Overly broad exception handler (bare except)",
    description:
      "The program cannot be interrupted, and programming errors stay hidden. A bare `except` or `rescue Exception` catches " +
      "interrupts, exits and memory exhaustion along with the expected failure, and reports none of them. Name the " +
      "expected errors, or at least `Exception` (`StandardError`), and let all others through.",
    example: {
      path: "src/load.py",
      bad: "def load(path):\n    try:\n        return read(path)\n    except:\n        return None\n",
      good: "def load(path):\n    try:\n        return read(path)\n    except OSError:\n        return None\n"
    },
    cwe: [396],
    confidence: 0.85,
    priority: "P3",
    ...small
  },
  interrupt_swallowed: {
    languages: ["java"],
    title: "Swallowed InterruptedException",
    description:
      "The thread ignores a request to stop: executors do not shut down and timeouts do not end the work. Catching " +
      "`InterruptedException` clears the interrupted flag of the thread, and this handler does not restore it. Call " +
      "`Thread.currentThread().interrupt()` in the handler, or let the exception through.",
    example: {
      path: "src/Poller.java",
      bad: "class Poller {\n  void poll() {\n    while (true) {\n      try {\n        Thread.sleep(100);\n      } catch (InterruptedException e) {\n        log.warn(e);\n      }\n    }\n  }\n}\n",
      good: "class Poller {\n  void poll() {\n    while (true) {\n      try {\n        Thread.sleep(100);\n      } catch (InterruptedException e) {\n        Thread.currentThread().interrupt();\n        return;\n      }\n    }\n  }\n}\n"
    },
    cwe: [391],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  printed_only: {
    languages: ["java"],
    title: "Exception only printed with printStackTrace",
    description:
      "The failure is missing from the logs, and the caller receives a result as if nothing had failed. " +
      "`printStackTrace()` writes to a stream that servers rarely collect, and the method continues. Log the exception " +
      "with the logger of the application, and rethrow it, wrap it or return a value that represents the failure.",
    example: {
      path: "src/Reader.java",
      bad: "class Reader {\n  void read() {\n    try {\n      open();\n    } catch (IOException e) {\n      e.printStackTrace();\n    }\n  }\n}\n",
      good: "class Reader {\n  void read() {\n    try {\n      open();\n    } catch (IOException e) {\n      throw new UncheckedIOException(e);\n    }\n  }\n}\n"
    },
    cwe: [390],
    confidence: 0.8,
    priority: "P3",
    ...small
  },
  swallowed_rejection: {
    languages: ["javascript"],
    title: "Swallowed promise rejection (empty catch callback)",
    description:
      "Failed work looks like finished work: there is no log, no retry and no message to the user. `.catch(() => {})` " +
      "discards every failure of the promise. Log the reason, report it to the caller, or handle the one error that is " +
      "expected; if it does not matter, state why in a comment.",
    example: {
      path: "src/orders.js",
      bad: "export function place(order) {\n  db.orders.insert(order).catch(() => {})\n}\n",
      good: "export function place(order) {\n  db.orders.insert(order).catch((error) => log.error(error))\n}\n"
    },
    cwe: [390, 755],
    confidence: 0.8,
    priority: "P2",
    ...small
  },
  thrown_text: {
    languages: ["javascript"],
    title: "String thrown instead of an Error (no-throw-literal)",
    description:
      "Logs do not show where the failure occurred, and handlers that read `error.message` get `undefined`. A thrown " +
      "string has neither a stack nor a type. Throw `new Error(…)`, or a subclass of it.",
    example: {
      path: "src/check.js",
      bad: 'export function check(order) {\n  if (order.id === "") throw "an order needs an id"\n}\n',
      good: 'export function check(order) {\n  if (order.id === "") throw new Error("an order needs an id")\n}\n'
    },
    cwe: [755],
    confidence: 0.92,
    priority: "P3",
    ...small
  },
  success_after_failure: {
    languages: ["javascript", "python"],
    title: "Failure reported as success",
    description:
      "Callers continue with work that was not done or a check that did not run. The handler returns the same value as the " +
      "path without a failure. Return a value that represents the failure, or let the error through.",
    example: {
      path: "src/publish.js",
      bad: "export function publish(page) {\n  try {\n    upload(page)\n    return true\n  } catch (error) {\n    console.error(error)\n    return true\n  }\n}\n",
      good: "export function publish(page) {\n  try {\n    upload(page)\n    return true\n  } catch (error) {\n    console.error(error)\n    return false\n  }\n}\n"
    },
    cwe: [703, 394],
    confidence: 0.8,
    priority: "P2",
    ...small
  },
  overriding_finally: {
    languages: ["java", "javascript", "python", "ruby"],
    title: "Jump in finally discards the exception (no-unsafe-finally)",
    description:
      "A failure disappears, or the function returns another value than intended. A `return`, `break` or `continue` in " +
      "`finally` (`ensure`) ends the block normally and discards the pending exception or return value. Keep only " +
      "clean-up code in the block and return after it.",
    example: {
      path: "src/count.py",
      bad: "def count(path):\n    try:\n        return parse(path)\n    finally:\n        return 0\n",
      good: "def count(path):\n    try:\n        return parse(path)\n    finally:\n        release(path)\n"
    },
    cwe: [584],
    confidence: 0.92,
    priority: "P2",
    ...small
  },
  cause_lost: {
    languages: ["java", "javascript"],
    title: "Exception cause lost on rethrow (preserve-caught-error)",
    description:
      "The log shows that something failed, but not why: the original message and stack are missing. The new exception " +
      "does not include the caught one. Pass the caught exception as the cause (`new Error(message, { cause: error })`, " +
      "`new XException(message, e)`).",
    example: {
      path: "src/orders.js",
      bad: 'export async function open(id) {\n  try {\n    const order = await db.orders.get(id)\n    await audit.write(order)\n    return show(order)\n  } catch (error) {\n    throw new Error("Cannot open the order.")\n  }\n}\n',
      good: 'export async function open(id) {\n  try {\n    const order = await db.orders.get(id)\n    await audit.write(order)\n    return show(order)\n  } catch (error) {\n    throw new Error("Cannot open the order.", { cause: error })\n  }\n}\n'
    },
    cwe: [755],
    confidence: 0.78,
    priority: "P3",
    ...small
  },
  stack_trace_lost: {
    languages: ["csharp"],
    title: "Rethrow resets the stack trace (CA2200)",
    description:
      "The log does not show where the failure occurred. `throw ex;` starts a new stack trace at this line. Write `throw;` " +
      "to rethrow the caught exception unchanged.",
    example: {
      path: "src/Mailer.cs",
      bad: "class Mailer {\n  void Send() {\n    try { Connect(); }\n    catch (IOException ex) {\n      Log(ex);\n      throw ex;\n    }\n  }\n}\n",
      good: "class Mailer {\n  void Send() {\n    try { Connect(); }\n    catch (IOException ex) {\n      Log(ex);\n      throw;\n    }\n  }\n}\n"
    },
    cwe: [755],
    confidence: 0.92,
    priority: "P3",
    ...small
  },
  result_lost: {
    languages: ["python"],
    title: "Missing return value after a caught exception",
    description:
      "Callers fail later on `None`, far from the cause. On failure the handler only writes a log line, and the function " +
      "returns nothing although its signature declares a value. Raise an exception, or declare `Optional` and return " +
      "`None` explicitly.",
    example: {
      path: "src/price.py",
      bad: 'import logging\n\nlog = logging.getLogger(__name__)\n\ndef price(item) -> int:\n    try:\n        return item.lookup()\n    except AttributeError:\n        log.error("no price")\n',
      good: 'import logging\n\nlog = logging.getLogger(__name__)\n\ndef price(item) -> int:\n    try:\n        return item.lookup()\n    except AttributeError:\n        log.error("no price")\n        raise\n'
    },
    cwe: [394],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  ignored_error: {
    languages: ["go"],
    title: "Unchecked error return value (errcheck)",
    description:
      "When the call fails, the program continues with a nil or incomplete value, or assumes that data was written. The " +
      'error that the call returns is not checked. Check the error and return it (`if err != nil { return fmt.Errorf("…: %w", err) }`).',
    example: {
      path: "report.go",
      bad: 'package report\n\nimport "encoding/json"\n\nfunc Load(b []byte) Report {\n\tvar r Report\n\tjson.Unmarshal(b, &r)\n\treturn r\n}\n',
      good: 'package report\n\nimport "encoding/json"\n\nfunc Load(b []byte) (Report, error) {\n\tvar r Report\n\terr := json.Unmarshal(b, &r)\n\treturn r, err\n}\n'
    },
    cwe: [252],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  discarded_error: {
    languages: ["go"],
    title: "Error return value discarded with the blank identifier",
    description:
      "When the call fails, the program assumes that data was written or committed. The error of a call whose only purpose " +
      "is its effect is assigned to `_`. Check the error and return it, or state in a comment why it does not matter.",
    example: {
      path: "report.go",
      bad: 'package report\n\nimport "os"\n\nfunc Save(path string, b []byte) {\n\t_ = os.WriteFile(path, b, 0o600)\n}\n',
      good: 'package report\n\nimport "os"\n\nfunc Save(path string, b []byte) error {\n\treturn os.WriteFile(path, b, 0o600)\n}\n'
    },
    cwe: [252],
    confidence: 0.75,
    priority: "P2",
    ...small
  },
  overwritten_error: {
    languages: ["go"],
    title: "Error overwritten before it is checked (ineffassign)",
    description:
      "A failure of the first call stays unnoticed. Its error is overwritten by the error of the next call before it is " +
      "checked. Check the error directly after the call.",
    example: {
      path: "fetch.go",
      bad: "package fetch\n\nfunc Fetch(url string) error {\n\tresp, err := get(url)\n\tbody, err := read(resp)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn store(body)\n}\n",
      good: "package fetch\n\nfunc Fetch(url string) error {\n\tresp, err := get(url)\n\tif err != nil {\n\t\treturn err\n\t}\n\tbody, err := read(resp)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn store(body)\n}\n"
    },
    cwe: [252, 563],
    confidence: 0.9,
    priority: "P2",
    ...small
  },
  unwrap_in_library: {
    languages: ["rust"],
    title: "unwrap() of a fallible operation in library code (unwrap_used)",
    description:
      "An ordinary failure ends the caller's thread or program. Files, networks, environment and input fail in normal " +
      "operation, and `unwrap()` panics on such a failure. Return a `Result` and use `?`, or state with `expect` why it " +
      "cannot fail.",
    example: {
      path: "src/store.rs",
      bad: "pub fn load(path: &str) -> String {\n    fs::read_to_string(path).unwrap()\n}\n",
      good: "pub fn load(path: &str) -> io::Result<String> {\n    fs::read_to_string(path)\n}\n"
    },
    cwe: [248],
    confidence: 0.65,
    kind: "advisory",
    priority: "P3",
    effort: "small",
    risk: "medium"
  }
})

export type RuleId = keyof typeof rules
