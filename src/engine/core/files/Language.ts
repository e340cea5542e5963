import { baseName } from "../text/paths.ts"
export const languages = [
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "java",
  "ruby",
  "php",
  "csharp",
  "rust",
  "sql",
  "shell",
  "dockerfile",
  "yaml",
  "json",
  "html",
  "css",
  "scss",
  "vue",
  "terraform",
  "kotlin",
  "scala",
  "swift",
  "c",
  "cpp",
  "toml",
  "xml",
  "graphql",
  "proto",
  "prisma",
  "make",
  "markdown",
  "text"
] as const
export type Language = (typeof languages)[number]

/** Name of the grammar (`grammars/tree-sitter-<name>.wasm`) that parses a language; a language without one has text rules only. */
const grammars: Partial<Record<Language, string>> = {
  typescript: "typescript",
  tsx: "tsx",
  javascript: "javascript",
  python: "python",
  go: "go",
  java: "java",
  ruby: "ruby",
  php: "php",
  csharp: "c_sharp",
  c: "c",
  cpp: "cpp",
  rust: "rust",
  sql: "sql",
  shell: "bash",
  dockerfile: "dockerfile",
  yaml: "yaml",
  json: "json",
  html: "html",
  css: "css",
  terraform: "terraform"
}

export const grammarOf = (language: Language): string | null => grammars[language] ?? null

const byExtension: Record<string, Language> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  es6: "javascript",
  py: "python",
  pyi: "python",
  pyw: "python",
  go: "go",
  java: "java",
  rb: "ruby",
  rake: "ruby",
  gemspec: "ruby",
  ru: "ruby",
  php: "php",
  phtml: "php",
  php5: "php",
  cs: "csharp",
  csx: "csharp",
  rs: "rust",
  sql: "sql",
  ddl: "sql",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  ksh: "shell",
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  yaml: "yaml",
  yml: "yaml",
  json: "json",
  jsonc: "json",
  json5: "json",
  webmanifest: "json",
  html: "html",
  htm: "html",
  xhtml: "html",
  css: "css",
  scss: "scss",
  sass: "scss",
  less: "scss",
  vue: "vue",
  tf: "terraform",
  tfvars: "terraform",
  hcl: "terraform",
  kt: "kotlin",
  kts: "kotlin",
  sc: "scala",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  hh: "cpp",
  hxx: "cpp",
  "c++": "cpp",
  "h++": "cpp",
  ipp: "cpp",
  tpp: "cpp",
  inl: "cpp",
  toml: "toml",
  xml: "xml",
  graphql: "graphql",
  gql: "graphql",
  proto: "proto",
  prisma: "prisma",
  mk: "make",
  md: "markdown",
  mdx: "markdown",
  markdown: "markdown"
}

const byName: Record<string, Language> = {
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  makefile: "make",
  gnumakefile: "make",
  rakefile: "ruby",
  gemfile: "ruby",
  vagrantfile: "ruby",
  podfile: "ruby",
  fastfile: "ruby",
  ".bashrc": "shell",
  ".bash_profile": "shell",
  ".profile": "shell",
  ".zshrc": "shell",
  ".babelrc": "json",
  ".eslintrc": "json",
  ".prettierrc": "json",
  "composer.lock": "json",
  "pipfile.lock": "json",
  pipfile: "toml",
  "poetry.lock": "toml",
  "cargo.lock": "toml",
  jakefile: "javascript",
  "build.bazel": "python",
  wscript: "python",
  sconstruct: "python"
}

const byInterpreter: ReadonlyArray<readonly [RegExp, Language]> = [
  [/\b(?:bash|sh|dash|zsh|ksh)\b/, "shell"],
  [/\bpython[\d.]*\b/, "python"],
  [/\b(?:node|nodejs)\b/, "javascript"],
  [/\b(?:deno|bun|ts-node|tsx)\b/, "typescript"],
  [/\bruby\b/, "ruby"],
  [/\bphp\b/, "php"]
]

const fromInterpreter = (head: string): Language | null => {
  if (!head.startsWith("#!")) return null
  const line = head.slice(2, 200).split("\n", 1)[0]!
  return byInterpreter.find(([pattern]) => pattern.test(line))?.[1] ?? null
}

const onlyCpp =
  /^[ \t]*(?:class\s+\w+(?:\s+final)?\s*[:{]|namespace\s+[\w:]+\s*\{|namespace\s+\w+\s*$|template\s*<|using\s+namespace\s|(?:public|private|protected)\s*:|#[ \t]*include[ \t]*<(?:algorithm|array|atomic|chrono|cstddef|cstdint|cstdlib|cstring|deque|functional|iostream|list|map|memory|mutex|optional|ostream|set|sstream|string|string_view|tuple|type_traits|unordered_map|utility|vector)>)/m

/** A header is one of C++ when it contains what C has not, outside of what it hides from C. */
const isCppHeader = (text: string): boolean => {
  const found = onlyCpp.exec(text)
  if (found === null) return false
  const previous = text.slice(0, found.index)
  const hidden = previous.lastIndexOf("__cplusplus")
  return hidden < 0 || /#[ \t]*endif/.test(previous.slice(hidden))
}

/** `head` is the beginning of the content, when known: a script without extension is recognised by its interpreter line. */
export const languageOf = (path: string, head = ""): Language => {
  const name = baseName(path).toLowerCase()
  const named = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (named !== undefined) return named
  if (
    /^(?:dockerfile|containerfile)[.-][\w.-]+$/.test(name) &&
    !/\.(?:dockerignore|py|js|ts|go|rb|sh|md|ya?ml|json|txt|vim|tmlanguage)$/.test(name)
  ) {
    return "dockerfile"
  }
  const dot = name.lastIndexOf(".")
  const extension = dot < 0 ? "" : name.slice(dot + 1)
  if (extension === "h" && isCppHeader(head)) return "cpp"
  // Translations of Qt end like TypeScript.
  if (extension === "ts" && /^\s*<(?:\?xml|!DOCTYPE TS)\b/.test(head)) return "xml"
  if (extension !== "" && Object.hasOwn(byExtension, extension)) return byExtension[extension]!
  return dot <= 0 ? (fromInterpreter(head) ?? "text") : "text"
}
