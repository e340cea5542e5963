import { directoryOf } from "../../../core/text/paths.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import { isOfHelpers, type Start } from "./Start.ts"

/** Folders of modules that have a class which is started. */
const startedModules = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey.source.flatMap(({ path, isEntryPoint }) => {
      const end = isEntryPoint > 0 ? path.indexOf("/src/main/") : -1
      return end < 0 ? [] : [path.slice(0, end)]
    })
  )

const only = (starts: ReadonlyArray<Start>): ReadonlyArray<Start> => (starts.length === 1 ? starts : [])

const spring = /<artifactId>spring-boot-maven-plugin</

/** The one module of Maven that Spring Boot starts, from the root, whose manifest lists it. */
const ofMaven = (survey: Survey): ReadonlyArray<Start> => {
  const started = startedModules(survey)
  const root = survey.file("pom.xml")?.text ?? ""
  const tool = survey.has("mvnw") ? "./mvnw" : "mvn"
  return only(
    survey.sourceTexts(/^(?:[\w.-]+\/)+pom\.xml$/).flatMap(({ path, text }): ReadonlyArray<Start> => {
      const module = directoryOf(path)
      if (!spring.test(text) || !root.includes(`<module>${module}</module>`) || isOfHelpers(module)) return []
      if (!started.has(module)) return []
      return [{ name: module, command: `${tool} spring-boot:run -pl ${module}`, path, line: lineOf(text, spring) ?? 1 }]
    })
  )
}

/** A plugin that starts the module; one that the root only fetches for its modules does not. */
const tasks: ReadonlyArray<readonly [plugin: RegExp, task: string]> = [
  [/\bid\s*\(?\s*["']org\.springframework\.boot["'](?!.{0,120}apply\s*\(?\s*false)/, "bootRun"],
  [/\bid\s*\(?\s*["']application["']|\bapply plugin: ["']application["']|^ {0,8}application$/m, "run"]
]

/** The one module of Gradle below a root that has a build of its own. */
const ofGradle = (survey: Survey): ReadonlyArray<Start> => {
  if (survey.rootFile(/^settings\.gradle(?:\.kts)?$/) === undefined) return []
  const started = startedModules(survey)
  const tool = survey.has("gradlew") ? "./gradlew" : "gradle"
  return only(
    survey.sourceTexts(/^(?:[\w.-]+\/)+build\.gradle(?:\.kts)?$/).flatMap(({ path, text }): ReadonlyArray<Start> => {
      const module = directoryOf(path)
      const [plugin, task] = tasks.find(([pattern]) => pattern.test(text)) ?? []
      if (plugin === undefined || isOfHelpers(module) || !started.has(module)) return []
      const command = `${tool} :${module.replaceAll("/", ":")}:${task}`
      return [{ name: module, command, path, line: lineOf(text, plugin) ?? 1 }]
    })
  )
}

const makesProgram = /\bSdk="Microsoft\.NET\.Sdk\.(?:Web|Worker)"|<OutputType>\s*(?:Win)?Exe\s*</i

/** The one project of .NET that makes a program. */
const ofDotnet = (survey: Survey): ReadonlyArray<Start> =>
  only(
    survey.sourceTexts(/\.csproj$/).flatMap(({ path, text }): ReadonlyArray<Start> => {
      const folder = directoryOf(path)
      // Projects of the .NET Framework's time name no SDK, and are started elsewhere.
      if (!/<Project\s[^>]*\bSdk=/.test(text) || !makesProgram.test(text) || isOfHelpers(path)) return []
      const command = folder === "" ? "dotnet run" : `dotnet run --project ${folder}`
      return [{ name: path, command, path, line: lineOf(text, makesProgram) ?? 1 }]
    })
  )

/** The one module of a build that is started. */
export const moduleStarts = (survey: Survey): ReadonlyArray<Start> => [
  ...ofMaven(survey),
  ...ofGradle(survey),
  ...ofDotnet(survey)
]
