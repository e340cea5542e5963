import { assert, describe, it } from "vitest"
import type { SourceFile } from "../../src/engine/core/files/SourceFile.ts"
import { literalValue } from "../../src/engine/languages/syntax/strings.ts"
import { assignments, calls, functions, imports } from "../../src/engine/languages/syntax/vocabulary.ts"
import { sourceFile } from "../support/audit.ts"

const summary = (file: SourceFile) => ({
  functions: functions(file).map(
    ({ name, parameters, isAsync }) =>
      `${isAsync ? "async " : ""}${name}(${parameters.map((p) => (p.type === null ? p.name : `${p.name}: ${p.type}`)).join(", ")})`
  ),
  calls: calls(file).map(
    ({ callee, receiver, method, args, named, isNew }) =>
      `${isNew ? "new " : ""}${callee} [${receiver}|${method}] ${args.length}${[...named.keys()].map((k) => ` ${k}=`).join("")}`
  ),
  imports: imports(file).map(
    ({ module, names }) => `${module}: ${names.map(({ imported, local }) => `${imported}>${local}`).join(" ")}`
  ),
  assignments: assignments(file).map(
    ({ target, name, value, operator }) => `${target} (${name}) ${operator} ${file.tree!.textOf(value)}`
  )
})

const cases: Record<string, { text: string; expected: ReturnType<typeof summary> }> = {
  "a.ts": {
    text: `import a, { b as c } from "x"
import type * as n from "./y"
const { f, g: h } = require("w")
export const k = async (p: string, q = 3) => this.db?.query(p)
class A { m(x: number): void { new Foo(x) } static handler = () => {} }
app.get("/x/:id", (req, res) => res.send(\`hi\`))
o.total += 1
export * from "./z"
`,
    expected: {
      functions: ["async k(p: string, q)", "m(x: number)", "handler()", 'app.get("/x/:id")(req, res)'],
      calls: [
        "require [null|require] 1",
        "this.db.query [this.db|query] 1",
        "new Foo [null|Foo] 1",
        "app.get [app|get] 2",
        "res.send [res|send] 1"
      ],
      imports: ["x: default>a b>c", "./y: *>n", "w: f>f g>h", "./z: "],
      assignments: [
        '{ f, g: h } (h) = require("w")',
        "k (k) = async (p: string, q = 3) => this.db?.query(p)",
        "handler (handler) = () => {}",
        "o.total (total) += 1"
      ]
    }
  },
  "a.py": {
    text: `import os.path as p, sys
from .m import c as d, e
class K:
    async def run(self, x: int, *rest, y=1):
        self.n = db.execute("a", timeout=3)
f = lambda z: z
cfg = {"key": 1}
`,
    expected: {
      functions: ["async run(self, x: int, rest, y)", "f(z)"],
      calls: ["db.execute [db|execute] 1 timeout="],
      imports: ["os.path: *>p", "sys: *>sys", ".m: c>d e>e"],
      assignments: [
        'self.n (n) = db.execute("a", timeout=3)',
        "timeout (timeout) = 3",
        "f (f) = lambda z: z",
        'cfg (cfg) = {"key": 1}',
        "key (key) = 1"
      ]
    }
  },
  "a.go": {
    text: `package m
import ( f "fmt"; "gopkg.in/yaml.v3" )
func (s *Srv) Do(ctx context.Context, a, b int) error {
	x, err := s.db.Query("q", a)
	go func() { f.Println(x) }()
	return err
}
var limit = 3
`,
    expected: {
      functions: ["Srv.Do(ctx: context.Context, a: int, b: int)", "null()"],
      calls: ["s.db.Query [s.db|Query] 2", "func() { f.Println(x) } [null|x] 0", "f.Println [f|Println] 1"],
      imports: ["fmt: *>f", "gopkg.in/yaml.v3: *>yaml"],
      assignments: ['s.db.Query("q", a)', 's.db.Query("q", a)', "3"].map(
        (value, i) => `${["x", "err", "limit"][i]} (${["x", "err", "limit"][i]}) = ${value}`
      )
    }
  },
  "A.java": {
    text: `import java.util.List;
import a.B.*;
class A {
  private int n = 3;
  public void m(@Param("q") String q, int... rest) { this.n = 4; db.run("x" + q, new Foo<>(1)); Runnable r = () -> go(); }
}
`,
    expected: {
      functions: ["m(q: String, rest)", "r()"],
      calls: ["db.run [db|run] 2", "new Foo [null|Foo] 1", "go [null|go] 0"],
      imports: ["java.util.List: List>List", "a.B: *>*"],
      assignments: ["n (n) = 3", "this.n (n) = 4", "r (r) = () -> go()"]
    }
  },
  "a.rb": {
    text: `require "x"
class A
  def m(a, k: 2)
    @v ||= Foo.new(1, deep: true)
    run "b"
  end
end
`,
    expected: {
      functions: ["m(a, k)"],
      calls: ["require [null|require] 1", "new Foo.new [Foo|new] 1 deep=", "run [null|run] 1"],
      imports: ["x: "],
      assignments: ["@v (@v) ||= Foo.new(1, deep: true)", "deep (deep) = true"]
    }
  },
  "a.php": {
    text: `<?php
use X\\Y as Z;
class A { public function m(int $a, $b = 1) { $x = $this->db->query($a, flag: 2); Foo::bar(1); strlen($x); return new Foo(2); } }
`,
    expected: {
      functions: ["m(a: int, b)"],
      calls: [
        "$this->db->query [$this->db|query] 1 flag=",
        "Foo::bar [Foo|bar] 1",
        "strlen [null|strlen] 1",
        "new Foo [null|Foo] 1"
      ],
      imports: ["X\\Y: Y>Z"],
      assignments: ["$x ($x) = $this->db->query($a, flag: 2)"]
    }
  },
  "a.cs": {
    text: `using System;
class A { public async Task M(string a, int b = 3) { var y = await db.Query<int>(a, limit: 2); y.Total = new Foo(1); } }
`,
    expected: {
      functions: ["async M(a: string, b: int)"],
      calls: ["db.Query<int> [db|Query] 1 limit=", "new Foo [null|Foo] 1"],
      imports: ["System: *>*"],
      assignments: ["y (y) = await db.Query<int>(a, limit: 2)", "y.Total (Total) = new Foo(1)"]
    }
  },
  "a.c": {
    text: `#include <stdio.h>
static int *find(const char *key, char **list, void (*visit)(int), int n[4], ...) { char b[8] = "x"; p->q[1] += f(g.h(1)); return 0; }
struct s v = { .size = 3 };
`,
    expected: {
      functions: ["find(key: const char *, list: char **, visit: void (*, n: int)"],
      calls: ["f [null|f] 1", "g.h [g|h] 1"],
      imports: ["stdio.h: *>*"],
      assignments: ['b (b) = "x"', "p->q[1] (1) += f(g.h(1))", "v (v) = { .size = 3 }", "size (size) = 3"]
    }
  },
  "a.cc": {
    text: `#include "own.h"
namespace n { class A { A() : x(1) {} virtual ~A(); void m(int a = 2) const { this->x = std::max<int>(a, 3); } }; }
std::string& n::A::get(const std::string& key) { auto f = [&](int q) { return new B(q); }; return map_->at(key); }
template <typename T> T id(T t) { for (auto& e : t) delete e; return t; }
`,
    expected: {
      functions: ["A()", "m(a: int)", "n.A.get(key: const std::string&)", "f(q: int)", "id(t: T)"],
      calls: ["std::max<int> [std|max] 2", "new B [null|B] 1", "map_->at [map_|at] 1"],
      imports: ["own.h: *>*"],
      assignments: ["this->x (x) = std::max<int>(a, 3)", "f (f) = [&](int q) { return new B(q); }"]
    }
  },
  "a.rs": {
    text: `use std::{fs, io::Read as R};
impl A { pub async fn m(&self, a: i32) { let x = format!("a{}", a); self.db.query(&x); Foo::new(1); } }
`,
    expected: {
      functions: ["async m(self, a: i32)"],
      calls: ["format! [null|format!] 2", "self.db.query [self.db|query] 1", "Foo::new [Foo|new] 1"],
      imports: ["std::fs: fs>fs", "std::io::Read: Read>R"],
      assignments: ['x (x) = format!("a{}", a)']
    }
  }
}

