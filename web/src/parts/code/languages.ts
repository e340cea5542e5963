import type { LanguageFn } from "highlight.js"

type Load = () => Promise<{ readonly default: LanguageFn }>

/** Grammars by the name they are registered under; each is a file of its own that is loaded when it is needed. */
const grammars = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  hcl: () => import("./hcl.ts"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  prisma: () => import("./prisma.ts"),
  protobuf: () => import("highlight.js/lib/languages/protobuf"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scala: () => import("highlight.js/lib/languages/scala"),
  scss: () => import("highlight.js/lib/languages/scss"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml")
} as const satisfies Readonly<Record<string, Load>>

export type Grammar = keyof typeof grammars

export const loadGrammar = (grammar: Grammar): Promise<{ readonly default: LanguageFn }> => grammars[grammar]()

/** Grammars that a grammar embeds. */
export const embedded: Readonly<Partial<Record<Grammar, ReadonlyArray<Grammar>>>> = {
  php: ["xml"],
  typescript: ["xml", "css", "graphql"],
  javascript: ["xml", "css", "graphql"],
  xml: ["css", "javascript"]
}

const byExtension: Readonly<Record<string, Grammar>> = {
  ...of("typescript", "ts mts cts tsx typescript"),
  ...of("javascript", "js mjs cjs jsx es6 javascript"),
  ...of("python", "py pyi pyw python bzl"),
  ...of("go", "go"),
  ...of("java", "java"),
  ...of("ruby", "rb rake gemspec ru ruby"),
  ...of("php", "php phtml php5"),
  ...of("csharp", "cs csx csharp"),
  ...of("rust", "rs rust"),
  ...of("sql", "sql ddl"),
  ...of("bash", "sh bash zsh ksh shell console"),
  ...of("dockerfile", "dockerfile containerfile"),
  ...of("yaml", "yaml yml"),
  ...of("json", "json jsonc json5 webmanifest"),
  ...of("xml", "html htm xhtml xml svg vue svelte"),
  ...of("css", "css"),
  ...of("scss", "scss sass less"),
  ...of("hcl", "tf tfvars hcl terraform"),
  ...of("kotlin", "kt kts kotlin"),
  ...of("scala", "sc scala"),
  ...of("swift", "swift"),
  ...of("c", "c h"),
  ...of("cpp", "cc cpp cxx hpp hh hxx c++ h++ ipp tpp inl"),
  ...of("ini", "toml ini cfg"),
  ...of("graphql", "graphql gql"),
  ...of("protobuf", "proto protobuf"),
  ...of("prisma", "prisma"),
  ...of("makefile", "mk make makefile"),
  ...of("markdown", "md mdx markdown")
}

const byName: Readonly<Record<string, Grammar>> = {
  ...of("makefile", "gnumakefile"),
  ...of("ruby", "rakefile gemfile vagrantfile podfile fastfile"),
  ...of("bash", ".bashrc .bash_profile .profile .zshrc"),
  ...of("json", ".babelrc .eslintrc .prettierrc composer.lock pipfile.lock"),
  ...of("ini", "pipfile poetry.lock cargo.lock"),
  ...of("javascript", "jakefile"),
  ...of("python", "build.bazel wscript sconstruct")
}

function of<Name extends Grammar>(grammar: Name, words: string): Readonly<Record<string, Name>> {
  return Object.fromEntries(words.split(" ").map((word) => [word, grammar]))
}

const known = (names: Readonly<Record<string, Grammar>>, name: string): Grammar | null =>
  Object.hasOwn(names, name) ? names[name]! : null

/** The grammar of a file by its path, or of a fenced block by the word behind its fence; null where none is known. */
export const grammarOf = (path: string): Grammar | null => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  if (/^(?:dockerfile|containerfile)(?:[.-]|$)/.test(name)) return "dockerfile"
  return known(byName, name) ?? known(byExtension, name.slice(name.lastIndexOf(".") + 1))
}
