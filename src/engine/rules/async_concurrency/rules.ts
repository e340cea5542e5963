import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  async_executor: {
    languages: ["javascript"],
    title: "Async promise executor (no-async-promise-executor)",
    description:
      "A caller waits for ever, without an error. An async executor that throws rejects its own promise, which no code " +
      "handles, and the outer promise stays pending. Await before creating the promise, or return the result of an async " +
      "function instead of `new Promise`.",
    example: {
      path: "src/load.js",
      bad: "export const load = (id) =>\n  new Promise(async (resolve) => {\n    const row = await db.find(id)\n    resolve(row)\n  })\n",
      good: "export const load = async (id) => {\n  const row = await db.find(id)\n  return row\n}\n"
    },
    cwe: [755],
    confidence: 0.88,
    priority: "P1",
    ...small
  },
  async_callback_ignored: {
    languages: ["javascript"],
    title: "Promise of an async callback ignored (no-misused-promises)",
    description:
      "Later code runs before the work is done, or a filter keeps every element. `forEach` does not wait for its callback " +
      "and turns a failure into an unhandled rejection; `filter`, `some`, `every` and `find` use the promise itself as the " +
      "result, which is always true. Use `for … of` with `await`, or `await Promise.all(items.map(…))` and its results.",
    example: {
      path: "src/close.js",
      bad: "export async function closeAll(orders) {\n  orders.forEach(async (order) => {\n    await db.close(order)\n  })\n  return report(orders)\n}\n",
      good: "export async function closeAll(orders) {\n  for (const order of orders) {\n    await db.close(order)\n  }\n  return report(orders)\n}\n"
    },
    cwe: [755],
    confidence: 0.8,
    priority: "P1",
    ...small
  },
  async_callback_unawaited: {
    languages: ["javascript"],
    title: "Async forEach callback that no later code waits for",
    description:
      "The function returns before its work is done, and its caller cannot wait for it. `forEach` discards the promises of " +
      "its async callback; here the callback handles its failures, or no code of the function follows. Use `for … of` with " +
      "`await`, or `await Promise.all(items.map(…))`.",
    example: {
      path: "src/close.js",
      bad: "export function closeAll(orders) {\n  orders.forEach(async (order) => {\n    await db.close(order)\n  })\n}\n",
      good: "export async function closeAll(orders) {\n  await Promise.all(orders.map((order) => db.close(order)))\n}\n"
    },
    cwe: [755],
    confidence: 0.65,
    priority: "P1",
    ...small
  },
  unguarded_async_handler: {
    languages: ["javascript"],
    title: "Unhandled rejection in an async handler of Express 4",
    description:
      "When the handler fails, the client waits until it times out, and the unhandled rejection ends the process. Express " +
      "before version 5 ignores the promise that a handler returns, so no error handler runs. Pass the rejection to `next`, " +
      "catch it in the handler, or upgrade to Express 5.",
    example: {
      path: "src/server.js",
      besides: { "package.json": '{ "name": "shop", "dependencies": { "express": "^4.18.0" } }\n' },
      bad: 'import express from "express"\n\nconst app = express()\napp.get("/orders", async (req, res) => {\n  res.json(await db.orders())\n})\n',
      good: 'import express from "express"\n\nconst app = express()\napp.get("/orders", async (req, res, next) => {\n  try {\n    res.json(await db.orders())\n  } catch (error) {\n    next(error)\n  }\n})\n'
    },
    cwe: [755],
    confidence: 0.85,
    priority: "P1",
    ...small
  },
  floating_promise: {
    languages: ["javascript"],
    title: "Floating promise (no-floating-promises)",
    description:
      "The function continues before the work is done, and a failure becomes an unhandled rejection, which ends a Node " +
      "process. The promise of this async call is neither awaited nor caught. Await the call; for work in the background, " +
      "write `void` and add a `.catch(…)`.",
    example: {
      path: "src/place.js",
      bad: "async function notify(order) {\n  await mail.send(order)\n}\n\nexport async function place(order) {\n  await db.insert(order)\n  notify(order)\n}\n",
      good: "async function notify(order) {\n  await mail.send(order)\n}\n\nexport async function place(order) {\n  await db.insert(order)\n  await notify(order)\n}\n"
    },
    cwe: [755],
    confidence: 0.6,
    priority: "P2",
    ...small
  },
  coroutine_never_awaited: {
    languages: ["python"],
    title: "Coroutine never awaited",
    description:
      "The work is never done; the only sign is a warning when the coroutine is collected. Calling an async function only " +
      "creates a coroutine, which runs when it is awaited or becomes a task. Add `await` before the call, or pass it to " +
      "`asyncio.create_task` and keep the task.",
    example: {
      path: "src/stock.py",
      bad: "async def refresh(name):\n    await load(name)\n\n\nasync def poll(name):\n    refresh(name)\n",
      good: "async def refresh(name):\n    await load(name)\n\n\nasync def poll(name):\n    await refresh(name)\n"
    },
    cwe: [480],
    confidence: 0.95,
    priority: "P1",
    ...small
  },
  blocking_in_async: {
    languages: ["csharp", "python", "rust"],
    title: "Blocking call in an async function",
    description:
      "Requests queue up behind one slow response, and a blocked continuation can deadlock. The call blocks the thread that " +
      "runs all other tasks. Use the asynchronous form (`await asyncio.sleep`, `httpx`, `tokio::time::sleep`, `await task`), " +
      "or move the call to a worker thread.",
    example: {
      path: "src/poll.py",
      bad: "import time\n\n\nasync def poll():\n    time.sleep(1)\n",
      good: "import asyncio\n\n\nasync def poll():\n    await asyncio.sleep(1)\n"
    },
    cwe: [833],
    confidence: 0.85,
    priority: "P2",
    ...small
  },
  lock_not_released: {
    languages: ["c", "cpp", "csharp", "go", "java", "python"],
    title: "Lock not released on every path",
    description:
      "All threads that need the lock wait for ever. On this return, or when an exception passes, the lock stays held. " +
      "Release it on every path: `defer mu.Unlock()`, `with lock:`, or `finally`.",
    example: {
      path: "stock.go",
      bad: 'package stock\n\nfunc (s *Stock) Get(name string) int {\n\ts.mu.Lock()\n\tif name == "" {\n\t\treturn 0\n\t}\n\tn := s.rows[name]\n\ts.mu.Unlock()\n\treturn n\n}\n',
      good: 'package stock\n\nfunc (s *Stock) Get(name string) int {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif name == "" {\n\t\treturn 0\n\t}\n\treturn s.rows[name]\n}\n'
    },
    cwe: [667, 772],
    confidence: 0.8,
    priority: "P1",
    ...small
  },
  lock_guards_nothing: {
    languages: ["csharp", "java", "python"],
    title: "Ineffective lock object",
    description:
      "Threads run the critical section at the same time, or wait for unrelated code. A lock that is created where it is " +
      "taken is another one each time; a literal or boxed value is shared with all code that locks the same value. Lock a " +
      "private field created for the purpose (`private final Object lock = new Object()`).",
    example: {
      path: "src/stock.py",
      bad: "import threading\n\n\ndef add(row):\n    with threading.Lock():\n        rows.append(row)\n",
      good: "import threading\n\nlock = threading.Lock()\n\n\ndef add(row):\n    with lock:\n        rows.append(row)\n"
    },
    cwe: [667, 820],
    confidence: 0.9,
    priority: "P1",
    ...small
  },
  double_checked_locking: {
    languages: ["java"],
    title: "Double-checked locking without volatile",
    description:
      "Another thread works with an incomplete object. Without `volatile` it may see the reference before the fields of the " +
      "object are written. Declare the field `volatile`, or keep the instance in a holder class or an enum.",
    example: {
      path: "src/Ledger.java",
      bad: "class Ledger {\n  private static Ledger instance;\n\n  static Ledger get() {\n    if (instance == null) {\n      synchronized (Ledger.class) {\n        if (instance == null) {\n          instance = new Ledger();\n        }\n      }\n    }\n    return instance;\n  }\n}\n",
      good: "class Ledger {\n  private static volatile Ledger instance;\n\n  static Ledger get() {\n    if (instance == null) {\n      synchronized (Ledger.class) {\n        if (instance == null) {\n          instance = new Ledger();\n        }\n      }\n    }\n    return instance;\n  }\n}\n"
    },
    cwe: [609],
    confidence: 0.88,
    priority: "P2",
    ...small
  },
  thread_run_directly: {
    languages: ["java"],
    title: "Thread.run() called instead of start()",
    description:
      "The work is not concurrent: the caller waits until it is done. `run()` is an ordinary call that executes in the " +
      "caller's thread. Call `start()`.",
    example: {
      path: "src/Worker.java",
      bad: "class Worker {\n  void begin(Runnable work) {\n    new Thread(work).run();\n  }\n}\n",
      good: "class Worker {\n  void begin(Runnable work) {\n    new Thread(work).start();\n  }\n}\n"
    },
    cwe: [572],
    confidence: 0.9,
    priority: "P1",
    ...small
  },
  wait_group_race: {
    languages: ["go"],
    title: "Race condition: WaitGroup.Add inside the goroutine",
    description:
      "The program continues while goroutines still run. `Wait` may run before a new goroutine reaches `Add`, finds a count " +
      "of zero and returns. Call `Add` before the `go` statement.",
    example: {
      path: "run.go",
      bad: 'package a\n\nimport "sync"\n\nfunc Run(names []string) {\n\tvar wg sync.WaitGroup\n\tfor range names {\n\t\tgo func() {\n\t\t\twg.Add(1)\n\t\t\tdefer wg.Done()\n\t\t\tsend()\n\t\t}()\n\t}\n\twg.Wait()\n}\n',
      good: 'package a\n\nimport "sync"\n\nfunc Run(names []string) {\n\tvar wg sync.WaitGroup\n\tfor range names {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tsend()\n\t\t}()\n\t}\n\twg.Wait()\n}\n'
    },
    cwe: [362],
    confidence: 0.92,
    priority: "P1",
    ...small
  },
  shared_map_write: {
    languages: ["go"],
    title: "Data race: concurrent map writes",
    description:
      "The runtime stops the whole program with `concurrent map writes`, or the map is corrupted. Several goroutines write " +
      "to one map without a lock, and maps are not safe for concurrent writes. Guard the map with a mutex, collect the " +
      "results through a channel, or write to a slice element per goroutine.",
    example: {
      path: "count.go",
      bad: "package a\n\nfunc Count(names []string) map[string]int {\n\tfound := make(map[string]int)\n\tfor _, name := range names {\n\t\tgo func(name string) {\n\t\t\tfound[name] = count(name)\n\t\t}(name)\n\t}\n\treturn found\n}\n",
      good: "package a\n\nfunc Count(names []string) map[string]int {\n\tfound := make(map[string]int)\n\tfor _, name := range names {\n\t\tgo func(name string) {\n\t\t\tmu.Lock()\n\t\t\tdefer mu.Unlock()\n\t\t\tfound[name] = count(name)\n\t\t}(name)\n\t}\n\treturn found\n}\n"
    },
    cwe: [362],
    confidence: 0.85,
    priority: "P1",
    ...small
  },
  async_void: {
    languages: ["csharp"],
    title: "async void method (AsyncFixer03, VSTHRD100)",
    description:
      "An exception in this method ends the process. Callers cannot await an `async void` method, so its exception is raised " +
      "on the synchronisation context, where it cannot be caught. Return `Task`; only event handlers have to be `async void`.",
    example: {
      path: "src/Mailer.cs",
      bad: "class Mailer {\n  public async void Send(string to) {\n    await client.SendAsync(to);\n  }\n}\n",
      good: "class Mailer {\n  public async Task Send(string to) {\n    await client.SendAsync(to);\n  }\n}\n"
    },
    cwe: [755],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  guard_across_await: {
    languages: ["rust"],
    title: "Mutex guard held across an await (await_holding_lock)",
    description:
      "Tasks deadlock, and with few threads the whole runtime stops. The task may be suspended at the `.await` with the lock " +
      "held, and other tasks then block the threads of the runtime. End the scope of the guard before the await, or use the " +
      "mutex of the runtime.",
    example: {
      path: "src/store.rs",
      bad: "async fn add(&self, row: Row) {\n    let mut rows = self.rows.lock().unwrap();\n    rows.push(row);\n    self.flush().await;\n}\n",
      good: "async fn add(&self, row: Row) {\n    {\n        let mut rows = self.rows.lock().unwrap();\n        rows.push(row);\n    }\n    self.flush().await;\n}\n"
    },
    cwe: [667],
    confidence: 0.88,
    priority: "P1",
    ...small
  },
  stale_effect_response: {
    languages: ["javascript"],
    title: "Race condition: stale response in a React effect",
    description:
      "The page shows the data of another item. When the dependency changes during a request, the older response may arrive " +
      "last and overwrite the newer one. Keep a flag (or an AbortController) in the effect, set it in the cleanup function, " +
      "and ignore responses that arrive after that.",
    example: {
      path: "src/Order.tsx",
      bad: 'import { useEffect, useState } from "react"\n\nexport const Order = ({ id }) => {\n  const [order, setOrder] = useState(null)\n  useEffect(() => {\n    fetch(orderUrl(id)).then((response) => setOrder(response))\n  }, [id])\n  return <p>{order}</p>\n}\n',
      good: 'import { useEffect, useState } from "react"\n\nexport const Order = ({ id }) => {\n  const [order, setOrder] = useState(null)\n  useEffect(() => {\n    let isCurrent = true\n    fetch(orderUrl(id)).then((response) => isCurrent && setOrder(response))\n    return () => {\n      isCurrent = false\n    }\n  }, [id])\n  return <p>{order}</p>\n}\n'
    },
    cwe: [362],
    confidence: 0.75,
    priority: "P2",
    ...small
  }
})

export type RuleId = keyof typeof rules
