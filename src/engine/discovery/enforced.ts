import type { Language } from "../core/files/Language.ts"
import { directoryOf } from "../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../structure/importGraph/jsonc.ts"
import { at, code, type Rule, type Scope } from "./Draft.ts"
import { clip } from "./Observed.ts"
import { lineOf, type Survey } from "./Survey.ts"

const MAX_PER_KIND = 4

interface Setting {
  readonly text: string
  readonly line: number
}

interface Reader {
  readonly path: RegExp
  readonly languages: ReadonlyArray<Language> | null
  readonly read: (text: string, path: string) => ReadonlyArray<Setting>
}

const scripts: ReadonlyArray<Language> = ["javascript", "tsx", "typescript"]

const jsonLine = (text: string, key: string): number => lineOf(text, new RegExp(`"${key}"\\s*:`)) ?? 1

const strictFlags = [
  "strict",
  "noUncheckedIndexedAccess",
  "exactOptionalPropertyTypes",
  "noImplicitOverride",
  "noUnusedLocals",
  "noUnusedParameters",
  "noImplicitReturns",
  "noFallthroughCasesInSwitch",
  "verbatimModuleSyntax",
  "erasableSyntaxOnly",
  "isolatedModules",
  "checkJs"
]

const compilerOptions: Reader["read"] = (text) => {
  const options = parseConfiguration(text)?.compilerOptions
  if (!isRecord(options)) return []
  const on = strictFlags.filter((flag) => options[flag] === true)
  return on.length === 0
    ? []
    : [{ text: `The TypeScript compiler runs with ${on.map(code).join(", ")}`, line: jsonLine(text, on[0]!) }]
}

const recordIn = (record: Readonly<Record<string, unknown>> | null, key: string): Readonly<Record<string, unknown>> => {
  const value = record?.[key]
  return isRecord(value) ? value : {}
}

