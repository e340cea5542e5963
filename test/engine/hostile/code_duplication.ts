import { filled, type WorstCase } from "../../support/worstCase.ts"

const letters = "abcdefghijklmnopqrstuvwxyz"
/** Statements of which no two stretches are alike. */
const varied = (size: number): string => {
  let text = "function f(a) {\n"
  for (let i = 0; text.length < size; i++)
    text += `  if (a.${letters[i % 26]}${i} > ${i}) g${i % 97}(a.${letters[(i * 7) % 26]}${i * 31}, "${i}")\n`
  return `${text}}\n`
}

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: ["exact_clone", "copied_file"], path: "src/a.js", text: varied },
  {
    rules: ["renamed_clone"],
    path: "src/b.js",
    text: (size) => filled(size, "if (a.b) { c(d, 1, 'e') } else { f(g) }\n", ["function h() {\n", "}\n"])
  },
  {
    rules: ["exact_clone"],
    path: "src/c.py",
    text: (size) => filled(size, "def f(a):\n    return a if a else f(1)\n")
  },
  { rules: ["exact_clone"], path: "src/d.js", text: (size) => filled(size, "() => ({ a: [", ["const f = ", ""]) }
]
