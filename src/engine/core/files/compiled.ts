const script = /\.[cm]?js$/
/** How much of a file's beginning holds what compilers put before the program. */
const HEAD = 4_000

/** What the compilers of TypeScript, Babel and bundlers write and people do not. */
const compilerHead =
  /Object\.defineProperty\(exports, ["']__esModule["'], ?\{\s*value: ?(?:true|!0)|\b_interopRequire(?:Default|Wildcard)\(|= \(this && this\.__\w+\) \|\||\bvar __(?:defProp|commonJS|esm|toESM|create) = |__webpack_require__/
/** Functions that Babel puts into each module that needs them, and the packages that hold them otherwise. */
const helper =
  /\bfunction _(?:extends|inherits(?:Loose)?|objectWithoutProperties(?:Loose)?|classCallCheck|createClass|defineProperty|defineProperties|objectSpread2?|asyncToGenerator|(?:un)?[iI]terableToArray|toConsumableArray|slicedToArray|setPrototypeOf|getPrototypeOf|createForOfIteratorHelper(?:Loose)?|arrayLikeToArray|toPropertyKey|toPrimitive|possibleConstructorReturn|assertThisInitialized|taggedTemplateLiteral(?:Loose)?)\(|(?:\bfrom |\brequire\()["'](?:tslib|@babel\/runtime\/|@swc\/helpers|svelte\/internal|@stencil\/core\/internal)/
/** Markup is compiled to calls: of React, of its automatic runtime, of Vue and of Angular. */
const compiledMarkup =
  /\/\* ?[#@]__PURE__ ?\*\/ ?(?:React\.createElement|_?jsxs?|_react)\b|\bjsxs? as _jsxs?\b|\bopenBlock as _openBlock\b|ɵɵngDeclare|\/\*\* @class \*\/ \(function/
const mapLine = /^\/\/[#@] sourceMappingURL=\S+\s*$/

/** A map may be part of the line: then it is as long as the file. */
const lastLine = (text: string): string => {
  const written = text.trimEnd()
  return written.slice(written.lastIndexOf("\n") + 1)
}

/**
 * A script that a compiler or bundler wrote from other sources. What it does is true of the program, so weaknesses are
 * worth reporting; how it is written is no one's choice.
 */
export const isCompiledScript = (path: string, text: string): boolean => {
  if (!script.test(path)) return false
  const head = text.slice(0, HEAD)
  return (
    compilerHead.test(head) ||
    helper.test(head) ||
    mapLine.test(lastLine(text)) ||
    compiledMarkup.test(text) ||
    text.includes("commonjsGlobal = typeof globalThis")
  )
}
