import { assert, describe, it } from "@effect/vitest"
import { languageOf, languages } from "../../src/engine/core/files/Language.ts"
import { highlight, load } from "../../web/src/parts/code/highlighter.ts"
import { grammarOf } from "../../web/src/parts/code/languages.ts"
import { quotedIn, spansOf } from "../../web/src/parts/code/spans.ts"
import { marked } from "../../web/src/parts/code/tokens.ts"

/** One file of each language that the engine knows, and a line in which something has a colour. */
const files: Readonly<Record<(typeof languages)[number], readonly [path: string, line: string] | null>> = {
  typescript: ["src/a.ts", "const a: string = 'b'"],
  tsx: ["src/a.tsx", "const a = <b>c</b>"],
  javascript: ["src/a.mjs", "const a = 1"],
  python: ["a.py", "def a(): return 1"],
  go: ["a.go", "func a() int { return 1 }"],
  java: ["A.java", "class A { int b = 1; }"],
  ruby: ["Gemfile", "gem 'rails'"],
  php: ["a.php", "<?php echo 'a';"],
  csharp: ["A.cs", "class A { int b = 1; }"],
  rust: ["a.rs", "fn a() -> u8 { 1 }"],
  sql: ["a.sql", "SELECT 1 FROM a"],
  shell: [".bashrc", "if true; then echo 1; fi"],
  dockerfile: ["Dockerfile.dev", "FROM node:20"],
  yaml: ["a.yml", "a: 1"],
  json: ["composer.lock", '{"a": 1}'],
  html: ["a.html", '<p class="a">b</p>'],
  css: ["a.css", ".a { color: red }"],
  scss: ["a.less", "$a: 1px; .b { c: $a }"],
  vue: ["a.vue", '<template><p class="a">b</p></template>'],
  terraform: ["a.tf", 'resource "aws_s3_bucket" "a" {'],
  kotlin: ["a.kt", "fun a() = 1"],
  scala: ["a.sc", "def a = 1"],
  swift: ["a.swift", "let a = 1"],
  c: ["a.h", "int a = 1;"],
  cpp: ["a.hpp", "class A { int b = 1; };"],
  toml: ["Cargo.lock", 'version = "1"'],
  xml: ["a.xml", '<a b="c"/>'],
  graphql: ["a.gql", "type A { b: String }"],
  proto: ["a.proto", 'syntax = "proto3";'],
  prisma: ["a.prisma", "model A {"],
  make: ["GNUmakefile", "A = $(shell b)"],
  markdown: ["a.mdx", "# A"],
  text: null
}

const textOf = (lines: ReturnType<typeof highlight>): string =>
  lines.map((tokens) => tokens.map(({ text }) => text).join("")).join("\n")

describe("code", () => {
  it.each(languages)("of the language %s has colours, and every character of it is shown", async (language) => {
    const example = files[language]
    if (example === null) {
      assert.isNull(grammarOf("a.txt"))
      return
    }
    const [path, line] = example
    assert.include([language, "text"], languageOf(path))
    const grammar = grammarOf(path)
    if (grammar === null) return assert.fail(`no grammar for ${path}`)
    await load(grammar)
    const lines = [line, "", `  ${line}`]
    const highlighted = highlight(grammar, lines)
    assert.isTrue(
      highlighted[0]?.some(({ kind }) => kind !== null),
      JSON.stringify(highlighted[0])
    )
    assert.strictEqual(textOf(highlighted), lines.join("\n"))
  })

  it("has a string over several lines in the colour of strings on each of them", async () => {
    await load("typescript")
    const lines = highlight("typescript", ["const a = `b", "c`"])
    assert.deepStrictEqual(lines[1], [{ text: "c`", kind: "string" }])
  })

  it("that is too long for colours is shown without", async () => {
    await load("typescript")
    const line = `const a = "${"b".repeat(3_000)}"`
    assert.deepStrictEqual(highlight("typescript", [line]), [[{ text: line, kind: null }]])
  })

  it("of an unknown language is shown as it is", () => {
    assert.isNull(grammarOf("LICENSE"))
    assert.deepStrictEqual(highlight(null, ["a", ""]), [[{ text: "a", kind: null }], []])
  })

  it("is marked across the ends of its pieces, and nothing is lost", () => {
    const pieces = marked(
      [
        { text: "const", kind: "keyword" },
        { text: " a = b", kind: null }
      ],
      [{ from: 3, to: 7 }]
    )
    assert.deepStrictEqual(
      pieces.map(({ text, marked: isMarked }) => [text, isMarked]),
      [
        ["con", false],
        ["st", true],
        [" a", true],
        [" = b", false]
      ]
    )
  })

  it("has its flagged words found as whole words only", () => {
    assert.deepStrictEqual(spansOf("exec(execute, exec)", ["exec"]), [
      { from: 0, to: 4 },
      { from: 14, to: 18 }
    ])
    assert.deepStrictEqual(quotedIn("`req.body` reaches `exec`, `req.body`"), ["req.body", "exec"])
  })
})
