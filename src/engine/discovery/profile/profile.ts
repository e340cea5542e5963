import { directoryOf } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import { entryPointsOf } from "../architecture/entries.ts"
import { clip, type ObservedFile } from "../Observed.ts"
import { languageTitles, lineOf, type Survey } from "../Survey.ts"
import { activityOf } from "./history.ts"
import {
  type Dependency,
  foreignDependencies,
  frameworksOf,
  packageManagersOf,
  rootFolder,
  testRunnersOf,
  unitsOf
} from "./manifests.ts"

const licences: ReadonlyArray<readonly [RegExp, string]> = [
  [/GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i, "AGPL-3.0"],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i, "LGPL-3.0"],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/i, "LGPL-2.1"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/i, "GPL-3.0"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 2/i, "GPL-2.0"],
  [/Apache License\s+Version 2\.0/i, "Apache-2.0"],
  [/Mozilla Public License,? Version 2\.0/i, "MPL-2.0"],
  [/Permission is hereby granted, free of charge/i, "MIT"],
  [/Redistribution and use in source and binary forms[\s\S]{0,2000}Neither the name/i, "BSD-3-Clause"],
  [/Redistribution and use in source and binary forms/i, "BSD-2-Clause"],
  [/Permission to use, copy, modify, and\/or distribute/i, "ISC"],
  [/This is free and unencumbered software/i, "Unlicense"]
]

const isCode = ({ language, role }: Pick<ObservedFile, "language" | "role">): boolean =>
  languageTitles[language] !== undefined && (role === "source" || role === "test")

const licenceOf = (survey: Survey) => {
  const files = survey.texts(/(?:^|\/)(?:LICEN[SC]E|COPYING|MIT-LICENSE)[\w.-]*$/)
  for (const { path, text } of files) {
    const name = licences.find(([pattern]) => pattern.test(text.slice(0, 4_000)))?.[1]
    if (name !== undefined) return { name, file_path: path }
  }
  for (const { path, text } of survey
    .texts(/(?:^|\/)(?:package|composer)\.json$|(?:^|\/)(?:Cargo|pyproject)\.toml$/)
    .slice(0, 3)) {
    const declared = parseConfiguration(text)?.license ?? /^license\s*=\s*["']([^"']{2,40})/m.exec(text)?.[1]
    if (typeof declared === "string") return { name: clip(declared, 40), file_path: path }
  }
  return null
}

/** Pages below such a folder are documents or what a tool has written. */
const shownPages = /(?:^|\/)(?:public|static|help|docs?|htdocs|javadoc|site)\/.*\.html?$/i

const languagesOf = (survey: Survey) => {
  const shares = new Map<string, { files: number; lines: number; bytes: number }>()
  for (const { path, language, lines, bytes, role } of survey.files) {
    const title = languageTitles[language]
    if (title === undefined || (role !== "source" && role !== "test") || shownPages.test(path)) continue
    const share = shares.get(title) ?? { files: 0, lines: 0, bytes: 0 }
    shares.set(title, { files: share.files + 1, lines: share.lines + lines, bytes: share.bytes + bytes })
  }
  const total = [...shares.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  return [...shares]
    .sort((a, b) => b[1].bytes - a[1].bytes || (a[0] < b[0] ? -1 : 1))
    .map(([name, share]) => ({ name, ...share, share: Math.round((1_000 * share.bytes) / Math.max(1, total)) / 1_000 }))
}

const pipelines: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\.github\/workflows\/[^/]+\.ya?ml$/, "GitHub Actions"],
  [/^\.(?:gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/, "Gitea Actions"],
  [/^\.gitlab-ci\.yml$/, "GitLab CI"],
  [/^\.circleci\/config\.yml$/, "CircleCI"],
  [/^\.travis\.yml$/, "Travis CI"],
  [/^Jenkinsfile$/, "Jenkins"],
  [/^azure-pipelines\.yml$/, "Azure Pipelines"],
  [/^bitbucket-pipelines\.yml$/, "Bitbucket Pipelines"]
]

const containersOf = (survey: Survey) =>
  survey
    .texts(/(?:^|\/)Dockerfile[\w.-]*$|(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/)
    .slice(0, 20)
    .map(({ path, text }) => ({
      file_path: path,
      kind: /compose/.test(path) ? "compose" : "image",
      base: /^FROM\s+(?:--platform=\S+\s+)?(\S{1,100})/m.exec(text)?.[1] ?? null,
      ports: [...text.matchAll(/^EXPOSE\s+([\d/a-z ]{1,40})/gm)].map(([, port]) => port!.trim())
    }))

const versionFiles: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?:^|\/)(?:\.nvmrc|\.node-version)$/, "Node.js"],
  [/(?:^|\/)\.python-version$/, "Python"],
  [/(?:^|\/)\.ruby-version$/, "Ruby"]
]

const stringIn = (record: unknown, key: string): string | undefined => {
  const value = isRecord(record) ? record[key] : undefined
  return typeof value === "string" ? value : undefined
}