describe("languages share one vocabulary", () => {
  for (const [path, { text, expected }] of Object.entries(cases)) {
    it(path, async () => {
      const file = await sourceFile(path, text)
      assert.isFalse(file.tree!.hasError)
      assert.deepStrictEqual(summary(file), expected)
    })
  }
})

const firstValue = (file: SourceFile): number => assignments(file)[0]!.value

describe("strings", () => {
  it("a literal has a value, an interpolated one does not", async () => {
    const values: Record<string, ReadonlyArray<readonly [text: string, value: string | null]>> = {
      "a.ts": [
        ['x = "a\\n\\u0041"', "a\nA"],
        ["x = `plain`", "plain"],
        ["x = `a$" + "{b}`", null],
        ["x = (('p') as string)", "p"],
        ["x = y", null]
      ],
      "a.py": [
        ['x = "a" "b"', "ab"],
        ['x = r"\\d"', "\\d"],
        ['x = f"{a}"', null],
        ['x = """t"""', "t"]
      ],
      "a.go": [["package m\nvar x = `r\\n`", "r\\n"]],
      "A.java": [['class A { String x = "v"; }', "v"]],
      "a.rb": [
        ['x = "a#{b}"', null],
        ["x = 'v'", "v"]
      ],
      "a.php": [
        ['<?php $x = "a{$b}";', null],
        ["<?php $x = 'v';", "v"]
      ],
      "a.cs": [
        ['class A { string x = @"c:\\d"; }', "c:\\d"],
        ['class A { string x = $"{y}"; }', null]
      ],
      "a.c": [
        ['char *x = "a\\n" "b";', "a\nb"],
        ["char x = 'y';", null]
      ],
      "a.rs": [['fn f() { let x = r#"v"#; }', "v"]]
    }
    for (const [path, list] of Object.entries(values)) {
      for (const [text, value] of list) {
        const file = await sourceFile(path, text)
        assert.strictEqual(literalValue(file, firstValue(file)), value, `${path}: ${text}`)
      }
    }
  })
})

