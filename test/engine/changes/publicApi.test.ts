import { assert, describe, it } from "vitest"
import { described, type Files } from "../../support/changes.ts"

interface Case {
  readonly base: Files
  readonly head: Files
  readonly renames?: Files
  readonly lost?: ReadonlyArray<string>
  readonly moved?: ReadonlyArray<string>
  readonly unread?: ReadonlyArray<string>
}

const edit = (path: string, base: string, head: string, rest: Omit<Case, "base" | "head"> = {}): Case => ({
  base: { [path]: base },
  head: { [path]: head },
  ...rest
})

const cases: Record<string, Case> = {
  "typescript: removed function, method, constant, interface member and enum member": edit(
    "src/a.ts",
    `export const K = 1, L = 2
export function f(a: string): void {}
export class C { m(a: number) {} private p() {} #q() {} _r() {} get g() { return 1 } static s() {} }
export interface I { a: string; b(x: number): void }
export enum E { A, B }
export namespace N { export const z = 1; export const y = 2 }
function inner() {}
`,
    `export const K = 1
export class C { get g() { return 1 } }
export interface I { a: string }
export enum E { A }
export namespace N { export const z = 1 }
`,
    { lost: ["L is gone", "f is gone", "C.m is gone", "C.s is gone", "I.b is gone", "E.B is gone", "N.y is gone"] }
  ),
  "typescript: required parameters added, and harmless edits": edit(
    "src/a.ts",
    `export function f(a: string) {}
export const g = (a: string, b?: number) => a
export class C { constructor(private x: number) {} m(...rest: number[]) {} n(a: string) {} }
export class D {}
export function o(a: string): void
export function o(a: number, b: number): void
export function o(a: unknown, b?: unknown) {}
`,
    `export function f(a: string, b: number) {}
export const g = (a: string, b: number) => a
export class C { constructor(private x: number, y = 2) {} m(...rest: number[]) {} n(a: string, b?: string, ...c: string[]) {} }
export class D { constructor(a: string) {} }
export function o(a: string): void
export function o(a: number, b: number): void
export function o(a: unknown, b?: unknown) {}
`,
    {
      lost: [
        "f requires 2 arguments instead of 1",
        "g requires 2 arguments instead of 1",
        "D.constructor requires 1 argument instead of 0"
      ]
    }
  ),
  "typescript: what becomes a re-export, or a star, is still there": {
    base: {
      "src/index.ts": `export const a = 1\nexport const b = 2\nexport const c = 3\n`,
      "src/d.ts": `export const d = 4\n`
    },
    head: {
      "src/index.ts": `export { a } from "./a.js"\nexport * from "./rest.js"\n`,
      "src/a.ts": `export const a = 1\n`,
      "src/rest.ts": `export const b = 2\nexport * from "./deep/index.js"\n`,
      "src/deep/index.ts": `export const c = 3\n`,
      "src/d.ts": `export const d = 4\n`
    }
  },
  "typescript: a name that leaves the entry is gone, even when another file has it": {
    base: { "src/index.ts": `export const a = 1\nexport const b = 2\n` },
    head: { "src/index.ts": `export const b = 2\n`, "src/inner.ts": `export const a = 1\n` },
    lost: ["a is gone"]
  },
  "typescript: a star that leaves the entry takes its names along": {
    base: { "src/index.ts": `export * from "./a"\nexport const b = 1\n`, "src/a.ts": `export const a = 1\n` },
    head: { "src/index.ts": `export const b = 1\n`, "src/a.ts": `export const a = 1\n` },
    lost: ["a is gone"]
  },
  "typescript: a name that moves between files is named": {
    base: {
      "src/a.ts": `export const one = 1\nexport function two(x: number) {}\n`,
      "src/b.ts": `export const three = 3\n`
    },
    head: {
      "src/a.ts": `export const one = 1\n`,
      "src/b.ts": `export const three = 3\nexport function two(x: number) {}\n`
    },
    moved: ["two: src/a.ts > src/b.ts"]
  },
  "typescript: a renamed file keeps its names": {
    base: { "src/a.ts": `export const one = 1\nexport const two = 2\n` },
    head: { "src/b.ts": `export const one = 1\n` },
    renames: { "src/a.ts": "src/b.ts" },
    lost: ["two is gone"]
  },
  "typescript: a star of a package may hold anything": edit(
    "src/a.ts",
    `export const a = 1\n`,
    `export * from "elsewhere"\n`,
    { unread: ["src/a.ts: whether it still has a only running it shows"] }
  ),
  "typescript: a member may be inherited": {
    base: { "src/a.ts": `export class A extends B { m() {} n() {} }\n`, "src/b.ts": `export class B { }\n` },
    head: { "src/a.ts": `export class A extends B { }\n`, "src/b.ts": `export class B { m() {} }\n` },
    lost: ["A.n is gone"]
  },
  "typescript: a member may be inherited from what did not change": edit(
    "src/a.ts",
    `import { B } from "./b"\nexport class A extends B { m() {} }\n`,
    `import { B } from "./b"\nexport class A extends B { }\n`,
    { unread: ["src/a.ts: A.m may be inherited from B"] }
  ),
  "javascript: CommonJS in its many forms": edit(
    "lib/a.js",
    `const util = require("./util")
function local(a) {}
exports.one = function (a) {}
module.exports.two = (a, b) => a
exports.three = exports.four = void 0
Object.defineProperty(exports, "five", { get: () => 5 })
exports.six = local
`,
    `const util = require("./util")
function local(a, b) {}
exports.one = function (a, b = 1) {}
exports.six = local
`,
    { lost: ["two is gone", "four is gone", "three is gone", "five is gone", "six requires 2 arguments instead of 1"] }
  ),
  "javascript: an object that is exported, with what is assigned to it later": edit(
    "lib/a.js",
    `var app = module.exports = {}
app.use = function (fn) {}
app.get = function (path) {}
function Foo() {}
Foo.prototype.bar = function () {}
`,
    `var app = module.exports = {}
app.use = function (fn) {}
`,
    { lost: ["get is gone"] }
  ),
  "javascript: a class that is the module": edit(
    "lib/a.js",
    `class Foo { a() {} b() {} }\nFoo.create = () => new Foo()\nmodule.exports = Foo\n`,
    `class Foo { a() {} }\nmodule.exports = Foo\n`,
    { lost: ["default.b is gone", "create is gone"] }
  ),
  "javascript: what CommonJS exports becomes a module's default export": edit(
    "lib/a.js",
    `module.exports = { one: (a) => a, two: 2, three: 3 }\n`,
    `export default { one: (a) => a, two: 2 }\n`,
    { lost: ["three is gone"] }
  ),
  "javascript: a class that moves behind a re-export keeps its members": {
    base: {
      "lib/a.js": `exports.C = C\nfunction C() {}\nC.prototype.m = function () {}\nC.prototype.n = function () {}\n`
    },
    head: { "lib/a.js": `exports.C = require("./c")\n`, "lib/c.js": `class C { m() {} }\nmodule.exports = C\n` },
    lost: ["C.n is gone"]
  },
  "javascript: helpers that define a property name it": edit(
    "lib/a.js",
    `var req = module.exports = {}\ndefineGetter(req, "ip", function () {})\nreq.get = function () {}\nreq.is = 1\n`,
    `var req = module.exports = {}\ndefineGetter(req, "ip", function () {})\nreq.get = function () {}\n`,
    { lost: ["is is gone"] }
  ),
  "python: private modules, attributes of objects, and imports that may fail": {
    base: {
      "pkg/_compat.py": "PY2 = True\n",
      "pkg/a.py":
        "try:\n    import ssl\nexcept ImportError:\n    ssl = None\nclass C(Exception):\n    name = None\n    def __str__(self): pass\n    def m(self): pass\n"
    },
    head: { "pkg/_compat.py": "", "pkg/a.py": "class C(Exception):\n    def f(self):\n        self.name = 1\n" },
    lost: ["C.m is gone"]
  },
  "python: functions, classes, methods, constants and parameters": edit(
    "pkg/a.py",
    `LIMIT = 3
_hidden = 1
def f(a, b=1): pass
def g(a, *args): pass
def k(a, *, b=1): pass
def _h(): pass
class C:
    K = 1
    def __init__(self, a): pass
    def m(self, a): pass
    def _n(self): pass
    @property
    def p(self): return 1
    @staticmethod
    def s(a): pass
`,
    `def f(a, b): pass
def g(a, *args): pass
def k(a, *, b): pass
class C:
    def __init__(self, a, b=2): pass
    def m(self, a, c): pass
    @staticmethod
    def s(a): pass
`,
    {
      lost: [
        "LIMIT is gone",
        "f requires 2 arguments instead of 1",
        "k requires 2 arguments instead of 1",
        "C.K is gone",
        "C.m requires 2 arguments instead of 1",
        "C.p is gone"
      ]
    }
  ),
  "python: a package hands on what it imports, and stars are followed": {
    base: {
      "pkg/__init__.py": `from .a import one\nfrom .b import *\nimport os\n`,
      "pkg/a.py": "one = 1\n",
      "pkg/b.py": "two = 2\n"
    },
    head: { "pkg/__init__.py": `from .c import two\n`, "pkg/a.py": "one = 1\n", "pkg/c.py": "two = 2\n" },
    lost: ["one is gone"],
    moved: ["two: pkg/b.py > pkg/c.py"]
  },
  "python: only what __all__ lists is public": edit(
    "pkg/a.py",
    `__all__ = ["a", "b"]\ndef a(): pass\ndef b(): pass\ndef c(): pass\n`,
    `__all__ = ["a"]\ndef a(): pass\ndef b(): pass\n`,
    { lost: ["b is gone"] }
  ),
  "go: exported names of a package, wherever in the folder": {
    base: {
      "pay/a.go": `package pay\nconst Max = 1\nvar V, w int\ntype T struct { F, g int }\ntype I interface { M(a int) }\nfunc (t *T) Do(x int) {}\nfunc (t *T) do() {}\nfunc F(a int) {}\nfunc Moved() {}\nfunc G(a ...int) {}\n`
    },
    head: {
      "pay/a.go": `package pay\ntype T struct { g int }\ntype I interface { }\nfunc F(a, b int) {}\nfunc G(a ...int) {}\n`,
      "pay/b.go": `package pay\nfunc Moved() {}\n`
    },
    lost: [
      "Max is gone",
      "V is gone",
      "T.F is gone",
      "I.M is gone",
      "T.Do is gone",
      "F requires 2 arguments instead of 1"
    ],
    moved: ["Moved: pay/a.go > pay/b.go"]
  },
  "go: another folder is another package": {
    base: { "pay/a.go": "package pay\nfunc F() {}\n" },
    head: { "money/a.go": "package money\nfunc F() {}\n" },
    renames: { "pay/a.go": "money/a.go" },
    lost: ["F is gone"]
  },
  "go: programs and internal packages export nothing": {
    base: { "cmd/x/main.go": "package main\nfunc F() {}\n", "internal/p/a.go": "package p\nfunc F() {}\n" },
    head: { "cmd/x/main.go": "package main\n", "internal/p/a.go": "package p\n" }
  },
  "java: public and protected members, overloads and constructors": edit(
    "src/main/java/p/Foo.java",
    `package p;
public class Foo { public static final int K = 1; int own; public Foo(int a) {} public void m(int a) {} public void m(int a, int b) {} protected void q() {} private void r() {} public void v(String... s) {} }
interface Hidden { void x(); }
`,
    `package p;
public class Foo { public Foo(int a, int b) {} public void m(int a, int b) {} public void v(String... s) {} }
`,
    {
      lost: [
        "Foo.K is gone",
        "Foo.constructor requires 2 arguments instead of 1",
        "Foo.m requires 2 arguments instead of 1",
        "Foo.q is gone"
      ]
    }
  ),
  "java: another package is another name": {
    base: { "src/main/java/p/Foo.java": "package p;\npublic class Foo { public void m() {} }\n" },
    head: { "src/main/java/q/Foo.java": "package q;\npublic class Foo { public void m() {} }\n" },
    renames: { "src/main/java/p/Foo.java": "src/main/java/q/Foo.java" },
    lost: ["Foo is gone"]
  },
  "java: records, enums and interfaces": edit(
    "src/main/java/p/All.java",
    "package p;\npublic record All(int a, int b) {}\nenum Own { A }\n",
    "package p;\npublic record All(int a) {}\n",
    { lost: ["All.constructor takes at most 1 argument instead of 2", "All.b is gone"] }
  ),
  "csharp: members of namespaces": edit(
    "src/Foo.cs",
    `namespace N.M;
public class Foo { public const int K = 1; public string P { get; set; } public void M(int a, string b = "x") {} internal void I() {} private protected void Z() {} public void V(params int[] c) {} }
public enum E { A, B }
internal class Hidden { public void M() {} }
`,
    `namespace N.M;
public class Foo { public void M(int a, string b) {} public void V(params int[] c) {} }
public enum E { A }
`,
    {
      lost: ["N.M.Foo.K is gone", "N.M.Foo.P is gone", "N.M.Foo.M requires 2 arguments instead of 1", "N.M.E.B is gone"]
    }
  ),
  "php: functions, classes, interfaces, traits and enums": edit(
    "src/Foo.php",
    `<?php
namespace App;
const K = 1;
function f(int $a) {}
class Foo { const A = 1; public $p; private $q; public function m($a) {} function n() {} private function r() {} }
enum E { case A; case B; }
`,
    `<?php
namespace App;
function f(int $a, int $b) {}
class Foo { public function m($a, $b = 1) {} }
enum E { case A; }
`,
    {
      lost: [
        "App\\K is gone",
        "App\\f requires 2 arguments instead of 1",
        "App\\Foo::A is gone",
        "App\\Foo::$p is gone",
        "App\\Foo::n is gone",
        "App\\E::B is gone"
      ]
    }
  ),
  "ruby: visibility of methods, and classes that several files open": {
    base: {
      "lib/a.rb": `module A
  class B
    LIMIT = 1
    attr_reader :x
    def initialize(a); end
    def m(a); end
    def self.s; end
    def n; end
    private
    def p; end
  end
end
`
    },
    head: {
      "lib/a.rb": `module A
  class B
    def initialize(a, b); end
    def m(a, b:); end
    private def n; end
  end
end
`,
      "lib/b.rb": `module A
  class B
    def self.s; end
  end
end
`
    },
    lost: [
      "A::B::LIMIT is gone",
      "A::B#x is gone",
      "A::B.new requires 2 arguments instead of 1",
      "A::B#m requires 2 arguments instead of 1",
      "A::B#n is gone"
    ],
    moved: []
  },
  "rust: public items, their fields, variants and methods": edit(
    "src/lib.rs",
    `pub const K: i32 = 1;
pub fn f(a: i32) {}
pub(crate) fn g() {}
pub struct S { pub a: i32, b: i32 }
pub enum E { A, B }
pub trait T { fn m(&self); }
impl S { pub fn new() -> Self { S { a: 1, b: 2 } } fn p(&self) {} }
impl T for S { fn m(&self) {} }
pub use other::Thing;
`,
    `pub fn f(a: i32, b: i32) {}
pub struct S { b: i32 }
pub enum E { A }
pub trait T { }
impl S { }
pub mod m { pub fn x() {} }
`,
    {
      lost: [
        "K is gone",
        "f requires 2 arguments instead of 1",
        "S::a is gone",
        "E::B is gone",
        "T::m is gone",
        "S::new is gone",
        "Thing is gone"
      ]
    }
  ),
  "c: headers declare what others call": {
    base: {
      "include/a.h": `#ifndef A_H\n#define A_H\n#define MAX 10\nstruct s { int a; };\ntypedef struct s s_t;\nenum e { X, Y };\nint f(int a);\nchar *p(void);\nint v(const char *m, ...);\n#endif\n`,
      "src/a.c": "int f(int a) { return a; }\nint own(void) { return 1; }\n"
    },
    head: {
      "include/a.h": `#ifndef B_H\n#define B_H\nstruct s { int b; };\nenum e { X };\nint f(int a, int b);\nint v(const char *m, ...);\n#endif\n`,
      "src/a.c": ""
    },
    lost: [
      "MAX is gone",
      "s::a is gone",
      "s_t is gone",
      "Y is gone",
      "f requires 2 arguments instead of 1",
      "p is gone"
    ]
  },
  "c++: public members of classes": edit(
    "include/a.hpp",
    `namespace n {\nclass Foo { int own(); public: Foo(int a); void m(int a); private: void p(); };\ntemplate <typename T> struct S { void a(); };\nusing Al = int;\n}\n`,
    `namespace n {\nclass Foo { public: Foo(int a, int b = 2); private: void m(int a); };\ntemplate <typename T> struct S { };\n}\n`,
    { lost: ["n::Foo::m is gone", "n::S::a is gone", "n::Al is gone"] }
  ),
  "shell: functions of a script": edit("lib/a.sh", "foo() { :; }\n_p() { :; }\n", "bar() { :; }\n", {
    lost: ["foo is gone"]
  }),
  "a language without rules, a contract and a component are not compared": {
    base: {
      "src/a.kt": "fun f() {}\n",
      "api/a.proto": "message A {}\n",
      "src/a.vue": "<script>export default {}</script>\n",
      "src/a.css": "a {}\n"
    },
    head: { "src/a.kt": "\n" },
    unread: [
      "src/a.kt: no rules for Kotlin",
      "api/a.proto: no rules for interface definitions",
      "src/a.vue: no rules for Vue"
    ]
  },
  "tests, examples and generated code export nothing": {
    base: {
      "test/a.test.ts": "export const a = 1\n",
      "examples/a.ts": "export const a = 1\n",
      "dist/a.js": "exports.a = 1\n",
      "vendor/a.go": "package a\nfunc F() {}\n",
      "src/b.ts": ""
    },
    head: { "src/b.ts": "" }
  },
  "a deleted file loses all of its names": {
    base: { "src/a.ts": "export const a = 1\nexport class B { m() {} }\n" },
    head: {},
    lost: ["a is gone", "B is gone"]
  },
  "syntax errors leave a name in doubt that the text still has": edit(
    "src/a.ts",
    "export const a = 1\nexport const b = 2\n",
    "export const x = (a\nexport function\n",
    { lost: ["b is gone"], unread: ["src/a.ts: it has syntax errors, and may still have a"] }
  ),
  "a line of 200 KB is read, or said not to be": edit(
    "src/a.ts",
    "export const a = 1\n",
    `export const a = "${"x".repeat(200_000)}"\n`,
    {
      unread: ["src/a.ts: its lines are too long to have been written by hand"]
    }
  ),
  "line ends of Windows change nothing": edit(
    "src/a.ts",
    "export const a = 1\nexport function f() {}\n",
    "export const a = 1\r\nexport function f() {}\r\n"
  )
}

describe("the public API of a change", () => {
  it.each(Object.entries(cases))("%s", async (_, { base, head, renames, lost = [], moved = [], unread = [] }) => {
    const { api } = await described(base, head, renames)
    assert.deepStrictEqual(
      {
        lost: api.lost.map(({ name, loss }) => `${name} ${loss}`),
        moved: api.moved.map(({ name, from, to }) => `${name}: ${from} > ${to}`),
        unread: api.unread.map(({ path, reason }) => `${path}: ${reason}`)
      },
      { lost: [...lost], moved: [...moved], unread: [...unread] }
    )
  })

  it("names the line of what is gone at the base", async () => {
    const { api } = await described({ "src/a.ts": "\n\nexport const a = 1\n" }, { "src/a.ts": "\n" })
    assert.deepStrictEqual(api.lost, [{ path: "src/a.ts", line_start: 3, line_end: 3, name: "a", loss: "is gone" }])
    assert.deepStrictEqual([api.files, api.names], [["src/a.ts"], 1])
  })
})
