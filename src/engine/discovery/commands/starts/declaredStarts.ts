import { lineOf, type Survey } from "../../Survey.ts"
import type { Start } from "./Start.ts"

const interpreter = /^(?:\S*\/)?(node|bun|python|ruby|perl|php)[\d.]*$/
const server = /^(?:\S*\/)?(uvicorn|gunicorn|hypercorn|daphne|waitress-serve)$/

/** What the tree does not have, or what someone fills in: paths from the root of a machine, variables, wildcards of systemd. */
const isElsewhere = /^(?:[\w-]+=)?~?\/|[$%`*<>|&;]/

/** A module of Python by the name that it is imported by. */
const hasModule = (survey: Survey, name: string): boolean => {
  const path = name.replaceAll(".", "/")
  return survey.has(`${path}.py`) || survey.has(`${path}/__main__.py`)
}

/** `/opt/kettle/daemon.js` is the file of that name at the root of the tree, or in the folder that it shares with it. */
const inTree = (survey: Survey, written: string, home: string): string | undefined => {
  const path =
    home !== "" && written.startsWith(`${home}/`) ? written.slice(home.length + 1) : written.replace(/^\.\//, "")
  if (!path.startsWith("/")) return survey.has(path) ? path : undefined
  const parts = path.split("/").slice(1)
  return parts.map((_, from) => parts.slice(from).join("/")).find((one) => survey.has(one))
}

/** The words that an interpreter starts, with the file where it lies in a checkout. */
const interpreted = (survey: Survey, name: string, args: ReadonlyArray<string>, home: string) => {
  const at = args.findIndex((word) => !word.startsWith("-"))
  const options = args.slice(0, Math.max(at, 0))
  if (options.some((word) => !/^-[uBEOIs]$|^-m$|^--enable-source-maps$/.test(word)) || at < 0) return null
  const [target = "", ...rest] = args.slice(at)
  if (options.at(-1) === "-m") return hasModule(survey, target) ? [name, ...options, target, ...rest] : null
  const file = inTree(survey, target, home)
  return file === undefined || !/\.\w+$/.test(file) ? null : [name, ...options, file, ...rest]
}

/** A server of Python is given the module of the application. */
const served = (survey: Survey, name: string, args: ReadonlyArray<string>) =>
  args.some((word) => hasModule(survey, /^([\w.]+):\w+(?:\(\))?$/.exec(word)?.[1] ?? "-")) ? [name, ...args] : null

const MAX_WORDS = 16

/** A command of a machine as it is run in a checkout; null where it starts what is not in the tree, or needs what is not. */
const inCheckout = (survey: Survey, words: ReadonlyArray<string>, home: string): string | null => {
  const [program = "", ...args] = words
  if (words.length > MAX_WORDS) return null
  const name = interpreter.exec(program)?.[1]
  const asked = server.exec(program)?.[1]
  const started =
    name !== undefined
      ? interpreted(survey, name, args, home)
      : asked === undefined
        ? null
        : served(survey, asked, args)
  return started === null || started.some((word) => isElsewhere.test(word) || /\s/.test(word))
    ? null
    : started.join(" ")
}

const listOf = (written: string): ReadonlyArray<string> => {
  const text = written.trim()
  if (!text.startsWith("[")) return text.split(/\s+/)
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!)
}

const lastOf = (text: string, word: string): string | undefined =>
  [...text.matchAll(new RegExp(`^${word}[ \\t]+(\\S[^\\n]{0,300})$`, "gm"))].at(-1)?.[1]

/** What the image at the root starts: `CMD ["node", "src/index.js"]`, where the image holds the tree as it is. */
const ofImage = (survey: Survey): ReadonlyArray<Start> =>
  survey.sourceTexts(/^(?:Docker|Container)file$/).flatMap(({ path, text }): ReadonlyArray<Start> => {
    const stage = text.slice(Math.max(0, text.lastIndexOf("\nFROM ")))
    if (!/^(?:COPY|ADD)[ \t]+(?:--\S+[ \t]+)*\.\/?[ \t]/m.test(stage)) return []
    const home = (lastOf(stage, "WORKDIR") ?? "").trim().replace(/\/$/, "")
    const [entry, asked] = [lastOf(stage, "ENTRYPOINT"), lastOf(stage, "CMD")]
    const words = [entry, asked].flatMap((one) => (one === undefined ? [] : listOf(one)))
    const command = inCheckout(survey, words, home)
    return command === null
      ? []
      : [{ name: command, command, path, line: lineOf(text, entry ?? asked ?? "") ?? 1, origin: "container" }]
  })

const starts = /^ExecStart[ \t]*=[ \t]*[-@+!:]*(\S[^\n]{0,300})$/m

/** What a unit of systemd starts by an interpreter: `ExecStart=/usr/bin/node /opt/kettle/daemon.js`. */
const ofUnits = (survey: Survey): ReadonlyArray<Start> =>
  survey.sourceTexts(/\.service(?:\.in)?$/).flatMap(({ path, text }): ReadonlyArray<Start> => {
    const command = inCheckout(survey, (starts.exec(text)?.[1] ?? "").trim().split(/\s+/), "")
    return command === null
      ? []
      : [{ name: command, command, path, line: lineOf(text, starts) ?? 1, origin: "container" }]
  })

/** What an image or units have started, where that is one thing. */
export const declaredStarts = (survey: Survey): ReadonlyArray<Start> => {
  const image = ofImage(survey)
  return image.length > 0 ? image : ofUnits(survey)
}
