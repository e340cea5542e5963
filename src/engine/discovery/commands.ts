import { directoryOf } from "../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../structure/importGraph/jsonc.ts"
import { packageManagersOf, rootFolder } from "./manifests.ts"
import { clip } from "./Observed.ts"
import { lineOf, type Survey } from "./Survey.ts"

export type Purpose = "install" | "run" | "build" | "test" | "lint" | "migrate" | "deploy"

export interface Command {
  readonly purpose: Purpose
  readonly command: string
  /** What it stands for, as written. */
  readonly means: string | null
  readonly folder: string
  readonly path: string
  readonly line: number
  readonly origin: "script" | "target" | "pipeline" | "convention" | "container"
}

const purposeOf = (name: string): Purpose | null => {
  if (/^(?:un|post|pre)install|^(?:pre|post)(?=[a-z])/.test(name)) return null
  if (
    /(?:^|[:._-])(?:lint|format|fmt|check|types?|typecheck|type-check|style|eslint|prettier|rubocop|vet|tslint|stylelint|mypy|ruff)(?:$|[:._-])/.test(
      name
    )
  )
    return "lint"
  if (/(?:^|[:._-])(?:tests?|spec|unit|e2e|integration|coverage|jest|mocha|pytest)(?:$|[:._-])/.test(name))
    return "test"
  if (/(?:^|[:._-])(?:migrate|migrations?|seed|schema|db)(?:$|[:._-])/.test(name)) return "migrate"
  if (/(?:^|[:._-])(?:deploy|release|publish|ship|docker-push|push)(?:$|[:._-])/.test(name)) return "deploy"
  if (
    /(?:^|[:._-])(?:build|compile|bundle|dist|package|assets|webpack|generate|codegen|docker)(?:$|[:._-])/.test(name) ||
    name === "all"
  )
    return "build"
  if (/^(?:start|serve|dev|develop|run|watch|server|up)(?:$|[:._-])/.test(name)) return "run"
  return /^(?:install|setup|bootstrap|deps)$/.test(name) ? "install" : null
}

const runnerOf = (survey: Survey, folder: string): string => {
  const names = packageManagersOf(survey, folder)
    .concat(packageManagersOf(survey))
    .map(({ name }) => name)
  return names.includes("pnpm")
    ? "pnpm run"
    : names.includes("Yarn")
      ? "yarn run"
      : names.includes("Bun")
        ? "bun run"
        : "npm run"
}

const scriptText = (value: unknown): string | null => {
  if (typeof value === "string") return value
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join(" && ") : null
}

const packageScripts = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .texts(/(?:^|\/)(?:package|composer)\.json$/)
    .slice(0, 12)
    .flatMap(({ path, text }) => {
      const scripts = parseConfiguration(text)?.scripts
      if (!isRecord(scripts) || survey.file(path)?.role !== "source") return []
      const folder = directoryOf(path)
      const runner = path.endsWith("composer.json") ? "composer run-script" : runnerOf(survey, folder)
      return Object.entries(scripts).flatMap(([name, value]): ReadonlyArray<Command> => {
        const purpose = purposeOf(name)
        const means = scriptText(value)
        if (purpose === null || means === null || !/^[\w:.-]{1,60}$/.test(name)) return []
        const isShort = /^(?:npm|yarn|pnpm) run$/.test(runner) && (name === "test" || name === "start")
        const short = `${isShort ? runner.split(" ")[0] : runner} ${name}`
        const line = lineOf(text, new RegExp(`"${name.replace(/[.]/g, "\\.")}"\\s*:\\s*["[]`)) ?? 1
        return [{ purpose, command: short, means: clip(means, 140), folder, path, line, origin: "script" }]
      })
    })

