import { filled, type WorstCase } from "../../support/worstCase.ts"

const numbered = (size: number, line: (i: number) => string): string => {
  let text = ""
  for (let i = 0; text.length < size; i++) text += line(i)
  return text
}

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["unused_import"],
    path: "src/a.ts",
    text: (size) => numbered(size, (i) => `import { a${i} } from "./m${i}"\n`)
  },
  {
    rules: ["unused_import"],
    path: "src/b.py",
    text: (size) => `from a import (${numbered(size, (i) => `n${i},\n`)})\n`
  },
  {
    rules: ["unreferenced_private"],
    path: "src/c.go",
    text: (size) => `package a\n${numbered(size, (i) => `func f${i}() {}\n`)}`
  },
  { rules: ["unreferenced_private"], path: "src/d.py", text: (size) => filled(size, "getattr(a, ") },
  {
    rules: ["unused_export"],
    path: "src/e.ts",
    text: (size) => numbered(size, (i) => `export const e${i} = () => 1\n`)
  },
  { rules: ["commented_out_code"], path: "src/f.js", text: (size) => filled(size, "// a(b);\n") },
  {
    rules: ["commented_out_code"],
    path: "src/g.js",
    text: (size) => filled(size, "// a(b);\n// c = {;\n// if (a) {\n// d(e);\n// f(g);\n\n")
  },
  {
    rules: ["commented_out_code"],
    path: "src/h.java",
    text: (size) => filled(size, "a.", ["/*\n", "\n\n\n\n\n*/ class A {}"])
  }
]
