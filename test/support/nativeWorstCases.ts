import { bufferRules } from "../../src/engine/rules/correctness_bugs/rules/buffers.ts"
import { memoryRules } from "../../src/engine/rules/correctness_bugs/rules/memory.ts"
import { nativeMistakeRules } from "../../src/engine/rules/correctness_bugs/rules/nativeMistakes.ts"
import { filled, type WorstCase } from "./worstCase.ts"

const inside =
  (unit: string, before = "void f(char *a, char *b, int n) {\nchar c[8]; int i; unsigned u;\n") =>
  (size: number) =>
    filled(size, unit, [before, "}\n"])

/** As many functions as fit, each as long as one may be. */
const functionsOf = (unit: string, each: number) => (size: number) =>
  filled(size, `void f(char *a, char *b, int n) {\nchar c[8]; int i;\n${unit.repeat(each)}}\n`)

const buffers = Object.keys(bufferRules)
const memory = Object.keys(memoryRules)
const mistakes = Object.keys(nativeMistakeRules)

/** Texts on which the rules of C and C++ would take longest. */
export const nativeWorstCases: ReadonlyArray<WorstCase> = [
  {
    rules: buffers,
    path: "src/copies.c",
    text: functionsOf("strcpy(c, a); strncpy(c, b, sizeof(c)); c[n] = 0;\n", 300)
  },
  {
    rules: buffers,
    path: "src/formats.c",
    text: functionsOf('sprintf(c, "%s", a); sscanf(a, "%s", c); printf(a);\n', 300)
  },
  { rules: buffers, path: "src/reads.c", text: functionsOf("n = read(0, c, sizeof(c)); c[n] = 0;\n", 900) },
  {
    rules: buffers,
    path: "src/format.c",
    text: (size) => `void f(char *a) { char c[8]; sprintf(c, "${"%".repeat(size)}", a); }\n`
  },
  { rules: buffers, path: "src/loops.c", text: inside("for (i = 0; i <= 8; i++) c[i] = c[i - 1];\n") },
  { rules: memory, path: "src/frees.c", text: inside("if (a == 0) free(a); else a = malloc(n);\n") },
  { rules: memory, path: "src/ifs.c", text: inside("if (a) {\n") },
  { rules: memory, path: "src/whiles.c", text: inside("while (n) { i = *a;\n") },
  { rules: memory, path: "src/labels.c", text: (size) => inside("goto end;\nx: a = b;\n")(size) },
  {
    rules: memory,
    path: "src/switch.c",
    text: inside("case 1: n = i; break;\n", "void f(int n) { int i; switch (n) {\n")
  },
  { rules: memory, path: "src/deletes.cc", text: functionsOf("p = new int[n]; delete p; free(p);\n", 300) },
  {
    rules: memory,
    path: "src/many.c",
    text: (size) =>
      `void f(void) {\n${Array.from({ length: size / 40 }, (_, i) => `int v${i}; v${i} = v${i + 1};`).join("\n")}\n}\n`
  },
  {
    rules: memory,
    path: "src/classes.cc",
    text: (size) => filled(size, "class A { virtual void f(); };\nclass B : public A { };\n")
  },
  {
    rules: mistakes,
    path: "src/calls.c",
    text: functionsOf("access(a, 1); setuid(n); memset(a, n, 0); strtok(a, b);\n", 200)
  },
  { rules: mistakes, path: "src/bits.c", text: inside("i = !n & 4 == 4 &\n") },
  { rules: mistakes, path: "src/compare.c", text: inside('if (u < 0 || a == "x" || strcmp(a, b) == 1);\n') },
  { rules: mistakes, path: "src/directives.c", text: (size) => filled(size, "#if A\n/*\n*/\n#else\n") },
  {
    rules: mistakes,
    path: "src/nested.c",
    text: (size) => `${"#if A\n".repeat(size / 14)}${"#endif\n".repeat(size / 14)}`
  },
  { rules: mistakes, path: "src/parentheses.c", text: inside("(", "int f(int a) { return ") }
]
