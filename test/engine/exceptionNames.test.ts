import { assert, describe, it } from "vitest"
import correctness from "../../src/engine/rules/correctness_bugs/tool.ts"
import { inspectProject } from "../support/audit.ts"

/** Confidences of the reports in a file; undefined is that of the rule. */
const reports = async (path: string, text: string): Promise<ReadonlyArray<number | undefined>> =>
  (await inspectProject(correctness, { [path]: text }))
    .filter(({ rule }) => rule === "exception_not_thrown")
    .map(({ confidence }) => confidence)

const inPython = (head: string, creation: string) =>
  reports("src/oven.py", `${head}\n\ndef bake(heat):\n    if heat > 300:\n        ${creation}\n    return heat\n`)
const inScript = (creation: string) =>
  reports("src/oven.js", `export function bake(heat) {\n  if (heat > 300) ${creation}\n  return heat\n}\n`)

describe("a class of exceptions, by its name", () => {
  it("is the plain Error and Exception as well", async () => {
    assert.deepStrictEqual(await inScript('new Error("too hot")'), [undefined])
    assert.deepStrictEqual(await inPython("", 'Exception("too hot")'), [undefined])
    assert.deepStrictEqual(await inPython("", "SystemExit(1)"), [undefined])
    assert.deepStrictEqual(await inScript("new Errors()"), [])
    assert.deepStrictEqual(await reports("src/a.js", "new Error()\n"), [])
  })

  it("is that of a framework that the file imports", async () => {
    assert.deepStrictEqual(await inPython("from django.http import Http404", 'Http404("no oven")'), [undefined])
    assert.deepStrictEqual(await inPython("import click", 'click.BadParameter("too hot")'), [undefined])
    const listed = "from fastapi import (\n    Depends,\n    HTTPException,\n)"
    assert.deepStrictEqual(await inPython(listed, 'HTTPException(400, "too hot")'), [undefined])
    assert.deepStrictEqual(await inPython("from pages import Http404", 'Http404("no oven")'), [])
    assert.deepStrictEqual(await inPython("from ovens import HeatError", 'HeatError("too hot")'), [0.6])
  })
})

describe("an exception in the constructor of a class", () => {
  const inClass = (base: string, method: string) =>
    reports("src/a.py", `class HeatError(${base}):\n    def ${method}(self, text):\n        LookupError(text)\n`)

  it("that derives from it is not meant to be thrown", async () => {
    assert.lengthOf(await inClass("LookupError", "__init__"), 0)
    assert.lengthOf(await inClass("LookupError", "cool"), 1)
    assert.lengthOf(await inClass("OSError", "__init__"), 1)
  })
})

describe("an exception without a message", () => {
  it("is meant to be thrown alone in a branch, or where something is missing", async () => {
    assert.lengthOf(await inScript("{ new RangeError() }"), 1)
    assert.lengthOf(await inScript("{ cool(); new RangeError() }"), 0)
    assert.lengthOf(await reports("src/a.py", "class A:\n    def bake(self):\n        NotImplementedError()\n"), 1)
    assert.lengthOf(await reports("src/a.py", "class A:\n    def bake(self):\n        ValueError()\n"), 0)
  })
})
