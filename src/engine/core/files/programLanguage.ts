import { type Language, languageOf } from "./Language.ts"

/** Languages in which programs are written, as people call them. */
const named: Partial<Record<Language, string>> = {
  typescript: "TypeScript",
  tsx: "TypeScript",
  javascript: "JavaScript",
  python: "Python",
  go: "Go",
  java: "Java",
  ruby: "Ruby",
  php: "PHP",
  csharp: "C#",
  rust: "Rust",
  shell: "Shell",
  vue: "Vue",
  kotlin: "Kotlin",
  scala: "Scala",
  swift: "Swift",
  c: "C",
  cpp: "C++"
}

/** Of files that the engine knows as text only. */
const byExtension: Readonly<Record<string, string>> = {
  ada: "Ada",
  adb: "Ada",
  asm: "Assembly",
  bas: "Basic",
  clj: "Clojure",
  cljs: "Clojure",
  coffee: "CoffeeScript",
  cr: "Crystal",
  cob: "COBOL",
  cbl: "COBOL",
  d: "D",
  dart: "Dart",
  dpr: "Pascal",
  elm: "Elm",
  erl: "Erlang",
  ex: "Elixir",
  exs: "Elixir",
  f: "Fortran",
  f90: "Fortran",
  fs: "F#",
  gd: "GDScript",
  groovy: "Groovy",
  gradle: "Groovy",
  hs: "Haskell",
  hx: "Haxe",
  jl: "Julia",
  lisp: "Lisp",
  litcoffee: "CoffeeScript",
  lpr: "Pascal",
  ls: "LiveScript",
  lua: "Lua",
  m: "Objective-C",
  ml: "OCaml",
  mli: "OCaml",
  mm: "Objective-C",
  nim: "Nim",
  pas: "Pascal",
  pl: "Perl",
  pm: "Perl",
  ps1: "PowerShell",
  psm1: "PowerShell",
  r: "R",
  rkt: "Racket",
  s: "Assembly",
  scm: "Scheme",
  sol: "Solidity",
  svelte: "Svelte",
  sv: "SystemVerilog",
  tcl: "Tcl",
  v: "Verilog",
  vala: "Vala",
  vb: "Visual Basic",
  vhd: "VHDL",
  zig: "Zig"
}

/** The name of the language that a program is written in; null for what is no program, or unknown. */
export const programLanguage = (path: string, language: Language): string | null => {
  const name = named[language]
  if (name !== undefined || language !== "text") return name ?? null
  // A build fills in a template such as `stats.pl.in`.
  const plain = path.replace(/\.in$/, "")
  const extension = plain.slice(plain.lastIndexOf(".") + 1).toLowerCase()
  return Object.hasOwn(byExtension, extension) ? byExtension[extension]! : null
}

/** The same by the path alone. */
export const programLanguageOf = (path: string): string | null => programLanguage(path, languageOf(path))
