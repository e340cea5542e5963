import { assert, describe, it } from "@effect/vitest"
import { type FileRole, roleByPath } from "../../src/engine/core/files/FileRole.ts"
import { layoutOf } from "../../src/engine/core/files/TreeTerms.ts"

const roleIn = (paths: ReadonlyArray<string>, path: string): FileRole => roleByPath(path, layoutOf(paths))
const times = (count: number, path: (at: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => path(at + 1))
const product = ["Makefile", ...times(20, (at) => `src/pass${String.fromCharCode(96 + at)}.c`)]

describe("programs that tests read", () => {
  it("are cases with a folder and a description each, below a name that tests have, too", () => {
    const cases = ["array", "loop", "pointer", "struct", "union"].flatMap((name) => [
      `regression/core/${name}/main.c`,
      `regression/core/${name}/test.desc`
    ])
    assert.strictEqual(roleIn([...product, ...cases], "regression/core/loop/main.c"), "test")
    assert.strictEqual(roleIn([...product, ...cases], "src/passa.c"), "source")
  })

  it("are numbered, below such a name", () => {
    const numbered = times(6, (at) => `bugs/t000${at}.c`)
    assert.strictEqual(roleIn([...product, ...numbered], "bugs/t0003.c"), "test")
    const folders = times(6, (at) => `compliance/Array${at}/Main.java`)
    assert.strictEqual(roleIn([...product, ...folders], "compliance/Array2/Main.java"), "test")
  })

  it("are run by a script that lies among them, below such a name", () => {
    const programs = ["cast", "enum", "goto", "label", "switch"].map((name) => `validation/${name}.c`)
    assert.strictEqual(roleIn([...product, ...programs, "validation/test-suite"], "validation/enum.c"), "test")
    assert.strictEqual(roleIn([...product, ...programs], "validation/enum.c"), "source")
  })

  it("are the product where such a folder holds parts of one", () => {
    const methods = ["linear", "logistic", "ridge1", "ridge2", "lasso", "quantile"]
    for (const root of ["stats/regression", "src/main/java/org/acme/regression"]) {
      const files = methods.map((name) => `${root}/${name}.py`)
      assert.strictEqual(roleIn([...product, "stats/__init__.py", ...files], `${root}/ridge1.py`), "source")
    }
    const filters = ["email", "url", "date", "range", "length", "choice"].map((name) => `validation/${name}.ts`)
    assert.strictEqual(roleIn([...product, ...filters], "validation/email.ts"), "source")
    const inMain = times(6, (at) => `src/main/java/org/acme/validation/Rule${at}.java`)
    assert.strictEqual(roleIn([...product, ...inMain], inMain[0]!), "source")
  })

  it("are numbered in vain under any other name: so are migrations and revisions of a format", () => {
    const files = times(9, (at) => `lib/formats/v${at}.js`)
    assert.strictEqual(roleIn([...product, ...files], "lib/formats/v2.js"), "source")
  })

  it("have their expected output beside them, whatever the folder is called", () => {
    const names = ["cast", "enum", "goto", "label", "switch", "union", "while", "yield"]
    for (const beside of [".expected", ".stderr", ".c.out"]) {
      const files = names.flatMap((name) => [`cases-c/${name}.c`, `cases-c/${name}${beside}`])
      assert.strictEqual(roleIn([...product, ...files], "cases-c/enum.c"), "test", beside)
      const few = files.slice(0, 8)
      assert.strictEqual(roleIn([...product, ...few], "cases-c/enum.c"), "source", beside)
    }
    const folders = names.flatMap((name) => [`corpus/${name}/main.go`, `corpus/${name}/expected.txt`])
    assert.strictEqual(roleIn([...product, ...folders], "corpus/enum/main.go"), "test")
  })

  it("are what the repository is about where there is little else", () => {
    const names = ["cast", "enum", "goto", "label", "switch", "union", "while", "yield"]
    const solutions = names.flatMap((name) => [`solved/${name}.c`, `solved/${name}.out`])
    assert.strictEqual(roleIn(["Makefile", "run.c", ...solutions], "solved/enum.c"), "source")
  })

  it("are a kit for implementers, beside what it is for", () => {
    const files = times(3, (at) => `acme-tck/Check${"ABC"[at - 1]}.java`)
    assert.strictEqual(roleIn([...product, ...files], files[0]!), "test")
    assert.strictEqual(roleIn(files, files[0]!), "source")
  })

  it("lie in folders of cases, and in bundles that are named for tests", () => {
    assert.strictEqual(roleByPath("checkerTestCases/src/java/Bad.java"), "test")
    assert.strictEqual(roleByPath("org.acme.ui.tests.refactoring/resources/A.java"), "test")
    assert.strictEqual(roleByPath("lib/testcases/list.php"), "source")
    assert.strictEqual(roleByPath("org.acme.test.runner/Main.java"), "source")
  })
})

describe("classes that stand in for Java's own library", () => {
  const library = (root: string, names: ReadonlyArray<string>) => names.map((name) => `${root}/java/lang/${name}.java`)
  const small = ["Object", "String", "Throwable"]
  const own = times(12, (at) => `compiler/org/acme/Pass${at}.java`)

  it("are what a compiler's tests resolve names in", () => {
    const files = [...own, ...library("JCL/min/src", small)]
    assert.strictEqual(roleIn(files, "JCL/min/src/java/lang/String.java"), "fixture")
    assert.strictEqual(roleIn(files, "compiler/org/acme/Pass1.java"), "source")
  })

  it("are a product where programs run with them, or where there is little else", () => {
    const whole = [...own, ...library("classes", [...small, "Math", "System"])]
    assert.strictEqual(roleIn(whole, "classes/java/lang/String.java"), "source")
    const alone = library("emulation", small)
    assert.strictEqual(roleIn(alone, "emulation/java/lang/String.java"), "source")
  })
})
