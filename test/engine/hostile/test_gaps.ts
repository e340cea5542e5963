import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["untested_complex_file"],
    path: "src/a.py",
    text: (size) => filled(size, "def f(a):\n    if a and b or c:\n        return 1\n")
  },
  { rules: ["untested_sensitive_module"], path: "test/a.test.ts", text: (size) => filled(size, "a1 bb2 ccc3 ") }
]
