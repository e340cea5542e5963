import { Buffer } from "node:buffer"
import { assert, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { pathBytes, pathText } from "../../../src/engine/core/source/gitPath.ts"

const tricky = FastCheck.constantFrom("\\", "x", "f", "\\xff", "\\\\", "é", "/", "\u{1F600}")
const name = FastCheck.array(
  FastCheck.oneof(
    FastCheck.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
    tricky.map((text) => Buffer.from(text))
  ),
  { maxLength: 6 }
).map((parts) => Buffer.concat(parts))

it("any file name survives being written as text", () => {
  FastCheck.assert(
    FastCheck.property(name, (bytes) => {
      const { path, escaped } = pathText(bytes)
      assert.strictEqual(pathBytes(path).toString("hex"), bytes.toString("hex"))
      if (!escaped) assert.strictEqual(path, bytes.toString())
      assert.isFalse(path.includes("\uFFFD") && !bytes.includes("\uFFFD"))
    }),
    { numRuns: 2000 }
  )
})

it("ordinary names stay as they are, bytes that are not text are shown", () => {
  assert.deepStrictEqual(pathText(Buffer.from("src/é b.ts")), { path: "src/é b.ts", escaped: false })
  assert.deepStrictEqual(pathText(Buffer.from("a\\b")), { path: "a\\b", escaped: false })
  assert.deepStrictEqual(pathText(Buffer.from("61ff5cc3a9", "hex")), { path: "a\\xff\\\\é", escaped: true })
})
