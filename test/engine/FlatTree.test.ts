import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { type Node, Parser } from "web-tree-sitter"
import type { Language } from "../../src/engine/core/files/Language.ts"
import { NONE } from "../../src/engine/languages/tree/FlatTree.ts"
import { grammarFor, prepareGrammars } from "../../src/engine/languages/tree/Grammar.ts"
import { parse } from "../../src/engine/languages/tree/Parser.ts"
import { sourceFile } from "../support/audit.ts"

const fixtures = join(import.meta.dirname, "../fixtures/audit/complexity")
const texts: ReadonlyArray<readonly [Language, string]> = [
  ["typescript", readFileSync(join(fixtures, "orders.ts"), "utf8")],
  ["python", readFileSync(join(fixtures, "inventory.py"), "utf8")],
  ["go", readFileSync(join(fixtures, "stock.go"), "utf8")],
  ["java", readFileSync(join(fixtures, "Ledger.java"), "utf8")],
  ["javascript", "const é𝒳 = '𝒳𝒳' // 𝒳\nconst b = `a$" + "{c}`\r\n(((broken"],
  ["yaml", "a:\n  - b: 1\n"],
  ["json", '{"a": [1, null]}'],
  ["css", ""],
  ["dockerfile", "FROM node:20 AS x\nRUN a && b\n"]
]

interface Row {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly parent: number
  readonly field: string | null
  readonly named: boolean
}

const rowsOf = (root: Node): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  const visit = (node: Node, parent: number, field: string | null): void => {
    const at = rows.length
    rows.push({ kind: node.type, start: node.startIndex, end: node.endIndex, parent, field, named: node.isNamed })
    node.children.forEach((child, i) => {
      if (child !== null) visit(child, at, node.fieldNameForChild(i))
    })
  }
  visit(root, NONE, null)
  return rows
}

describe("a flat tree", () => {
  for (const [language, text] of texts) {
    it(`says of ${language} what the parser's own nodes say`, async () => {
      await prepareGrammars([language])
      const flat = parse(text, language).tree!
      const parser = new Parser()
      parser.setLanguage(grammarFor(language)!.language)
      const tree = parser.parse(text)!
      const rows = rowsOf(tree.rootNode)
      assert.strictEqual(flat.size, rows.length)
      assert.strictEqual(flat.hasError, tree.rootNode.hasError)
      const found = rows.map((_, n) => ({
        kind: flat.kind(n),
        start: flat.start(n),
        end: flat.end(n),
        parent: flat.parent(n),
        field: flat.fieldOf(n),
        named: flat.isNamed(n)
      }))
      assert.deepStrictEqual(found, rows)
      for (let n = 0; n < flat.size; n++) {
        const children = rows.flatMap((row, c) => (row.parent === n ? [c] : []))
        assert.deepStrictEqual(flat.children(n), children)
        assert.strictEqual(flat.lastDescendant(n), lastOf(rows, n))
      }
      tree.delete()
      parser.delete()
    })
  }

  it("selects kinds in document order, and says where a node lies", async () => {
    const file = await sourceFile("a.ts", "f(g(1), () => { h() })\nclass A { m() { k() } }\n")
    const tree = file.tree!
    const calls = [...tree.of("call_expression")]
    assert.deepStrictEqual(
      calls.map((n) => tree.textOf(tree.child(n, "function"))),
      ["f", "g", "h", "k"]
    )
    assert.deepStrictEqual(
      [...tree.of("arrow_function", "method_definition", "class_declaration")].map((n) => tree.kind(n)),
      ["arrow_function", "class_declaration", "method_definition"]
    )
    const many = ["call_expression", "arrow_function", "identifier", "arguments", "class_declaration", "string"]
    assert.deepStrictEqual(
      [...tree.of(...many)],
      many.flatMap((kind) => [...tree.of(kind)]).sort((a, b) => a - b)
    )
    const arrow = tree.of("arrow_function")[0]!
    assert.deepStrictEqual([...tree.within(arrow, "call_expression")], [calls[2]])
    assert.strictEqual(tree.enclosing(calls[3]!, "class_declaration"), tree.of("class_declaration")[0])
    assert.isTrue(tree.contains(calls[0]!, calls[2]!) && !tree.contains(calls[0]!, calls[3]!))
    const k = file.text.indexOf("k()")
    assert.strictEqual(tree.textOf(tree.covering(k, k + 3)), "k()")
    // The keyword `class` has the name of a class expression.
    assert.strictEqual(tree.of("class").length, 0)
  })
})

const lastOf = (rows: ReadonlyArray<Row>, n: number): number => {
  let last = n
  for (let i = n + 1; i < rows.length && rows[i]!.parent >= n; i++) last = i
  return last
}

describe("a source file", () => {
  it("counts lines from 1, with any line ending", async () => {
    const file = await sourceFile("a.txt2", "one\r\ntwo\n\nfour")
    assert.deepStrictEqual(
      [0, 3, 5, 9, 10, 14].map((offset) => file.line(offset)),
      [1, 1, 2, 3, 4, 4]
    )
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5].map((line) => file.lineText(line)),
      ["one", "two", "", "four", ""]
    )
  })

  it("is not parsed when its lines are too long to be written by hand", async () => {
    const file = await sourceFile("a.js", `var a=${"1+".repeat(5_000)}1`)
    assert.isNull(file.tree)
    assert.isNotNull(file.parseSkipped)
    assert.strictEqual(file.role, "minified")
  })
})

const unclosed: ReadonlyArray<readonly [Language, string]> = (
  ["c", "java", "javascript", "go", "csharp", "css"] as const
).map((language) => [language, "/*\nx\n"])

describe("a text that the parser reads to its end again and again", () => {
  for (const [language, line] of [...unclosed, ["python", "\\\n"], ["python", " \\\n"], ["shell", "|a|\n"]] as const)
    it(`is given up: ${JSON.stringify(line)} in ${language}`, async () => {
      await prepareGrammars([language])
      const { tree, skipped } = parse(line.repeat(60_000), language)
      assert.isNull(tree)
      assert.match(skipped ?? "", /more work/)
    })

  it("is read where that is done at bounded cost", async () => {
    await prepareGrammars(["python", "shell"])
    assert.isNotNull(parse(`x = 1 + \\\n${"  1 + \\\n".repeat(2_000)}  1\n`, "python").tree)
    assert.isNotNull(parse(`x = 1 + \\\n${"\\\n".repeat(200)}  1\n`, "python").tree)
    assert.isNotNull(parse(`a \\\n${"  | b \\\n".repeat(2_000)}  | c\n|a|\n`, "shell").tree)
  })
})

describe("comments that are never closed", () => {
  it("may begin in strings, and the last one anywhere", async () => {
    await prepareGrammars(["javascript"])
    assert.isNotNull(parse(`${'watch("src/*")\n'.repeat(200)}/* to the end`, "javascript").tree)
    assert.isNotNull(parse("/*", "javascript").tree)
  })
})