/** Where the manifests of other languages write the version that they need. */
const writtenVersions = [
  { manifest: /go\.mod$/, name: "Go", version: /^go (\S+)/m, line: /^go /m },
  { manifest: /Cargo\.toml$/, name: "Rust", version: /^rust-version\s*=\s*"([^"]+)"/m, line: /^rust-version/m },
  {
    manifest: /pyproject\.toml$|setup\.py$/,
    name: "Python",
    version: /(?:requires-python\s*=|python_requires\s*=)\s*["']([^"']+)/,
    line: /requires-python|python_requires/
  },
  { manifest: /Gemfile$/, name: "Ruby", version: /^ruby\s+(.{1,40})$/m, line: /^ruby\s/m },
  {
    manifest: /pom\.xml$/,
    name: "Java",
    version: /<(?:maven\.compiler\.(?:source|release)|java\.version)>([^<]+)</,
    line: /<(?:maven\.compiler|java\.version)/
  }
]

const runtimesOf = (survey: Survey) => {
  const found: Array<{
    readonly name: string
    readonly version: string
    readonly file_path: string
    readonly line: number
  }> = []
  const add = (name: string, version: string | undefined, file_path: string, line: number | null) => {
    if (version !== undefined && !found.some((one) => one.name === name))
      found.push({ name, version: clip(version, 40), file_path, line: line ?? 1 })
  }
  for (const [pattern, name] of versionFiles)
    for (const { path, text } of survey.texts(pattern).slice(0, 1)) add(name, text.trim() || undefined, path, 1)
  for (const { path, text } of survey
    .texts(/(?:^|\/)(?:package\.json|composer\.json|go\.mod|Cargo\.toml|pyproject\.toml|setup\.py|Gemfile|pom\.xml)$/)
    .slice(0, 20)) {
    const json = /json$/.test(path) ? parseConfiguration(text) : null
    add("Node.js", stringIn(json?.engines, "node"), path, lineOf(text, '"engines"'))
    add("PHP", stringIn(json?.require, "php"), path, lineOf(text, '"php"'))
    for (const { manifest, name, version, line } of writtenVersions) {
      if (manifest.test(path)) add(name, version.exec(text)?.[1]?.replace(/["']/g, ""), path, lineOf(text, line))
    }
  }
  return found
}

const isBuildTool = /^(?:vite|webpack|esbuild|tailwindcss|prisma|next|nuxt|electron|jquery|bootstrap|benchpressjs)$/

/** Distributions of Python whose module has another name. */
const pythonModules: Readonly<Record<string, string>> = { djangorestframework: "rest_framework" }

/** A package that no source imports is for something beside the product: a benchmark, a test, an example. */
const isUsed = (survey: Survey, { ecosystem, name }: Dependency): boolean => {
  if (ecosystem === "PyPI") return survey.imports(pythonModules[name.toLowerCase()] ?? name.toLowerCase())
  return ecosystem !== "npm" || isBuildTool.test(name) || survey.imports(name)
}

const layoutOf = (survey: Survey, root: string) => {
  const folders = new Map<string, { files: number; lines: number }>()
  for (const { path, lines, language, role } of survey.files) {
    if (!isCode({ language, role })) continue
    const parts = directoryOf(path).split("/")
    const below = root !== "" && path.startsWith(`${root}/`) ? root.split("/").length : 0
    const key = parts.slice(0, below + 2).join("/")
    const known = folders.get(key) ?? { files: 0, lines: 0 }
    folders.set(key, { files: known.files + 1, lines: known.lines + lines })
  }
  return [...folders]
    .sort((a, b) => b[1].lines - a[1].lines || (a[0] < b[0] ? -1 : 1))
    .slice(0, 20)
    .map(([folder, share]) => ({ folder: folder === "" ? "." : folder, ...share }))
}

/** The repository in numbers and names. Everything in it can be looked up in the file that is given with it. */
export const profileOf = (survey: Survey) => {
  const dependencies = foreignDependencies(survey)
  const root = rootFolder(survey)
  const code = survey.files.filter(isCode)
  const sum = (files: ReadonlyArray<{ readonly lines: number }>) => files.reduce((total, { lines }) => total + lines, 0)
  return {
    languages: languagesOf(survey),
    runtimes: runtimesOf(survey),
    frameworks: frameworksOf(dependencies.filter((dependency) => isUsed(survey, dependency))),
    package_managers: packageManagersOf(survey, root),
    test_runners: testRunnersOf(dependencies),
    entry_points: entryPointsOf(survey),
    units: unitsOf(survey).slice(0, 60),
    pipelines: pipelines.flatMap(([pattern, name]) =>
      survey.texts(pattern).map(({ path }) => ({ name, file_path: path }))
    ),
    containers: containersOf(survey),
    licence: licenceOf(survey),
    layout: layoutOf(survey, root),
    routes: survey.source.reduce((total, { routes }) => total + routes.length, 0),
    size: {
      files: survey.files.length,
      source_files: survey.source.filter(isCode).length,
      test_files: survey.tests.filter(isCode).length,
      lines_of_code: sum(code),
      lines_of_tests: sum(survey.tests.filter(isCode))
    },
    activity: activityOf(survey.commits)
  }
}

export type Profile = ReturnType<typeof profileOf>