const makeTargets = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .texts(/(?:^|\/)(?:GNUm|[Mm])akefile$|(?:^|\/)[Jj]ustfile$/)
    .slice(0, 6)
    .flatMap(({ path, text }) => {
      const tool = /ustfile$/.test(path) ? "just" : "make"
      const folder = directoryOf(path)
      return [...text.matchAll(/^([a-z][\w.-]{1,40})[^\S\n]*:(?![=:])[^\n]*(?:\n\t([^\n]{1,300}))?/gm)].flatMap(
        ([, name, first], i, all): ReadonlyArray<Command> => {
          const purpose = purposeOf(name!)
          const isRepeated = all.findIndex((one) => one[1] === name) !== i
          if (purpose === null || isRepeated || /\.\w{1,4}$/.test(name!)) return []
          const line = lineOf(text, new RegExp(`^${name!.replace(/[.]/g, "\\.")}[^\\S\\n]*:(?![=:])`, "m")) ?? 1
          const means = first === undefined ? null : clip(first.replace(/^[@-]+\s*/, ""), 140)
          const isEcho = means !== null && /^(?:echo|printf)\b|^\$\(call|^#/.test(means)
          return [
            { purpose, command: `${tool} ${name}`, means: isEcho ? null : means, folder, path, line, origin: "target" }
          ]
        }
      )
    })

interface Convention {
  readonly manifest: RegExp
  readonly commands: ReadonlyArray<readonly [Purpose, string]>
  readonly unless?: (survey: Survey) => boolean
}

/** What a build tool does by default. */
const conventions: ReadonlyArray<Convention> = [
  {
    manifest: /(?:^|\/)Cargo\.toml$/,
    commands: [
      ["build", "cargo build"],
      ["test", "cargo test"]
    ]
  },
  {
    manifest: /(?:^|\/)go\.mod$/,
    commands: [
      ["build", "go build ./..."],
      ["test", "go test ./..."]
    ]
  },
  {
    manifest: /(?:^|\/)pom\.xml$/,
    commands: [
      ["build", "mvn package"],
      ["test", "mvn test"]
    ]
  },
  {
    manifest: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    commands: [
      ["build", "gradle build"],
      ["test", "gradle test"]
    ]
  },
  { manifest: /(?:^|\/)[\w.-]+\.sln$/, commands: [["build", "dotnet build"]] },
  { manifest: /(?:^|\/)tox\.ini$/, commands: [["test", "tox"]] },
  { manifest: /(?:^|\/)noxfile\.py$/, commands: [["test", "nox"]] },
  { manifest: /(?:^|\/)phpunit\.xml(?:\.dist)?$/, commands: [["test", "vendor/bin/phpunit"]] }
]

const installs: Readonly<Record<string, string>> = {
  npm: "npm install",
  pnpm: "pnpm install",
  Yarn: "yarn install",
  Bun: "bun install",
  uv: "uv sync",
  Poetry: "poetry install",
  PDM: "pdm install",
  Pipenv: "pipenv install --dev",
  Bundler: "bundle install",
  Composer: "composer install",
  "Go modules": "go mod download"
}

const railsCommands = (survey: Survey): ReadonlyArray<Command> => {
  const found: Array<Command> = []
  if (survey.has("bin/rails") || survey.texts(/(?:^|\/)Rakefile$/).length > 0) {
    const [rakefile] = survey.texts(/(?:^|\/)Rakefile$/)
    const isRails = survey.has("config/application.rb") || survey.has("config/routes.rb")
    if (rakefile !== undefined && isRails) {
      found.push({
        purpose: "migrate",
        command: "bundle exec rake db:migrate",
        means: null,
        folder: directoryOf(rakefile.path),
        path: rakefile.path,
        line: 1,
        origin: "convention"
      })
      if (survey.hasFolder("test"))
        found.push({
          purpose: "test",
          command: "bundle exec rake test",
          means: null,
          folder: directoryOf(rakefile.path),
          path: rakefile.path,
          line: 1,
          origin: "convention"
        })
      if (survey.has("bin/rails"))
        found.push({
          purpose: "run",
          command: "bin/rails server",
          means: null,
          folder: "",
          path: "bin/rails",
          line: 1,
          origin: "convention"
        })
    }
  }
  return found
}

const wrapperIn = (survey: Survey, folder: string, name: string): string | null =>
  survey.has(folder === "" ? name : `${folder}/${name}`) ? `./${name}` : null

const toolCommands = (survey: Survey): ReadonlyArray<Command> => {
  const found: Array<Command> = []
  for (const { manifest, commands } of conventions) {
    const [first] = survey.texts(manifest)
    if (first === undefined || /^(?:fixture|example|test)$/.test(survey.file(first.path)?.role ?? "")) continue
    const folder = directoryOf(first.path)
    const gradle = (/gradle/.test(first.path) && wrapperIn(survey, folder, "gradlew")) || "gradle"
    const maven = (/pom\.xml$/.test(first.path) && wrapperIn(survey, folder, "mvnw")) || "mvn"
    for (const [purpose, command] of commands) {
      found.push({
        purpose,
        command: command.replace(/^gradle/, gradle).replace(/^mvn/, maven),
        means: null,
        folder,
        path: first.path,
        line: 1,
        origin: "convention"
      })
    }
  }
  return found
}

const conventional = (survey: Survey): ReadonlyArray<Command> => {
  const found: Array<Command> = []
  const root = rootFolder(survey)
  for (const { name, file_path } of packageManagersOf(survey, root)) {
    const isLocked = name === "npm" && /package-lock\.json$/.test(file_path)
    const install = isLocked
      ? "npm ci"
      : name === "pip"
        ? file_path.endsWith("requirements.txt")
          ? "pip install -r requirements.txt"
          : "pip install -e ."
        : installs[name]
    if (install !== undefined)
      found.push({
        purpose: "install",
        command: install,
        means: null,
        folder: root,
        path: file_path,
        line: 1,
        origin: "convention"
      })
  }
  return [...found, ...toolCommands(survey), ...railsCommands(survey)]
}

/** Steps of pipelines, where a line of shell says by its words what it is for. */
const pipelineSteps = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .texts(
      /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|^\.circleci\/config\.yml$|^\.gitlab-ci\.yml$|^\.travis\.yml$/
    )
    .flatMap(({ path, text }) => {
      let blockIndent = -1
      return text.split("\n").flatMap((line, index): ReadonlyArray<Command> => {
        const indent = line.search(/\S/)
        const inline = /^\s*-?\s*(?:run|command|script):\s*(?![|>])(\S.{0,200})$/.exec(line)?.[1]
        const opens = /^\s*-?\s*(?:run|command|script|before_script):\s*[|>]?[+-]?\s*$/.test(line)
        const isInBlock = blockIndent >= 0 && indent > blockIndent
        if (opens) blockIndent = line.replace(/^(\s*)-\s/, "$1  ").search(/\S/)
        else if (indent >= 0 && !isInBlock) blockIndent = -1
        const written = unquoted(inline ?? (isInBlock && !opens ? line.trim().replace(/^-\s+/, "") : ""))
        return pipelineCommand(written, path, index + 1)
      })
    })

const unquoted = (text: string): string => text.replace(/^["']|["']$/g, "")

const pipelineCommand = (written: string, path: string, line: number): ReadonlyArray<Command> => {
  const purpose = pipelinePurpose(written)
  return purpose === null
    ? []
    : [{ purpose, command: clip(written, 140), means: null, folder: "", path, line, origin: "pipeline" }]
}

const pipelinePurpose = (text: string): Purpose | null => {
  if (
    text === "" ||
    text.length > 160 ||
    /\$\{\{|\\$|[|<>]{1,2}\s*\w+|^(?:echo|if|for|cd|export|sudo|apt|curl|wget|git|exit|fi|then|else|mkdir|cp|mv|rm|#)/.test(
      text
    )
  )
    return null
  const words =
    /^(?:\w+=\S+\s+)*(?:npx |pnpm |yarn |npm (?:run |run-script )?|bundle exec |poetry run |uv run |python3? -m |composer (?:run )?|make (?:-\S+ )*|cargo |go |dotnet |mvn |\.\/mvnw |\.\/gradlew |gradle |tox|pytest|bin\/|rake |phpunit|ruff |mypy )(.*)$/.exec(
      text
    )
  if (words === null) return null
  const whole = text.replace(/[^\w:.-]+/g, " ")
  if (/\b(?:ci|install|sync)\b/.test(whole) && /^(?:npm|pnpm|yarn|bundle|poetry|uv|composer|pip)\b/.test(text))
    return null
  for (const word of whole.split(" ")) {
    const purpose = purposeOf(word)
    if (purpose !== null && purpose !== "install" && purpose !== "run") return purpose
  }
  return null
}

const containers = (survey: Survey): ReadonlyArray<Command> => [
  ...survey
    .texts(/(?:^|\/)(?:docker-)?compose\.ya?ml$/)
    .slice(0, 2)
    .flatMap(
      ({ path, text }): ReadonlyArray<Command> => [
        {
          purpose: "run",
          command: `docker compose -f ${path} up`,
          means: `services: ${[...text.matchAll(/^ {2}([\w-]{1,40}):\s*$/gm)]
            .map(([, name]) => name)
            .slice(0, 8)
            .join(", ")}`,
          folder: "",
          path,
          line: lineOf(text, /^services:/m) ?? 1,
          origin: "container"
        }
      ]
    ),
  ...survey
    .texts(/(?:^|\/)Dockerfile$/)
    .filter(({ path }) => survey.file(path)?.role === "source")
    .slice(0, 4)
    .flatMap(({ path, text }): ReadonlyArray<Command> => {
      const start = /^(?:ENTRYPOINT|CMD)\s+(.{1,120})$/m.exec(text)
      return [
        {
          purpose: "deploy",
          command: `docker build -f ${path} .`,
          means: start === null ? null : clip(start[0], 120),
          folder: "",
          path,
          line: lineOf(text, /^FROM\b/m) ?? 1,
          origin: "container"
        }
      ]
    })
]

export const commandsOf = (survey: Survey): ReadonlyArray<Command> => [
  ...packageScripts(survey),
  ...makeTargets(survey),
  ...conventional(survey),
  ...containers(survey),
  ...pipelineSteps(survey)
]
