import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  async_executor: {
    languages: ["javascript"],
    title: "Promise executor is async",
    description:
      "What an async executor throws rejects the promise that the executor itself returns, and nobody holds that one: " +
      "the outer promise stays pending for ever and its caller waits without an error. Await before making the promise, " +
      "or drop `new Promise` and return the result of an async function.",
    cwe: [755],
    confidence: 0.88,
    priority: "P1",
    ...small
  },
  async_callback_ignored: {
    languages: ["javascript"],
    title: "Promises of an async callback are dropped",
    description:
      "`forEach` does not wait for its callback, so the code after it runs before the work is done and a failure is an " +
      "unhandled rejection; `filter`, `some`, `every` and `find` take the promise itself for the answer, and it is always " +
      "true. Use `for … of` with `await`, or `await Promise.all(items.map(…))` and decide on the results.",
    cwe: [755],
    confidence: 0.8,
    priority: "P1",
    ...small
  },
  unguarded_async_handler: {
    languages: ["javascript"],
    title: "Express 4 never sees the failure of this async handler",
    description:
      "Express before version 5 ignores the promise a handler returns: when an `await` in it fails, no error handler runs, " +
      "the client waits until it times out, and the unhandled rejection ends the process. Wrap the handler so that its " +
      "rejection goes to `next`, catch inside it, or move to Express 5.",
    cwe: [755],
    confidence: 0.85,
    priority: "P1",
    ...small
  },
  floating_promise: {
    languages: ["javascript"],
    title: "Async call is neither awaited nor caught",
    description:
      "The function goes on before the work is done, and when it fails nobody hears of it: in Node the unhandled rejection " +
      "ends the process. Await the call; where it is meant to run beside, say so with `void` and give it a `.catch(…)`.",
    cwe: [755],
    confidence: 0.6,
    priority: "P2",
    ...small
  },
  coroutine_never_awaited: {
    languages: ["python"],
    title: "Coroutine is made and never run",
    description:
      "Calling an async function only makes a coroutine; without `await` (or a task) not one line of it runs, and all that " +
      "tells is a warning when it is collected. Put `await` before the call, or hand it to `asyncio.create_task` and keep " +
      "the task.",
    cwe: [480],
    confidence: 0.95,
    priority: "P1",
    ...small
  },
  blocking_in_async: {
    languages: ["csharp", "python", "rust"],
    title: "Blocking call in an async function",
    description:
      "While this call waits, so does the thread that runs all the other tasks: requests queue up behind one slow answer, " +
      "and a blocked continuation can deadlock. Use the asynchronous form (`await asyncio.sleep`, `httpx`, " +
      "`tokio::time::sleep`, `await task`), or move the call to a worker thread.",
    cwe: [833],
    confidence: 0.85,
    priority: "P2",
    ...small
  },
  lock_not_released: {
    languages: ["csharp", "go", "java", "python"],
    title: "Lock is not released on every path",
    description:
      "When this way out is taken, or an exception passes, the lock stays taken and everybody who wants it next waits for " +
      "ever. Release it where no path can miss it: `defer mu.Unlock()`, `with lock:`, or `finally`.",
    cwe: [667],
    confidence: 0.8,
    priority: "P1",
    ...small
  },
  lock_guards_nothing: {
    languages: ["csharp", "java", "python"],
    title: "Lock protects nothing",
    description:
      "A lock made where it is taken is another one each time, so no two threads ever wait for each other; a literal or " +
      "boxed value is shared with unrelated code that happens to lock the same one. Lock a private field made for the " +
      "purpose (`private final Object lock = new Object()`).",
    cwe: [667],
    confidence: 0.9,
    priority: "P1",
    ...small
  },
  double_checked_locking: {
    languages: ["java"],
    title: "Double-checked locking on a field that is not volatile",
    description:
      "Without `volatile` another thread may see the reference before the object's own fields are written, and works with a " +
      "half-made object. Declare the field `volatile`, or keep the instance in a holder class or an enum.",
    cwe: [609],
    confidence: 0.88,
    priority: "P2",
    ...small
  },
  thread_run_directly: {
    languages: ["java"],
    title: "Thread is run, not started",
    description:
      "`run()` is an ordinary call: the work is done by the caller's thread, which waits for it. Call `start()`.",
    cwe: [572],
    confidence: 0.9,
    priority: "P1",
    ...small
  },
  wait_group_race: {
    languages: ["go"],
    title: "WaitGroup is counted up inside the goroutine",
    description:
      "`Wait` may run before the new goroutine has got as far as `Add`, sees zero and returns while the work is still going " +
      "on. Call `Add` before the `go` statement.",
    cwe: [362],
    confidence: 0.92,
    priority: "P1",
    ...small
  },
  shared_map_write: {
    languages: ["go"],
    title: "Goroutines write to one map without a lock",
    description:
      "Maps are not safe for concurrent writing: the runtime stops the whole program with `concurrent map writes` when it " +
      "notices, and corrupts the map when it does not. Guard the map with a mutex, collect through a channel, or write " +
      "to a slice element of its own per goroutine.",
    cwe: [362],
    confidence: 0.85,
    priority: "P1",
    ...small
  },
  async_void: {
    languages: ["csharp"],
    title: "Method is async void",
    description:
      "Nobody can await it, and what it throws cannot be caught: it is raised on the synchronisation context and ends the " +
      "process. Return `Task`; only event handlers have to be `async void`.",
    cwe: [755],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  guard_across_await: {
    languages: ["rust"],
    title: "Blocking lock is held across an await",
    description:
      "The task may be suspended at the `.await` with the lock taken; other tasks then block the threads of the runtime on it, " +
      "and with few threads everything stands still. End the guard's scope before awaiting, or use the runtime's own mutex.",
    cwe: [667],
    confidence: 0.88,
    priority: "P1",
    ...small
  },
  stale_effect_response: {
    languages: ["javascript"],
    title: "Effect shows whichever response comes last",
    description:
      "When the dependency changes while a request is under way, the older response may arrive after the newer one and " +
      "overwrite it: the page then shows another item's data. Keep a flag (or an AbortController) in the effect, set it in " +
      "the cleanup function, and drop responses that come after.",
    cwe: [362],
    confidence: 0.75,
    priority: "P2",
    ...small
  }
})

export type RuleId = keyof typeof rules
