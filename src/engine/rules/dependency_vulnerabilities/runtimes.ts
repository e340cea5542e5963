import type { SourceFile } from "../../core/files/SourceFile.ts"
import { baseName } from "../../core/text/paths.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { readJson } from "../../dependencies/lockfiles/jsonEvents.ts"
import { linesOf, MAX_LINE } from "../../dependencies/lockfiles/lines.ts"
import { readXml } from "../../dependencies/lockfiles/xmlEvents.ts"
import { dockerfileOf } from "../../languages/formats/dockerfile.ts"
import { endOfLife, type Runtime } from "./endOfLife.ts"
import type { RuleId } from "./rules.ts"

const versionFiles: Readonly<Record<string, Runtime>> = {
  ".nvmrc": "Node.js",
  ".node-version": "Node.js",
  ".python-version": "Python",
  "runtime.txt": "Python",
  ".ruby-version": "Ruby",
  ".go-version": "Go",
  ".php-version": "PHP",
  ".java-version": "Java"
}

const asdfTools: Readonly<Record<string, Runtime>> = {
  nodejs: "Node.js",
  node: "Node.js",
  python: "Python",
  ruby: "Ruby",
  golang: "Go",
  go: "Go",
  php: "PHP",
  java: "Java"
}

const images: Readonly<Record<string, Runtime>> = {
  node: "Node.js",
  python: "Python",
  golang: "Go",
  php: "PHP",
  ruby: "Ruby",
  openjdk: "Java",
  "eclipse-temurin": "Java",
  amazoncorretto: "Java",
  "mcr.microsoft.com/dotnet/aspnet": ".NET",
  "mcr.microsoft.com/dotnet/runtime": ".NET",
  "mcr.microsoft.com/dotnet/sdk": ".NET",
  "mcr.microsoft.com/dotnet/core/aspnet": ".NET",
  "mcr.microsoft.com/dotnet/core/runtime": ".NET",
  "mcr.microsoft.com/dotnet/core/sdk": ".NET"
}

export const namesRuntime = (path: string): boolean => {
  const name = baseName(path)
  return (
    Object.hasOwn(versionFiles, name) ||
    /^(?:package\.json|composer\.json|go\.mod|Gemfile|\.tool-versions|[\w.-]+\.csproj)$/.test(name) ||
    /dockerfile|containerfile/i.test(name)
  )
}

const flag = (emit: Emit<RuleId>, runtime: Runtime, written: string, start: number, end: number): void => {
  const over = endOfLife(runtime, written)
  if (over === null) return
  const when =
    over.since === null ? "has long been without security fixes" : `gets no security fixes since ${over.since}`
  emit({
    rule: "end_of_life_runtime",
    start,
    end,
    message: `${runtime} ${over.version} ${when}.`,
    title: `${runtime} ${over.version} is beyond its end of life`
  })
}

/** Every runtime version that a file settles on; a minimum (`>=12`) settles nothing. */
export const endedRuntimes = (file: SourceFile, emit: Emit<RuleId>): void => {
  const name = baseName(file.path)
  if (file.language === "dockerfile") return inDockerfile(file, emit)
  if (Object.hasOwn(versionFiles, name)) return inVersionFile(file, versionFiles[name]!, emit)
  if (name === ".tool-versions") return inToolVersions(file, emit)
  if (name === "package.json") return inPackageJson(file, emit)
  if (name === "composer.json") return inComposerJson(file, emit)
  if (name === "go.mod") return byPattern(file, /^toolchain go(\S+)/, "Go", emit)
  if (name === "Gemfile") return byPattern(file, /^ruby ["'](\d[\d.]*)["']/, "Ruby", emit)
  if (name.endsWith(".csproj")) inProjectFile(file, emit)
}

const inVersionFile = (file: SourceFile, runtime: Runtime, emit: Emit<RuleId>): void => {
  const match = /^\s{0,9}(?:python-|ruby-|go|lts\/)?(v?\d[\w.]{0,20})/.exec(file.text)
  if (match !== null) flag(emit, runtime, match[1]!, match[0].length - match[1]!.length, match[0].length)
}

const inToolVersions = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const [line, start] of linesOf(file.text)) {
    const match = line.length > MAX_LINE ? null : /^(\w+)[ \t]{1,9}(?:[a-z]+-)?(\d\S*)/.exec(line)
    if (match === null || !Object.hasOwn(asdfTools, match[1]!)) continue
    flag(emit, asdfTools[match[1]!]!, match[2]!, start, start + match[0].length)
  }
}

const byPattern = (file: SourceFile, pattern: RegExp, runtime: Runtime, emit: Emit<RuleId>): void => {
  for (const [line, start] of linesOf(file.text)) {
    const match = line.length > MAX_LINE ? null : pattern.exec(line)
    if (match !== null) flag(emit, runtime, match[1]!, start, start + match[0].length)
  }
}

/** `18`, `18.x`, `^18.1` and `~18.1` mean that version and no other. */
const onlyVersion = /^[~^=v]{0,2}(\d{1,3}(?:\.(?:\d{1,4}|[x*])){0,2})$/

const inPackageJson = (file: SourceFile, emit: Emit<RuleId>): void =>
  readJson(file.text, {
    enter: (path, key) => path.length === 0 || (path.length === 1 && (key.text === "engines" || key.text === "volta")),
    leave: () => undefined,
    scalar: (path, key, start, end) => {
      if (path.length !== 2 || key.text !== "node") return
      const version = onlyVersion.exec(file.text.slice(start, end).trim())
      if (version !== null) flag(emit, "Node.js", version[1]!, start, end)
    }
  })

const inComposerJson = (file: SourceFile, emit: Emit<RuleId>): void =>
  readJson(file.text, {
    enter: (path, key) => path.length === 0 || (path[1] ?? key.text) === "config",
    leave: () => undefined,
    scalar: (path, key, start, end) => {
      if (path.length === 3 && path[2] === "platform" && key.text === "php") {
        flag(emit, "PHP", file.text.slice(start, end), start, end)
      }
    }
  })

const inProjectFile = (file: SourceFile, emit: Emit<RuleId>): void =>
  readXml(file.text, {
    open: () => undefined,
    close: () => undefined,
    text: (path, start, end) => {
      if (path.at(-1) !== "TargetFramework") return
      const match = /^net(?:coreapp)?(\d\.\d)(?:-\w+)?$/.exec(file.text.slice(start, end))
      if (match !== null) flag(emit, ".NET", match[1]!, start, end)
    }
  })

/** Images built upon are shipped; a stage that only builds ages as well. */
const inDockerfile = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const { image, from } of dockerfileOf(file)?.stages ?? []) {
    if (image === null || image.tag === null || !Object.hasOwn(images, image.name)) continue
    flag(emit, images[image.name]!, image.tag, from.start, from.end)
  }
}