const errorRules = (groups: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.values(groups)
    .flatMap((group) => (isRecord(group) ? Object.entries(group) : []))
    .filter(([, level]) => level === "error" || (isRecord(level) && level.level === "error"))
    .map(([name]) => name)

const biome: Reader["read"] = (text) => {
  const config = parseConfiguration(text)
  const found: Array<Setting> = []
  const formatter = recordIn(config, "formatter")
  const script = recordIn(recordIn(config, "javascript"), "formatter")
  const options = [
    typeof formatter.lineWidth === "number" ? `lines of at most ${formatter.lineWidth} characters` : "",
    formatter.indentStyle === "space" || formatter.indentStyle === "tab"
      ? `indentation by ${formatter.indentStyle}s`
      : "",
    script.semicolons === "asNeeded" ? "no semicolons where they are not needed" : "",
    script.quoteStyle === "single" || script.quoteStyle === "double" ? `${script.quoteStyle} quotes` : "",
    script.trailingCommas === "none" ? "no trailing commas" : ""
  ].filter((one) => one !== "")
  if (options.length > 0)
    found.push({ text: `Biome formats the code: ${options.join(", ")}`, line: jsonLine(text, "formatter") })
  const linter = recordIn(config, "linter")
  const on = errorRules(recordIn(linter, "rules"))
  if (linter.enabled !== false && isRecord(config?.linter))
    found.push({
      text: `Biome lints the code${on.length === 0 ? "" : `; errors besides the recommended rules: ${on.slice(0, 10).map(code).join(", ")}`}`,
      line: jsonLine(text, "linter")
    })
  return found
}

const prettier: Reader["read"] = (text) => {
  const config = parseConfiguration(text)
  if (config === null) return []
  const options = Object.entries(config)
    .filter(([, value]) => /^(?:string|number|boolean)$/.test(typeof value))
    .slice(0, 8)
  return options.length === 0
    ? []
    : [
        {
          text: `Prettier formats the code with ${options.map(([key, value]) => code(`${key}: ${String(value)}`)).join(", ")}`,
          line: 1
        }
      ]
}

const eslint: Reader["read"] = (text) => {
  const config = parseConfiguration(text)
  const rules = isRecord(config?.rules) ? Object.entries(config.rules) : []
  const isError = (level: unknown) => level === "error" || level === 2
  const on = rules.filter(([, level]) => isError(Array.isArray(level) ? level[0] : level)).map(([name]) => name)
  const bases = [config?.extends]
    .flat()
    .filter((one) => typeof one === "string")
    .map(String)
  if (config === null) return [{ text: "ESLint checks the code by this configuration", line: 1 }]
  const parts = [
    bases.length === 0 ? "" : `on the base of ${bases.slice(0, 5).map(code).join(", ")}`,
    on.length === 0
      ? ""
      : `with ${on.length === 1 ? "one rule as an error" : `${on.length} rules as errors`}, among them ${on.slice(0, 8).map(code).join(", ")}`
  ].filter((part) => part !== "")
  return parts.length === 0
    ? []
    : [{ text: `ESLint checks the code ${parts.join(" ")}`, line: lineOf(text, /"(?:rules|extends)"/) ?? 1 }]
}

const editorconfig: Reader["read"] = (text) => {
  const section = /^\[\*\][^[]*/m.exec(text)
  if (section === null) return []
  const options = [
    ...section[0].matchAll(
      /^\s*(indent_style|indent_size|end_of_line|max_line_length|insert_final_newline|trim_trailing_whitespace)\s*=\s*(\S{1,20})/gm
    )
  ]
  return options.length === 0
    ? []
    : [
        {
          text: `Editor settings for all files: ${options.map(([, key, value]) => code(`${key} = ${value}`)).join(", ")}`,
          line: text.slice(0, section.index).split("\n").length
        }
      ]
}

/** Settings of a section of an INI or TOML file that say how strict it is. */
const section =
  (heading: RegExp, key: RegExp, summary: string): Reader["read"] =>
  (text) => {
    const lines = text.split("\n")
    const from = lines.findIndex((line) => heading.test(line))
    if (from < 0) return []
    const end = lines.findIndex((line, i) => i > from && /^\s*\[/.test(line))
    const body = lines.slice(from + 1, end < 0 ? from + 60 : end)
    const set = body.filter((line) => key.test(line)).map((line) => clip(line.replace(/\s*#.*$/, ""), 90))
    return [
      { text: set.length === 0 ? summary : `${summary} with ${set.slice(0, 5).map(code).join(", ")}`, line: from + 1 }
    ]
  }

const golangci: Reader["read"] = (text) => {
  const enabled = /^\s+enable:\s*\n((?:\s+(?:-|#).*\n?)+)/m.exec(text)
  const names = [...(enabled?.[1] ?? "").matchAll(/^\s+-\s*([\w-]+)/gm)].map(([, name]) => name!)
  return names.length === 0
    ? []
    : [
        {
          text: `golangci-lint runs ${names.slice(0, 16).map(code).join(", ")}`,
          line: lineOf(text, /^\s+enable:/m) ?? 1
        }
      ]
}

const rubocop: Reader["read"] = (text) => {
  const cops = [...text.matchAll(/^([A-Z]\w+\/[\w/]+):[ \t]*\n(?:[ \t].*\n)*?[ \t]+Enabled:[ \t]*true/gm)].map(
    ([, name]) => name!
  )
  return [
    {
      text: `RuboCop checks the code${cops.length === 0 ? "" : `; switched on are ${cops.slice(0, 8).map(code).join(", ")}${cops.length > 8 ? ` and ${cops.length - 8} more` : ""}`}`,
      line: 1
    }
  ]
}

const firstMatch =
  (pattern: RegExp, summarize: (found: string) => string): Reader["read"] =>
  (text) => {
    const match = pattern.exec(text)
    return match === null
      ? []
      : [{ text: summarize(match[1] ?? match[0]), line: text.slice(0, match.index).split("\n").length }]
  }

const readers: ReadonlyArray<Reader> = [
  { path: /(?:^|\/)tsconfig(?:\.base)?\.json$/, languages: ["typescript", "tsx"], read: compilerOptions },
  { path: /(?:^|\/)biome\.jsonc?$/, languages: scripts, read: biome },
  { path: /(?:^|\/)\.prettierrc(?:\.json)?$/, languages: scripts, read: prettier },
  {
    path: /(?:^|\/)(?:\.eslintrc(?:\.json)?|eslint\.config\.\w+|\.eslintrc\.[cm]?js)$/,
    languages: scripts,
    read: eslint
  },
  { path: /(?:^|\/)\.editorconfig$/, languages: null, read: editorconfig },
  {
    path: /(?:^|\/)pyproject\.toml$/,
    languages: ["python"],
    read: section(
      /^\[tool\.ruff(?:\.lint)?\]/,
      /^\s*(?:select|extend-select|line-length|target-version)\b/,
      "Ruff checks Python"
    )
  },
  {
    path: /(?:^|\/)pyproject\.toml$/,
    languages: ["python"],
    read: section(/^\[tool\.mypy\]/, /^\s*(?:strict|disallow_|warn_)\w*\s*=\s*true/, "mypy checks types")
  },
  {
    path: /(?:^|\/)pyproject\.toml$/,
    languages: ["python"],
    read: section(/^\[tool\.black\]/, /^\s*(?:line-length|target-version)/, "Black formats Python")
  },
  {
    path: /(?:^|\/)(?:mypy\.ini|setup\.cfg)$/,
    languages: ["python"],
    read: section(/^\[mypy\]/, /^\s*(?:strict|disallow_|warn_)/, "mypy checks types")
  },
  {
    path: /(?:^|\/)(?:\.flake8|tox\.ini|setup\.cfg)$/,
    languages: ["python"],
    read: section(/^\[flake8\]/, /^\s*(?:max-line-length|select|ignore)/, "Flake8 checks Python")
  },
  { path: /(?:^|\/)\.golangci\.ya?ml$/, languages: ["go"], read: golangci },
  { path: /(?:^|\/)\.rubocop\.yml$/, languages: ["ruby"], read: rubocop },
  {
    path: /(?:^|\/)\.?rustfmt\.toml$/,
    languages: ["rust"],
    read: (text) => {
      const set = text
        .split("\n")
        .filter((line) => /^\w+\s*=/.test(line))
        .map((line) => clip(line, 60))
      return set.length === 0
        ? []
        : [{ text: `rustfmt formats the code with ${set.slice(0, 6).map(code).join(", ")}`, line: 1 }]
    }
  },
  {
    path: /(?:^|\/)Cargo\.toml$/,
    languages: ["rust"],
    read: firstMatch(
      /^\[(?:workspace\.)?lints\.(?:rust|clippy)\]/m,
      (found) => `Cargo sets lint levels in ${code(found)}`
    )
  },
  {
    path: /(?:^|\/)phpstan\.neon(?:\.dist)?$/,
    languages: ["php"],
    read: firstMatch(/^\s*level:\s*(\w+)/m, (level) => `PHPStan checks PHP at level ${code(level)}`)
  },
  {
    path: /(?:^|\/)\.?phpcs\.xml(?:\.dist)?$/,
    languages: ["php"],
    read: firstMatch(/<rule ref="([\w.]+)"/, (rule) => `PHP_CodeSniffer checks PHP by ${code(rule)}`)
  },
  {
    path: /(?:^|\/)psalm\.xml(?:\.dist)?$/,
    languages: ["php"],
    read: firstMatch(/errorLevel="(\d)"/, (level) => `Psalm checks PHP at level ${code(level)}`)
  },
  {
    path: /(?:^|\/)(?:Directory\.Build\.props|[\w.-]+\.csproj)$/,
    languages: ["csharp"],
    read: firstMatch(/<TreatWarningsAsErrors>true/i, () => "The C# compiler treats warnings as errors")
  },
  {
    path: /(?:^|\/)(?:Directory\.Build\.props|[\w.-]+\.csproj)$/,
    languages: ["csharp"],
    read: firstMatch(/<Nullable>enable/i, () => "C# nullable reference types are on")
  },
  {
    path: /(?:^|\/)checkstyle\.xml$/,
    languages: ["java"],
    read: () => [{ text: "Checkstyle checks Java by this configuration", line: 1 }]
  },
  {
    path: /(?:^|\/)\.pre-commit-config\.yaml$/,
    languages: null,
    read: (text) => {
      const ids = [...text.matchAll(/^\s+-?\s*id:\s*([\w-]+)/gm)].map(([, id]) => id!)
      return ids.length === 0
        ? []
        : [
            {
              text: `pre-commit runs ${ids.slice(0, 12).map(code).join(", ")}`,
              line: lineOf(text, /^\s+-?\s*id:/m) ?? 1
            }
          ]
    }
  }
]

/** What compilers, linters and formatters are set to insist on. */
export const enforcedRules = (survey: Survey): ReadonlyArray<Rule> =>
  readers.flatMap(({ path: pattern, languages, read }, index) =>
    survey
      .texts(pattern)
      .slice(0, MAX_PER_KIND)
      .flatMap(({ path, text }) =>
        read(text, path).map(({ text: summary, line }): Rule => {
          const scope: Scope = { folder: directoryOf(path), ...(languages === null ? {} : { languages }) }
          return {
            id: `enforced:${path}:${index}:${line}`,
            origin: "enforced",
            scope,
            text: `${summary} (${at({ path, line })}).`,
            cites: [{ path, line }]
          }
        })
      )
  )
