import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["async_executor"],
    path: "a.js",
    text: (size) => filled(size, "new Promise(async (a) => { await a\n", ["", ""])
  },
  {
    rules: ["async_callback_ignored", "async_callback_unawaited"],
    path: "a.js",
    text: (size) => filled(size, "xs.forEach(async (x) => { await f(x) })\n")
  },
  {
    rules: ["unguarded_async_handler"],
    path: "a.js",
    text: (size) =>
      filled(size, 'app.get("/", show)\napp.get("/a", async (q, s) => { try { await f() } finally { await g() } })\n', [
        'const express = require("express")\nconst app = express()\nasync function show() { await f() }\n',
        ""
      ])
  },
  {
    rules: ["floating_promise"],
    path: "a.js",
    text: (size) =>
      filled(size, "await f()\nf()\n", ["async function f() { await g() }\nasync function h() {\n", "}\n"])
  },
  {
    rules: ["stale_effect_response"],
    path: "a.tsx",
    text: (size) => filled(size, "useEffect(() => { fetch(id).then((r) => { setRow(null) }) }, [id, a.b])\n")
  },
  {
    rules: ["coroutine_never_awaited", "blocking_in_async"],
    path: "a.py",
    text: (size) =>
      filled(size, "  time.sleep(1)\n  f()\n", ["import time\nasync def f():\n  await g()\nasync def h():\n", ""])
  },
  {
    rules: ["lock_not_released", "lock_guards_nothing"],
    path: "a.py",
    text: (size) =>
      filled(size, "  with lock: pass\n  lock.acquire()\n  g()\n  if x: return\n  lock.release()\n", [
        "with Lock(): pass\ndef h():\n",
        ""
      ])
  },
  {
    rules: ["lock_not_released", "wait_group_race", "shared_map_write"],
    path: "a.go",
    text: (size) =>
      filled(
        size,
        "mu.Lock()\nif x { mu.Unlock(); return }\nmu.Unlock()\nfor { go func() { wg.Add(1); m[k] = v; wg.Done() }() }\n",
        ["package a\nfunc f() {\nm := map[string]int{}\n", "}\n"]
      )
  },
  {
    rules: ["double_checked_locking", "lock_guards_nothing", "thread_run_directly", "lock_not_released"],
    path: "A.java",
    text: (size) =>
      filled(
        size,
        "if (x == null) { synchronized (x) { if (x == null) { y = 1; } } } t.run(); lock.lock(); g(); lock.unlock();\n",
        ["class A { private Integer x; Thread t; void f() {\n", "} }"]
      )
  },
  {
    rules: ["async_void", "blocking_in_async"],
    path: "A.cs",
    text: (size) =>
      filled(size, "async void F() { var x = GAsync().Result; Monitor.Enter(o); H(); Monitor.Exit(o); }\n", [
        "class A {\n",
        "}"
      ])
  },
  {
    rules: ["guard_across_await"],
    path: "a.rs",
    text: (size) => filled(size, "let g = m.lock().unwrap(); f().await;\n", ["async fn f() {\n", "}\n"])
  },
  {
    rules: ["lock_not_released"],
    path: "src/locks.c",
    text: (size) =>
      filled(
        size,
        `int f(int n) {\n${"pthread_mutex_lock(&a[n]); if (n) return 1; pthread_mutex_unlock(&a[n]);\n".repeat(200)}}\n`
      )
  }
]
