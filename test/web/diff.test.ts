import { assert, describe, it } from "@effect/vitest"
import { type DiffLine, parseDiff } from "../../web/src/parts/diff/parseDiff.ts"
import { sideRows } from "../../web/src/parts/diff/sides.ts"
import { changedWords, wordRanges } from "../../web/src/parts/diff/words.ts"

const patch = `diff --git a/src/logo.ts b/src/logo.ts
index 83db48f..bf2a9c1 100644
--- a/src/logo.ts
+++ b/src/logo.ts
@@ -53,4 +53,6 @@ fetchLogo
   const target = normalise(url)
+  if (!isPublic(target)) throw new Error("--- no")
+
-  const response = get(target)
+  const response = get(target, { redirect })
   return response
\\ No newline at end of file
`

const lines = (text: string): ReadonlyArray<DiffLine> => parseDiff(text)?.[0]?.hunks[0]?.lines ?? []

describe("a unified diff", () => {
  it("has the numbers of its lines in both versions", () => {
    const [file] = parseDiff(patch) ?? []
    assert.strictEqual(file?.path, "src/logo.ts")
    assert.deepStrictEqual([file?.change, file?.added, file?.removed], ["changed", 3, 1])
    assert.deepStrictEqual(
      lines(patch).map(({ before, after }) => [before, after]),
      [
        [53, 53],
        [null, 54],
        [null, 55],
        [54, null],
        [null, 56],
        [55, 57]
      ]
    )
  })

  it("is understood without git's own lines", () => {
    const [file] = parseDiff(patch.split("\n").slice(2).join("\n")) ?? []
    assert.deepStrictEqual([file?.path, file?.added], ["src/logo.ts", 3])
  })

  it("names new, deleted, renamed and binary files", () => {
    const files = parseDiff(
      [
        "diff --git a/new file.ts b/new file.ts",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/new file.ts",
        "@@ -0,0 +1 @@",
        "+a",
        "diff --git a/old.ts b/old.ts",
        "deleted file mode 100644",
        "--- a/old.ts",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-a",
        "diff --git a/a.ts b/b.ts",
        "similarity index 100%",
        "rename from a.ts",
        "rename to b.ts",
        "diff --git a/a.png b/a.png",
        "index 1..2 100644",
        "Binary files a/a.png and b/a.png differ",
        ""
      ].join("\n")
    )
    assert.deepStrictEqual(
      files?.map(({ path, change, previousPath }) => [path, change, previousPath]),
      [
        ["new file.ts", "added", null],
        ["old.ts", "removed", null],
        ["b.ts", "renamed", "a.ts"],
        ["a.png", "changed", null]
      ]
    )
  })

  it.each(["", "Use a parameter instead.", "@@ not a hunk", "diff --git", "--- a\n+++ b", "@@ -1 +1 @@\n\\ x", "\0"])(
    "is not read into another text: %j",
    (text) => {
      assert.isNull(parseDiff(text))
    }
  )

  it("that was cut off is shown as far as it goes", () => {
    const [file] = parseDiff(patch.slice(0, patch.indexOf("response = get(target)"))) ?? []
    assert.strictEqual(file?.removed, 1)
  })

  it("marks the words that changed between a line and what took its place", () => {
    const hunk = lines(patch)
    const ranges = wordRanges(hunk)
    // The removed line stands between two blocks of added ones; the block that follows it replaces it.
    const marked = (index: number) => ranges.get(index)?.map(({ from, to }) => hunk[index]?.text.slice(from, to))
    assert.deepStrictEqual(marked(3), [])
    assert.deepStrictEqual(marked(4)?.join("").trim(), ", { redirect }")
  })

  it("marks no words of lines that have nothing in common", () => {
    assert.isNull(changedWords("const a = 1", "return send(response, headers)"))
    assert.isNull(changedWords("a".repeat(5_000), `${"a".repeat(5_000)}b`))
  })

  it("sets what was removed beside what took its place", () => {
    const hunk = lines(`--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n-b\n-c\n+d\n`)
    assert.deepStrictEqual(sideRows(hunk), [
      { before: 0, after: 0 },
      { before: 1, after: 3 },
      { before: 2, after: null }
    ])
  })
})