describe("symbols", () => {
  const symbols: ReadonlyArray<readonly [path: string, text: string, symbol: string | null]> = [
    ["a.ts", "class A { m() { return list.map((x) => HERE) } }", "A.m"],
    ["a.ts", 'app.get("/x", () => { HERE })', 'app.get("/x")'],
    ["a.ts", "const load = useCallback(() => { HERE })", "load"],
    ["a.ts", "module.exports = { start: function () { HERE } }", "start"],
    ["a.ts", "HERE", null],
    ["a.py", "class A:\n  def m(self):\n    HERE\n", "A.m"],
    ["a.go", "package m\nfunc (s *Srv) Do() { HERE() }", "Srv.Do"],
    ["A.java", "class A { void m() { HERE(); } }", "A.m"],
    ["a.rb", "module M\nclass A\ndef m\nHERE\nend\nend\nend", "M.A.m"],
    ["a.php", "<?php class A { function m() { HERE(); } }", "A.m"],
    ["a.cs", "namespace N { class A { void M() { HERE(); } } }", "A.M"],
    ["a.c", "static char *f(int a) { HERE; }", "f"],
    ["a.cc", "namespace n { class A { void m() { HERE(); } }; }", "n.A.m"],
    ["a.cc", "void A::m() { HERE(); }", "A.m"],
    ["a.rs", "impl Foo for Bar { fn m() { HERE; } }", "Bar.m"],
    ["ci.yml", "jobs:\n  build:\n    steps:\n      - run: HERE\n", "jobs.build.steps.run"],
    ["a.tf", 'resource "aws_x" "y" {\n  a = "HERE"\n}\n', "resource.aws_x.y"],
    ["a.sh", "deploy() {\n  HERE\n}\n", "deploy"]
  ]
  it("are the enclosing named scopes, in each language", async () => {
    for (const [path, text, symbol] of symbols) {
      const file = await sourceFile(path, text)
      assert.strictEqual(file.symbolAt(text.indexOf("HERE")), symbol, text)
    }
  })
})
