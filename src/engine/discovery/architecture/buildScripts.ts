import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import type { Survey } from "../Survey.ts"

/** Scripts of a package that make it, by their names: `build`, `build:icons`, `buildWorkers`, `postinstall`. */
const makes =
  /^(?:pre|post)?(?:build|compile|bundle|gen|generate|codegen|prepare|prepack|prepublish\w*|install|version|release|deploy|docs?|lint|format|clean|icons?|assets|copy|fix|types|schema|changelog|publish|pack|package|minify)(?![a-z])/

const isStart = /^(?:pre|post)?(?:start|serve|server|dev|run|watch|cli|worker)(?![a-z])/

const started =
  /(?<![\w./-])(?:node|tsx|ts-node|bun)[ \t]+(?:--?[\w=-]{1,40}[ \t]+){0,3}(?:\.\/)?([\w./-]{1,120}\.[cm]?[jt]s)(?![\w.])/g

const filesOf = (script: string): ReadonlyArray<string> => [...script.matchAll(started)].map(([, path]) => path!)

type Scripts = ReadonlyArray<readonly [name: string, script: string]>

const scriptsOf = (scripts: unknown): Scripts =>
  Object.entries(isRecord(scripts) ? scripts : {}).flatMap(
    ([name, script]): Scripts => (typeof script === "string" ? [[name, script]] : [])
  )

const filesWhere = (scripts: Scripts, isMeant: RegExp): ReadonlyArray<string> =>
  scripts.flatMap(([name, script]) => (isMeant.test(name) ? filesOf(script) : []))

/** Files that only scripts of the build run, as the root's `package.json` has it: what they write belongs to the build. */
export const buildScripts = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey.sourceTexts(/^package\.json$/).flatMap(({ text }) => {
      const manifest = parseConfiguration(text)
      const scripts = scriptsOf(manifest?.scripts)
      const served = filesWhere(scripts, isStart)
      const own = JSON.stringify([manifest?.bin, manifest?.main, manifest?.exports])
      return filesWhere(scripts, makes).filter((path) => !served.includes(path) && !own.includes(path))
    })
  )
