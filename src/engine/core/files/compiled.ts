const script = /\.[cm]?js$/
/** How much of a file's beginning holds what compilers put before the program. */
const HEAD = 4_000
const TAIL = 300

/** What the compilers of TypeScript, Babel and bundlers write and people do not. */
const compilerHead =
  /Object\.defineProperty\(exports, ["']__esModule["'], ?\{\s*value: ?(?:true|!0)|\b_interopRequire(?:Default|Wildcard)\(|= \(this && this\.__\w+\) \|\||\bvar __(?:defProp|commonJS|esm|toESM|create) = |__webpack_require__/
const mapLine = /\/\/[#@] sourceMappingURL=\S+\s*$/

/**
 * A script that a compiler or bundler wrote from other sources. What it does is true of the program, so weaknesses are
 * worth reporting; how it is written is no one's choice.
 */
export const isCompiledScript = (path: string, text: string): boolean =>
  script.test(path) &&
  (compilerHead.test(text.slice(0, HEAD)) ||
    mapLine.test(text.slice(-TAIL)) ||
    text.includes("commonjsGlobal = typeof globalThis"))
