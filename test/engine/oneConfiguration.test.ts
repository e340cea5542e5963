import { assert, describe, it } from "vitest"
import { languageOf } from "../../src/engine/core/files/Language.ts"
import { oneConfiguration } from "../../src/engine/languages/tree/oneConfiguration.ts"

/** The lines that remain, without those that are blank. */
const kept = (text: string, language: "c" | "cpp" = "c"): ReadonlyArray<string> => {
  const source = oneConfiguration(text, language)
  assert.strictEqual(source.length, text.length)
  assert.deepStrictEqual(source.match(/\n/g), text.match(/\n/g))
  return source.split("\n").filter((line) => line.trim() !== "")
}

describe("C is read as one compilation sees it", () => {
  it("of the branches of a condition the one with more code is read", () => {
    assert.deepStrictEqual(kept("#ifdef A\none();\ntwo();\n#else\nother();\n#endif\nend();\n"), [
      "one();",
      "two();",
      "end();"
    ])
    assert.deepStrictEqual(kept("#ifdef A\none();\n#else\nother();\nmore();\n#endif\n"), ["other();", "more();"])
  })

  it("a condition holds everywhere or nowhere", () => {
    const text =
      "#ifdef A\none();\ntwo();\nthree();\n#endif\n#ifndef A\nfour();\n#endif\n#if defined(A)\nfive();\n#endif\n"
    assert.deepStrictEqual(kept(text), ["one();", "two();", "three();", "five();"])
  })

  it("#if 0 is not read, its #else is; guards of headers are", () => {
    assert.deepStrictEqual(kept("#if 0\nno();\nno();\n#else\nyes();\n#endif\n"), ["yes();"])
    assert.deepStrictEqual(kept("#ifndef A_H\n#define A_H\nint f(void);\n#endif /* A_H */\n"), [
      "#define A_H",
      "int f(void);"
    ])
  })

  it("C does not see what is for C++, and the other way round", () => {
    const text = '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n'
    assert.deepStrictEqual(kept(text), ["int f(void);"])
    assert.deepStrictEqual(kept(text, "cpp"), ['extern "C" {', "int f(void);"])
  })

  it("conditions inside of conditions follow them, and another platform's code is left out", () => {
    const text =
      "#ifdef A\na();\n#ifdef B\nb();\nb();\n#else\nc();\n#endif\n#endif\n#ifdef _WIN32\nw();\nw();\n#else\nu();\n#endif\n"
    assert.deepStrictEqual(kept(text), ["a();", "b();", "b();", "u();"])
  })

  it("directives in comments are comments, and a condition without an end is left alone", () => {
    assert.deepStrictEqual(kept("/*\n#if 0\n*/\nf();\n#endif\n"), ["/*", "#if 0", "*/", "f();", "#endif"])
    assert.deepStrictEqual(kept('char *s = "/*";\n#if 0\nno();\n'), ['char *s = "/*";', "#if 0", "no();"])
  })
})

describe("a header is C or C++ by what it contains", () => {
  const headers: ReadonlyArray<readonly [language: string, text: string]> = [
    ["c", "struct a { int class; };\n/* class of its own */\n"],
    ["c", '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n'],
    ["c", "#ifdef __cplusplus\nnamespace a {\nint g();\n}\n"],
    ["cpp", "#ifdef __cplusplus\n#endif\nclass A : public B {\n};\n"],
    ["cpp", "#include <string>\nint f(std::string s);\n"],
    ["cpp", "namespace a {\n}\n"],
    ["cpp", "template <typename T> T f(T t);\n"]
  ]
  it.each(headers)("%s: %j", (language, text) => {
    assert.strictEqual(languageOf("src/a.h", text), language)
  })
})
