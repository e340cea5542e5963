import { joined } from "../../../core/text/paths.ts"
import { clip } from "../../Observed.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import type { Command, Purpose } from "../Command.ts"
import { purposeOfScript } from "../words.ts"
import { customTargets } from "./customTargets.ts"
import { makesRelease } from "./packing.ts"

/** The script that configures is there, or one that makes it. */
export const configured = (survey: Survey, folder: string): string => {
  if (survey.has(joined(folder, "configure"))) return "./configure && make"
  const maker = ["autogen.sh", "bootstrap.sh", "bootstrap"].find((name) => survey.has(joined(folder, name)))
  return `${maker === undefined ? "autoreconf -fi" : `./${maker}`} && ./configure && make`
}

/** What the name of a file at the root shows, which need not be read. */
const unread: ReadonlyArray<readonly [file: RegExp, command: (survey: Survey) => string]> = [
  // A script of that name alone may set up anything.
  [/^(?:configure\.in|Makefile\.(?:in|tmpl|template|dist|skel|base))$/, (survey) => configured(survey, "")],
  // Written by hand, it makes the Makefile of what lies beside it.
  [/^Configure$/, () => "./Configure && make"],
  [/^SConstruct$/, () => "scons"],
  [/^waf$/, () => "./waf configure build"]
]

const isOtherBuild = /^(?:configure\.ac|CMakeLists\.txt|meson\.build)$/

/** qmake takes the only project of the folder; of several it is given the one that has the others below it. */
const qmake = (survey: Survey): ReadonlyArray<Command> => {
  const projects = survey.texts(/^[\w.-]+\.pro$/)
  if (survey.hasLike(isOtherBuild)) return []
  const main =
    projects.length > 1 ? projects.find(({ text }) => /^\s*TEMPLATE\s*=\s*subdirs\b/m.test(text)) : projects[0]
  if (main === undefined) return []
  const command = projects.length > 1 ? `qmake ${main.path} && make` : "qmake && make"
  return [{ purpose: "build", command, means: null, folder: "", path: main.path, line: 1, origin: "convention" }]
}

const ofOther = (survey: Survey): ReadonlyArray<Command> =>
  unread.flatMap(([file, command]): ReadonlyArray<Command> => {
    const path = survey.rootFile(file)
    if (
      path === undefined ||
      (path.startsWith("Makefile.") && !survey.has("configure")) ||
      (path === "Configure" && survey.rootFile(/^(?:(?:GNUm|[Mm])akefile|configure)$/) !== undefined) ||
      survey.hasLike(isOtherBuild)
    )
      return []
    const common = { purpose: "build", means: null, folder: "", line: 1, origin: "convention" } as const
    return [{ ...common, command: command(survey), path }]
  })

/** LuaRocks puts in its place what lies there by the only rockspec, or the one that is for what is being worked on. */
const luaRocks = (survey: Survey): ReadonlyArray<Command> => {
  const specs = survey.texts(/^[\w.-]+\.rockspec$/)
  const main = specs.length > 1 ? specs.find(({ path }) => /-(?:dev|scm|git)\w*-\d+\.rockspec$/.test(path)) : specs[0]
  if (main === undefined) return []
  const common = { means: null, folder: "", path: main.path, line: 1, origin: "convention" } as const
  return [{ ...common, purpose: "use", command: `luarocks make ${main.path}` }]
}

/** Programs of frameworks of PHP that serve what a Composer package holds. */
const served: ReadonlyArray<readonly [file: string, command: string]> = [
  ["artisan", "php artisan serve"],
  ["spark", "php spark serve"]
]

const phpServers = (survey: Survey): ReadonlyArray<Command> =>
  served.flatMap(([path, command]): ReadonlyArray<Command> => {
    if (!survey.has(path) || !survey.has("composer.json")) return []
    return [{ purpose: "run", command, means: null, folder: "", path, line: 1, origin: "convention" }]
  })

const ofExtraTarget: ReadonlySet<Purpose | null> = new Set<Purpose>(["release", "lint", "format", "test"])

/** Targets that a project of qmake adds to its Makefile: `QMAKE_EXTRA_TARGETS += dist`, with what `dist.commands` says. */
const extraTargets = (survey: Survey): ReadonlyArray<Command> =>
  survey.texts(/^[\w.-]+\.pro$/).flatMap(({ path, text }) => {
    const added = new Set(
      [...text.matchAll(/^\s*QMAKE_EXTRA_TARGETS\s*\+?=\s*(.*)$/gm)].flatMap(([, names]) => names!.split(/\s+/))
    )
    const targets = [...text.matchAll(/^\s*([a-z]\w{1,30})\.commands\s*\+?=\s*(\S(?:[^\n]*\\\n)*[^\n]*)/gm)].map(
      ([, name, commands]) => ({ name: name!, body: commands!.split(/\\\n|&&|;/).map((one) => one.trim()) })
    )
    return targets.flatMap((target): ReadonlyArray<Command> => {
      const means = target.body.join("; ")
      const purpose = makesRelease(target, targets, text) ? "release" : purposeOfScript(target.name, means)
      if (!added.has(target.name) || !ofExtraTarget.has(purpose)) return []
      const line = lineOf(text, `${target.name}.commands`) ?? 1
      const common = { folder: "", path, line, origin: "target" } as const
      return [{ ...common, purpose: purpose!, command: `make ${target.name}`, means: clip(means, 140) }]
    })
  })

export const unreadBuilds = (survey: Survey): ReadonlyArray<Command> => [
  ...ofOther(survey),
  ...qmake(survey),
  ...extraTargets(survey),
  ...customTargets(survey),
  ...luaRocks(survey),
  ...phpServers(survey)
]
