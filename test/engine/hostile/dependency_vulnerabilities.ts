import { filled, type WorstCase } from "../../support/worstCase.ts"

const locked = [
  "vulnerable_version_critical",
  "vulnerable_version",
  "vulnerable_version_moderate",
  "vulnerable_version_low",
  "malicious_package"
]
const of = (path: string, unit: string, around: readonly [string, string] = ["", ""]): WorstCase => ({
  rules: locked,
  path,
  text: (size) => filled(size, unit, around)
})
const runtime = (path: string, unit: string, around: readonly [string, string] = ["", ""]): WorstCase => ({
  ...of(path, unit, around),
  rules: ["end_of_life_runtime"]
})
const reference = ["$", "{a}"].join("")
/** As long as a line may be before it is passed over. */
const line = (unit: string, end = "\n") => `${unit.repeat(Math.floor(4_000 / unit.length))}${end}`

export const worstCases: ReadonlyArray<WorstCase> = [
  of("package-lock.json", "["),
  of("package-lock.json", '{"packages":'),
  of("package-lock.json", '{"dependencies":{"a":', ["", ""]),
  of("package-lock.json", '"node_modules/lodash":{"version":"4.17.11"},', ['{"packages":{', "}}"]),
  of("package-lock.json", '"a":{"version":"npm:a@1","dependencies":{', ['{"dependencies":{', ""]),
  of("package-lock.json", "\\", ['{"packages":{"', '"}}']),
  of("package-lock.json", '\\"', ['{"packages":{"', ""]),
  of("composer.lock", '{"name":"a/b","version":"1.0.0","license":["MIT"]},', ['{"packages":[', "]}"]),
  of("packages.lock.json", '"a":{"resolved":"1.0.0"},', ['{"dependencies":{"net8.0":{', "}}}"]),
  of("Pipfile.lock", '"a":{"version":"==1.0.0"},', ['{"default":{', "}}"]),
  of("pnpm-lock.yaml", line("  a@1", "'\n"), ["packages:\n", ""]),
  of("pnpm-lock.yaml", `  ${"a@1".repeat(160)}'\n`, ["packages:\n", ""]),
  of("pnpm-lock.yaml", line("      commit: 0123456789"), ["packages:\n\n  a@1.0.0:\n", ""]),
  of("yarn.lock", line("a@1, ", ":\n")),
  of("yarn.lock", line(' "')),
  of("requirements.txt", line("a ")),
  of("requirements.txt", `a${line(" ")}`),
  of("requirements.txt", `git+x${line("#egg=")}`),
  of("requirements.txt", `a${line("[")}`),
  of("poetry.lock", `source = {${line("editable ")}`, ["[[package]]\n", ""]),
  of("Cargo.lock", `[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+"\n`),
  of("go.mod", `require a${line(" ")}`),
  of("go.mod", `replace a${line(" ")}`),
  of("pom.xml", "<"),
  of("pom.xml", "<a>"),
  of("pom.xml", '<a b="'),
  of("pom.xml", "<!--"),
  of("pom.xml", `<dependency><artifactId>a</artifactId><version>${reference}</version></dependency>`, [
    `<project><properties><a>${reference.repeat(60)}</a></properties><dependencies>`,
    ""
  ]),
  of("build.gradle", line(" ")),
  of("build.gradle", `api${line(" ")}`),
  of("build.gradle", line("Implementation")),
  of("gradle.lockfile", `a:b:1=${line("test,")}`),
  of("Gemfile.lock", `    a${line("(")}`, ["GEM\n", ""]),
  of("a.csproj", "a", ['<PackageReference Include="a" ', ">"]),
  of("a.csproj", `<PackageReference ${"a".repeat(4_000)}>`),
  of("a.csproj", `<PackageReference ${"a= ".repeat(1_300)}>`),
  runtime("package.json", '{"engines":'),
  runtime("composer.json", '"php":"7.1",', ['{"config":{"platform":{', "}}}"]),
  runtime("a.csproj", "<TargetFramework>net6.0</TargetFramework>"),
  runtime(".tool-versions", `nodejs${line(" ")}`),
  runtime(".nvmrc", " "),
  runtime("go.mod", `toolchain go${line("1.")}`),
  runtime("Gemfile", `ruby "${line("1.")}`),
  runtime("Dockerfile", "FROM node:12\n")
]
