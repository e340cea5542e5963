import { filled, type WorstCase } from "../../support/worstCase.ts"

const of = (rule: string, path: string, unit: string, around: readonly [string, string] = ["", ""]): WorstCase => ({
  rules: [rule],
  path,
  text: (size) => filled(size, unit, around)
})
const line = (unit: string, end = "\n") => `${unit.repeat(Math.floor(4_000 / unit.length))}${end}`

export const worstCases: ReadonlyArray<WorstCase> = [
  of("no_lockfile", "package.json", '{"dependencies":'),
  of("no_lockfile", "package.json", '"a":"1",', ['{"dependencies":{', "}}"]),
  of(
    "licence_conflict",
    "package-lock.json",
    `"node_modules/a":{"version":"1.0.0","license":"${"(GPL-3.0 OR ".repeat(15)}"},`,
    ['{"packages":{', "}}"]
  ),
  of("insecure_source", "package-lock.json", '"node_modules/a":{"version":"1.0.0","resolved":"http://a.b/c"},', [
    '{"packages":{',
    "}}"
  ]),
  of("insecure_source", "package-lock.json", "x.tgz", ['{"packages":{"node_modules/a":{"resolved":"https://', '"}}}']),
  of("insecure_source", "package-lock.json", "@", ['{"packages":{"node_modules/a":{"resolved":"git+https://', '"}}}']),
  of("insecure_source", "requirements.txt", `git+https://a${line("@0123456789")}`),
  of("insecure_source", "Gemfile", `gem ${line(" git:")}`),
  of("insecure_source", "build.gradle", line("url ")),
  of("insecure_source", "build.gradle", line(" ")),
  of("insecure_source", ".npmrc", line("registry=")),
  of("insecure_source", "pom.xml", "<repository><url>http://a.b</url>"),
  of("insecure_source", "nuget.config", `<add ${line("value ", ">")}`, ["<packageSources>", ""]),
  of("insecure_source", "composer.json", '{"url":"http://a.b"},', ['{"repositories":[', "]}"])
]
