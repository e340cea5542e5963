import { baseName, directoryOf, joined } from "../../core/text/paths.ts"
import { clip } from "../Observed.ts"
import { packageManagersOf } from "../profile/manifests.ts"
import { lineOf, type Survey } from "../Survey.ts"
import type { Command, Purpose } from "./Command.ts"
import { mainModule } from "./programs/mainModules.ts"
import { purposeOfEnvironment, purposeOfScript, purposeOfText } from "./words.ts"

interface Section {
  readonly name: string
  readonly line: number
  readonly lines: ReadonlyArray<readonly [line: number, text: string]>
}

/** `[head]` and what stands below it, of files such as pyproject.toml and tox.ini. */
export const sectionsOf = (text: string): ReadonlyArray<Section> => {
  const found: Array<Section & { readonly lines: Array<readonly [number, string]> }> = []
  for (const [index, line] of text.split("\n").entries()) {
    const head = /^\[{1,2}\s*([^\]]{1,120}?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1]
    if (head !== undefined) found.push({ name: head.replaceAll('"', ""), line: index + 1, lines: [] })
    else found.at(-1)?.lines.push([index + 1, line])
  }
  return found
}

/** `commands =` of a section with the lines that belong to it. */
const commandsIn = ({ lines }: Section): string => {
  const from = lines.findIndex(([, text]) => /^\s*commands\s*=/.test(text))
  if (from < 0) return ""
  const rest = lines.slice(from + 1)
  const end = rest.findIndex(([, text]) => /^\S/.test(text) && !/^[#\]]/.test(text))
  return [
    lines[from]![1].replace(/^\s*commands\s*=\s*/, ""),
    ...rest.slice(0, end < 0 ? rest.length : end).map(([, text]) => text.trim())
  ]
    .join("\n")
    .replace(/\[testenv\]commands|\{posargs(?::[^}]*)?\}|\{env\w*\}\/bin\//g, "")
    .split("\n")
    .map(wordsOf)
    .join("\n")
    .trim()
}

/** In TOML a command is a list of its words: `[["pytest", "-v"], ["ruff", "check"]]`. */
const wordsOf = (line: string): string =>
  /^\[*\s*\["/.test(line)
    ? line
        .split(/\]\s*,\s*\[/)
        .map((list) => [...list.matchAll(/"([^"]*)"/g)].map(([, word]) => word).join(" "))
        .join("\n")
    : line

const purposeOfSection = (name: string, text: string): Purpose | null => {
  if (purposeOfEnvironment(name) === "test") return "test"
  const inside = purposeOfText(text)
  // An environment that builds or installs the package does so to try that.
  const byText = inside !== null && /^(?:build|install|run)$/.test(inside) ? null : inside
  // Of an environment for everything what it runs says what that is.
  return (name === "all" ? null : purposeOfScript(name, text)) ?? byText
}

const tox = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .sourceTexts(/(?:^|\/)(?:tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml)$/)
    .slice(0, 8)
    .flatMap(({ path, text }) => {
      const isOwn = /tox\.\w+$/.test(path)
      if (!isOwn && !/^\[tox|^\[tool\.tox|^\[testenv/m.test(text)) return []
      const folder = directoryOf(path)
      const sections = sectionsOf(text)
      const plain = sections.find(({ name }) => /^(?:tool\.tox\.)?(?:testenv|env_run_base)$/.test(name))
      const common = { folder, path, origin: "target" } as const
      const all =
        plain === undefined
          ? []
          : [
              {
                ...common,
                purpose: "test" as Purpose,
                command: "tox",
                means: means(commandsIn(plain)),
                ...runsHere(plain, commandsIn(plain)),
                line: plain.line
              }
            ]
      const isPytest =
        plain !== undefined && /\{\s*posargs|\bposargs\b/.test(plain.lines.map(([, line]) => line).join("\n"))
      const list = /(?:envlist|env_list)\s*=\s*([\s\S]{0,300}?)(?:\n\S|$)/.exec(text)?.[1] ?? ""
      const first = /\bpy(?:\{)?(\d+)?/.exec(list)
      const one = isPytest
        ? [
            {
              ...common,
              purpose: "test_file" as Purpose,
              command: `tox -e ${first?.[1] === undefined ? "py" : `py${first[1]}`} -- <path of the test file>`,
              means: "what follows `--` goes to the test runner",
              line: plain!.line
            }
          ]
        : []
      const others = sections.flatMap((section): ReadonlyArray<Command> => {
        const names = /^(?:tool\.tox\.env\.|testenv:|env\.)(.+)$/.exec(section.name)?.[1]
        if (names === undefined) return []
        const name = names
          .split(",")[0]!
          .replace(/\{([^,}]+)[^}]*\}/g, "$1")
          .trim()
        const text = commandsIn(section)
        const purpose = purposeOfSection(name, text)
        return purpose === null || !/^[\w.-]+$/.test(name)
          ? []
          : [
              {
                ...common,
                purpose,
                command: `tox -e ${name}`,
                means: means(text),
                ...runsHere(section, text),
                line: section.line
              }
            ]
      })
      return [...all, ...one, ...others]
    })

const means = (text: string): string | null =>
  text === ""
    ? null
    : clip(
        text
          .split("\n")
          .filter((line) => line !== "")
          .slice(0, 3)
          .join("; "),
        140
      )

/** What an environment runs, where it does so in the folder of its file. */
const runsHere = ({ lines }: Section, runs: string): Pick<Command, "runs"> =>
  lines.some(([, line]) => /^change_?dir\s*=/.test(line)) ? {} : { runs }

const sessionHead = /^@(?:nox\.)?session\b(?:\(([^\n]*)\))?/
const sessionRun = /session\.run\(\s*((?:["'][^"']*["'],?\s*)+)/g

/** Sessions of a noxfile: the decorator, the function below it, and what that runs. */
const sessionsIn = (
  text: string
): ReadonlyArray<{ readonly name: string; readonly line: number; readonly runs: string }> => {
  const lines = text.split("\n")
  const starts = lines.flatMap((line, index) => (sessionHead.test(line) ? [index] : []))
  return starts.flatMap((start, i) => {
    const body = lines.slice(start, starts[i + 1] ?? lines.length).join("\n")
    const named =
      /name\s*=\s*["']([\w-]+)/.exec(body.split("def ")[0]!)?.[1] ?? /^(?:async )?def (\w+)\(/m.exec(body)?.[1]
    const runs = [...body.matchAll(sessionRun)].map(([, words]) =>
      words!
        .replace(/["',]+/g, " ")
        .replace(/\s+/g, " ")
        .trim()
    )
    return named === undefined ? [] : [{ name: named, line: start + 1, runs: runs.join("\n") }]
  })
}

const nox = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .sourceTexts(/(?:^|\/)noxfile\.py$/)
    .slice(0, 4)
    .flatMap(({ path, text }) =>
      sessionsIn(text).flatMap(({ name, line, runs }): ReadonlyArray<Command> => {
        const purpose = purposeOfEnvironment(name) ?? purposeOfText(runs)
        if (purpose === null) return []
        return [
          {
            purpose,
            command: `nox -s ${name}`,
            means: means(runs),
            ...(/\bchdir\b/.test(text) ? {} : { runs }),
            folder: directoryOf(path),
            path,
            line,
            origin: "target"
          }
        ]
      })
    )

/** Tables of tasks in pyproject.toml, and how one of them is run. */
const taskTables: ReadonlyArray<readonly [RegExp, (name: string, environment: string) => string]> = [
  [/^tool\.pdm\.scripts$/, (name) => `pdm run ${name}`],
  [/^tool\.poe\.tasks$/, (name) => `poe ${name}`],
  [/^tool\.taskipy\.tasks$/, (name) => `task ${name}`],
  [
    /^tool\.hatch\.envs\.([\w.-]+)\.scripts$/,
    (name, environment) => `hatch run ${environment === "default" ? "" : `${environment}:`}${name}`
  ],
  [
    /^envs\.([\w.-]+)\.scripts$/,
    (name, environment) => `hatch run ${environment === "default" ? "" : `${environment}:`}${name}`
  ],
  [/^tool\.rye\.scripts$/, (name) => `rye run ${name}`],
  [/^tool\.pixi\.(?:feature\.[\w.-]+\.)?tasks$/, (name) => `pixi run ${name}`]
]

/** What a task runs: the texts of its value, which may be a list over several lines. */
const runsOf = (section: Section, index: number, value: string): string => {
  const rest = section.lines.slice(index, index + 8).map(([, one]) => one)
  const list = value.startsWith("[") ? rest.join("\n").split("]")[0]! : value
  return [...list.matchAll(/["']([^"'\n]{2,2000})["']/g)].map(([, one]) => one!).join("\n")
}

/** In the tables of poe `lint.sequence = […]` is what `lint` does, and `lint.help` is a text about it. */
const taskNamed = (table: string, key: string): string | null => {
  if (table !== "tool.poe.tasks" || !key.includes(".")) return key
  return /^([\w:-]+)\.(?:cmd|sequence|shell|script|expr)$/.exec(key)?.[1] ?? null
}

const tasksOf = (section: Section, folder: string, path: string): ReadonlyArray<Command> => {
  const table = taskTables.find(([pattern]) => pattern.test(section.name))
  if (table === undefined) return []
  const environment = table[0].exec(section.name)?.[1] ?? ""
  const ofEnvironment = environment === "" ? null : purposeOfEnvironment(environment)
  return section.lines.flatMap(([line, written], index): ReadonlyArray<Command> => {
    const [, key, value] = /^["']?([\w:.-]{1,40})["']?\s*=\s*(\S.*)$/.exec(written) ?? []
    const name = key === undefined ? null : taskNamed(section.name, key)
    if (name === null || value === undefined) return []
    const runs = runsOf(section, index, value)
    const purpose = purposeOfScript(name, runs) ?? (ofEnvironment === null ? null : purposeOfText(runs))
    if (purpose === null) return []
    const here = /\b(?:cwd|working_dir)\b/.test(value) ? {} : { runs }
    const common = { folder, path, line, origin: "script" } as const
    return [{ ...common, ...here, purpose, command: table[1](name, environment), means: means(runs) }]
  })
}

/** A task with a table of its own: `[tool.poe.tasks.lint]` and `cmd = "ruff check"` below it. */
const tableOfTask = ({ name, line, lines }: Section): Section => {
  const [, table, task] = /^(tool\.(?:poe\.tasks|pdm\.scripts|rye\.scripts|pixi\.tasks))\.([\w:-]+)$/.exec(name) ?? []
  if (table === undefined) return { name, line, lines }
  const isElsewhere = lines.some(([, written]) => /^(?:cwd|working_dir)\s*=/.test(written))
  const from = lines.findIndex(([, written]) =>
    /^(?:cmd|shell|script|sequence|composite|chain|call|expr)\s*=/.test(written)
  )
  if (from < 0 || isElsewhere) return { name, line, lines: [] }
  const [first, ...rest] = lines.slice(from)
  return {
    name: table,
    line,
    lines: [[line, first![1].replace(/^\w+/, task!)], ...rest.filter(([, one]) => !/^\w+\s*=/.test(one))]
  }
}

const projectTasks = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .sourceTexts(/(?:^|\/)(?:pyproject|hatch)\.toml$/)
    .slice(0, 24)
    .flatMap(({ path, text }) =>
      sectionsOf(text).flatMap((section) => tasksOf(tableOfTask(section), directoryOf(path), path))
    )

/** What a `setup.py` or `setup.cfg` lists as console scripts; of the latter only what is indented below the key. */
export const consoleScripts = (text: string): string => {
  const inSettings = /^[ \t]*console_scripts[ \t]*=[ \t]*((?:[^\n[]*\n)(?:[ \t]+[^\n]*\n|\n)*)/m.exec(text)?.[1]
  return inSettings ?? /console_scripts["']?\s*[=:]\s*\[?([^\]]{0,1500})/.exec(text)?.[1] ?? ""
}

/** Files that a `setup.py` puts on the path as they are: `scripts=["bin/kettle"]`, in a call or in a dictionary. */
export const installedScripts = (text: string): ReadonlyArray<string> => {
  const listed = /(?<!\w)["']?scripts["']?\s*[=:]\s*[[(]([^\])]{0,1500})[\])]/.exec(text)?.[1] ?? ""
  return [...listed.matchAll(/["']((?:[\w.-]+\/)*[\w.-]{1,40})["']/g)].map(([, path]) => path!)
}

/** Lines of a table that names programs: its own, or within `[project]` `scripts.kettle = "tea:main"` and `scripts = { … }`. */
export const scriptLines = (text: string): ReadonlyArray<readonly [line: number, text: string]> =>
  sectionsOf(text).flatMap(({ name, lines }) => {
    if (/^(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)$/.test(name)) return lines
    if (name !== "project") return []
    return lines.flatMap(([line, written]) => {
      const script = /^(?:gui-)?scripts\.(\S.*)$/.exec(written)?.[1]
      const table = /^(?:gui-)?scripts\s*=\s*\{([^{}]*)\}/.exec(written)?.[1]
      const all = script === undefined ? (table?.split(",") ?? []) : [script]
      return all.map((one) => [line, one.trim()] as const)
    })
  })

/** Programs that an installed package leaves on the path. */
const programs = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .sourceTexts(/(?:^|\/)(?:pyproject\.toml|setup\.(?:cfg|py))$/)
    .slice(0, 24)
    .flatMap(({ path, text }) => {
      const folder = directoryOf(path)
      const fromToml = scriptLines(text).flatMap(([line, written]) => {
        const [, name, target] = /^["']?([\w.-]{1,40})["']?\s*=\s*["']([\w.:]+)["']/.exec(written) ?? []
        return name === undefined ? [] : [{ name, target: target!, line }]
      })
      const fromSetup = !/setup\.\w+$/.test(path)
        ? []
        : [...consoleScripts(text).matchAll(/(?:^|,)\s*["']?([\w.-]{1,40})\s*=\s*([\w.]+:[\w.]+)/gm)].map(
            ([, name, target]) => ({
              name: name!,
              target: target!,
              line: lineOf(text, `${target}`) ?? 1
            })
          )
      const scripts = !path.endsWith("setup.py")
        ? []
        : installedScripts(text).map((script) => ({
            name: baseName(script),
            target: script,
            line: lineOf(text, script) ?? 1
          }))
      return [...fromToml, ...fromSetup, ...scripts].slice(0, 6).map(
        ({ name, target, line }): Command => ({
          purpose: "run",
          command: name,
          means: `${target.includes(":") ? "calls" : "starts"} ${target} once the package is installed`,
          folder,
          path,
          line,
          origin: "script"
        })
      )
    })

/** `os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")`: without that module Django does nothing. */
const settingsModule = /\bDJANGO_SETTINGS_MODULE["'],\s{0,80}["']([\w.]{1,200})["']/

const hasSettings = (survey: Survey, path: string): boolean => {
  const module = settingsModule.exec(survey.file(path)?.text ?? "")?.[1]?.replaceAll(".", "/")
  if (module === undefined) return true
  return [`${module}.py`, `${module}/__init__.py`].some((one) => survey.has(joined(directoryOf(path), one)))
}

const django = (survey: Survey): ReadonlyArray<Command> =>
  survey.source
    .filter(({ path }) => /(?:^|\/)manage\.py$/.test(path) && hasSettings(survey, path))
    .slice(0, 2)
    .flatMap(({ path }): ReadonlyArray<Command> => {
      const common = { means: null, folder: directoryOf(path), path, line: 1, origin: "convention" } as const
      return [
        { ...common, purpose: "run", command: "python manage.py runserver" },
        { ...common, purpose: "migrate", command: "python manage.py migrate" },
        { ...common, purpose: "test", command: "python manage.py test" }
      ]
    })

/** `shop/server/__main__.py` that hands its arguments to Django is its `manage.py`, by the name of the package. */
const djangoPackages = (survey: Survey): ReadonlyArray<Command> =>
  survey.source
    .filter(({ path }) => mainModule(survey, path) !== undefined)
    .flatMap(({ path, calls }): ReadonlyArray<Command> => {
      const call = calls.find(([callee]) => /(?:^|\.)execute_from_command_line$/.test(callee))
      if (call === undefined) return []
      const name = mainModule(survey, path)
      const common = { means: null, folder: "", path, line: call[2], origin: "convention" } as const
      return [
        { ...common, purpose: "run", command: `python -m ${name} runserver` },
        { ...common, purpose: "migrate", command: `python -m ${name} migrate` }
      ]
    })

/** How programs of the project's environment are started with the package manager that its lock file names. */
export const pythonPrefix = (survey: Survey, folder: string): string => {
  const names = packageManagersOf(survey, folder).map(({ name }) => name)
  return names.includes("uv")
    ? "uv run "
    : names.includes("Poetry")
      ? "poetry run "
      : names.includes("PDM")
        ? "pdm run "
        : names.includes("Pipenv")
          ? "pipenv run "
          : ""
}

export const pythonCommands = (survey: Survey): ReadonlyArray<Command> => [
  ...projectTasks(survey),
  ...tox(survey),
  ...nox(survey),
  ...programs(survey),
  ...django(survey),
  ...(survey.hasLike(/(?:^|\/)manage\.py$/) ? [] : djangoPackages(survey))
]
