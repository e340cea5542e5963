import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["hotspot", "single_owner"],
    path: "src/a.py",
    text: (size) => filled(size, "def f(a):\n    if a and b or c:\n        return 1\n")
  },
  {
    rules: ["hotspot"],
    path: "src/b.js",
    text: (size) => filled(size, "if (a) {\n")
  },
  {
    rules: ["change_coupling"],
    path: "src/a.js",
    text: (size) => filled(size, 'import { a as b } from "../x/y/z.js"\n', ["const f = () => (a ? b : c)\n", ""])
  }
]
