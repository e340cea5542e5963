import { ruleSet } from "../../../core/tool/AuditTool.ts"
import { certain } from "./certain.ts"

/** Mistakes that are certain from one file of Go, Java, C#, PHP or Rust, and a few of all languages. */
export const compiledLintRules = ruleSet({
  infinite_recursion: certain({
    languages: ["csharp", "java", "javascript", "python"],
    title: "Infinite recursion: a member that only calls itself",
    description:
      "The first use ends the program with a stack overflow. The getter returns the property that it implements, or the method " +
      "only calls itself with the same arguments. Return the field behind the property, or call the intended method.",
    example: {
      path: "src/cart.js",
      bad: "export class Cart {\n  get total() {\n    return this.total\n  }\n}\n",
      good: "export class Cart {\n  get total() {\n    return this._total\n  }\n}\n"
    },
    cwe: [674],
    confidence: 0.95,
    priority: "P1"
  }),
  almost_swapped: certain({
    languages: ["csharp", "go", "java", "javascript", "php", "python", "rust"],
    title: "Values not swapped: the first is overwritten",
    description:
      "Both variables have the same value afterwards. `a = b` overwrites the value that `b = a` was to read. Keep one of them in " +
      "a third variable, or assign both at once.",
    example: {
      path: "src/swap.js",
      bad: "export function swap(pair) {\n  pair.left = pair.right\n  pair.right = pair.left\n}\n",
      good: "export function swap(pair) {\n  ;[pair.left, pair.right] = [pair.right, pair.left]\n}\n"
    },
    cwe: [563]
  }),
  break_without_effect: certain({
    languages: ["go"],
    title: "Break leaves the select, not the loop (SA4011)",
    description:
      "The loop goes on although the code wants to stop it. `break` in a case leaves the `select`, and the loop around it starts " +
      "again. Return, or break to a label of the loop.",
    example: {
      path: "run.go",
      bad: "package a\n\nfunc Run(done, work chan int) {\n\tfor {\n\t\tselect {\n\t\tcase <-done:\n\t\t\tbreak\n\t\tcase n := <-work:\n\t\t\tsend(n)\n\t\t}\n\t}\n}\n",
      good: "package a\n\nfunc Run(done, work chan int) {\n\tfor {\n\t\tselect {\n\t\tcase <-done:\n\t\t\treturn\n\t\tcase n := <-work:\n\t\t\tsend(n)\n\t\t}\n\t}\n}\n"
    },
    cwe: [670],
    confidence: 0.85
  }),
  cancel_discarded: certain({
    languages: ["go"],
    title: "Cancel function of a context discarded (lostcancel)",
    description:
      "Each call leaks a timer or a goroutine until the parent context ends. The function that releases them is assigned to " +
      "`_`. Keep it, and defer a call of it.",
    example: {
      path: "load.go",
      bad: 'package a\n\nimport "context"\n\nfunc Load(parent context.Context) error {\n\tctx, _ := context.WithCancel(parent)\n\treturn load(ctx)\n}\n',
      good: 'package a\n\nimport "context"\n\nfunc Load(parent context.Context) error {\n\tctx, cancel := context.WithCancel(parent)\n\tdefer cancel()\n\treturn load(ctx)\n}\n'
    },
    cwe: [772],
    confidence: 0.88
  }),
  integer_division_to_zero: certain({
    languages: ["go"],
    title: "Integer division of literals is zero (SA4025)",
    description:
      "The result is 0 where a fraction was meant. Both operands are integers, so the fraction is cut off. Write one of them " +
      "with a decimal point.",
    example: {
      path: "rate.go",
      bad: "package a\n\nfunc Rate(total float64) float64 {\n\treturn total * (1 / 3)\n}\n",
      good: "package a\n\nfunc Rate(total float64) float64 {\n\treturn total * (1.0 / 3)\n}\n"
    },
    cwe: [682],
    confidence: 0.88
  }),
  deferred_close_before_check: certain({
    languages: ["go"],
    title: "Deferred Close before the error check (SA5001)",
    description:
      "The program panics when the call fails. On an error the first result is nil, and the deferred call reads it. Check the " +
      "error first, and defer the call after it.",
    example: {
      path: "get.go",
      bad: 'package a\n\nimport "net/http"\n\nfunc Get(url string) error {\n\tresp, err := http.Get(url)\n\tdefer resp.Body.Close()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn read(resp)\n}\n',
      good: 'package a\n\nimport "net/http"\n\nfunc Get(url string) error {\n\tresp, err := http.Get(url)\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer resp.Body.Close()\n\treturn read(resp)\n}\n'
    },
    cwe: [476],
    confidence: 0.93
  }),
  decode_into_value: certain({
    languages: ["go"],
    title: "Unmarshal into a value instead of a pointer (SA1014)",
    description:
      "Nothing is decoded, and the call returns an error. `Unmarshal` needs a pointer to write to, and the variable is passed by " +
      "value. Pass its address.",
    example: {
      path: "load.go",
      bad: 'package a\n\nimport "encoding/json"\n\ntype Order struct{ ID int }\n\nfunc Load(data []byte) (Order, error) {\n\tvar order Order\n\terr := json.Unmarshal(data, order)\n\treturn order, err\n}\n',
      good: 'package a\n\nimport "encoding/json"\n\ntype Order struct{ ID int }\n\nfunc Load(data []byte) (Order, error) {\n\tvar order Order\n\terr := json.Unmarshal(data, &order)\n\treturn order, err\n}\n'
    },
    cwe: [628]
  }),
  malformed_struct_tag: certain({
    languages: ["go"],
    title: "Malformed struct tag (vet structtag)",
    description:
      "The field is encoded under another name than the tag says, or validated by no rule. Decoders ignore a tag that does not " +
      'have the form `key:"value"`. Correct the quotes and spaces.',
    example: {
      path: "order.go",
      bad: 'package a\n\ntype Order struct {\n\tID int `json: "id"`\n}\n',
      good: 'package a\n\ntype Order struct {\n\tID int `json:"id"`\n}\n'
    },
    cwe: [628]
  }),
  lock_copied_by_receiver: certain({
    languages: ["go"],
    title: "Lock copied by a value receiver (copylocks)",
    description:
      "The lock protects nothing, because each call locks a copy of it. The method has a value receiver, and its struct holds " +
      "the lock by value. Use a pointer receiver.",
    example: {
      path: "count.go",
      bad: 'package a\n\nimport "sync"\n\ntype Count struct {\n\tmu sync.Mutex\n\tn  map[string]int\n}\n\nfunc (c Count) Add(name string) {\n\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\tc.n[name]++\n}\n',
      good: 'package a\n\nimport "sync"\n\ntype Count struct {\n\tmu sync.Mutex\n\tn  map[string]int\n}\n\nfunc (c *Count) Add(name string) {\n\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\tc.n[name]++\n}\n'
    },
    cwe: [667],
    confidence: 0.9
  }),
  error_response_without_return: certain({
    languages: ["go"],
    title: "Error response without return",
    description:
      "Clients get the error and the normal response in one body. `http.Error` does not end the handler, and the next statement " +
      "writes to the response again. Return after it.",
    example: {
      path: "handler.go",
      bad: 'package a\n\nimport "net/http"\n\nfunc Handle(w http.ResponseWriter, r *http.Request) {\n\tif r.Method != "GET" {\n\t\thttp.Error(w, "no", 405)\n\t}\n\tw.Write([]byte("ok"))\n}\n',
      good: 'package a\n\nimport "net/http"\n\nfunc Handle(w http.ResponseWriter, r *http.Request) {\n\tif r.Method != "GET" {\n\t\thttp.Error(w, "no", 405)\n\t\treturn\n\t}\n\tw.Write([]byte("ok"))\n}\n'
    },
    cwe: [705],
    confidence: 0.9
  }),
  busy_select_loop: certain({
    languages: ["go"],
    title: "Busy loop: select with an empty default (SA5004)",
    description:
      "The loop uses a whole processor core. A `select` with a `default` never waits, and here the default does nothing. Remove " +
      "the default.",
    example: {
      path: "run.go",
      bad: "package a\n\nfunc Run(work chan int) {\n\tfor {\n\t\tselect {\n\t\tcase n := <-work:\n\t\t\tsend(n)\n\t\tdefault:\n\t\t}\n\t}\n}\n",
      good: "package a\n\nfunc Run(work chan int) {\n\tfor {\n\t\tselect {\n\t\tcase n := <-work:\n\t\t\tsend(n)\n\t\t}\n\t}\n}\n"
    },
    cwe: [834],
    confidence: 0.9
  }),
  null_optional: certain({
    languages: ["java"],
    title: "Null returned as an Optional",
    description:
      "Callers fail with a NullPointerException, because an `Optional` promises that there is no null. The method returns null " +
      "instead of an empty one. Return `Optional.empty()`.",
    example: {
      path: "src/Orders.java",
      bad: "class Orders {\n  java.util.Optional<Order> find(String id) {\n    if (id == null) return null;\n    return load(id);\n  }\n}\n",
      good: "class Orders {\n  java.util.Optional<Order> find(String id) {\n    if (id == null) return java.util.Optional.empty();\n    return load(id);\n  }\n}\n"
    },
    cwe: [476]
  }),
  lock_on_value: certain({
    languages: ["java"],
    title: "Lock on a string or a boxed value",
    description:
      "Unrelated code may hold the same lock, or two threads hold different ones. Equal strings and small boxed numbers are one " +
      "object for the whole program, and an assignment replaces the object. Lock on a `final Object` of its own.",
    example: {
      path: "src/Counter.java",
      bad: "class Counter {\n  private Integer count = 0;\n\n  void next() {\n    synchronized (count) {\n      count++;\n    }\n  }\n}\n",
      good: "class Counter {\n  private final Object lock = new Object();\n  private Integer count = 0;\n\n  void next() {\n    synchronized (lock) {\n      count++;\n    }\n  }\n}\n"
    },
    cwe: [667, 821],
    yieldsTo: ["async_concurrency.lock_guards_nothing"],
    confidence: 0.88
  }),
  equals_without_hash_code: certain({
    languages: ["java"],
    title: "`equals` without `hashCode`",
    description:
      "Equal objects are not found in hash maps and sets. Both methods have to agree, and only `equals` is overridden. Override " +
      "`hashCode` with the same fields.",
    example: {
      path: "src/Point.java",
      bad: "class Point {\n  int x;\n\n  @Override\n  public boolean equals(Object other) {\n    return other instanceof Point p && p.x == x;\n  }\n}\n",
      good: "class Point {\n  int x;\n\n  @Override\n  public boolean equals(Object other) {\n    return other instanceof Point p && p.x == x;\n  }\n\n  @Override\n  public int hashCode() {\n    return x;\n  }\n}\n"
    },
    cwe: [581],
    confidence: 0.8
  }),
  position_as_boolean: certain({
    languages: ["php"],
    title: "Position of a text used as a condition (`strpos`)",
    description:
      "A text at the very beginning counts as not found. `strpos` returns 0 there, which is false in a condition. Compare with " +
      "`!== false`, or use `str_contains`.",
    example: {
      path: "src/check.php",
      bad: '<?php\nif (strpos($path, "/admin")) {\n    deny();\n}\n',
      good: '<?php\nif (strpos($path, "/admin") !== false) {\n    deny();\n}\n'
    },
    cwe: [697],
    confidence: 0.62
  }),
  lock_dropped_at_once: certain({
    languages: ["rust"],
    title: "Lock released at once: guard bound to `_`",
    description:
      "The code after the line runs without the lock. The pattern `_` keeps nothing, so the guard is dropped in the same " +
      "statement. Bind it to a name such as `_guard`.",
    example: {
      path: "src/lib.rs",
      bad: "fn add(state: &Mutex<u32>) {\n    let _ = state.lock().unwrap();\n    write();\n}\n",
      good: "fn add(state: &Mutex<u32>) {\n    let _guard = state.lock().unwrap();\n    write();\n}\n"
    },
    cwe: [667]
  })
})
