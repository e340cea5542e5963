import { readFileSync } from "node:fs"
import ruff from "@astral-sh/ruff-wasm-nodejs"

/** Ruff over the files named on standard input, with the families of rules that are about bugs and security. */
const { PositionEncoding, Workspace } = ruff
const select = ["F", "B", "S", "PLE", "ASYNC", "DTZ"]
const workspace = new Workspace({ ...Workspace.defaultSettings(), lint: { select } }, PositionEncoding?.Utf16 ?? 1)
let found = 0
for (const path of readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line !== "")) {
  found += workspace.check(readFileSync(path, "utf8")).length
}
console.log(JSON.stringify({ found }))
