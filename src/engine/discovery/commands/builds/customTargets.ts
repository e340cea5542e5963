import { baseName } from "../../../core/text/paths.ts"
import { clip } from "../../Observed.ts"
import type { Survey } from "../../Survey.ts"
import type { Command, Purpose } from "../Command.ts"
import { partsOf, purposeOfScript } from "../words.ts"
import { makesRelease } from "./packing.ts"

/** Targets beside what is built: `add_custom_target(lint COMMAND …)`, `run_target('lint', command : …)`. */
const declared: ReadonlyArray<readonly [file: RegExp, target: RegExp, asked: string]> = [
  [
    /(?:^|\/)CMakeLists\.txt$/,
    /^[ \t]*add_custom_target\s*\(\s*"?([A-Za-z][\w-]{1,40})"?(?=[\s)])([^)]{0,600})/gim,
    "cmake --build build --target"
  ],
  [
    /(?:^|\/)meson\.build$/,
    /^\s*(?:\w+\s*=\s*)?run_target\s*\(\s*'([A-Za-z][\w-]{1,40})'([^)]{0,600})/gm,
    "ninja -C build"
  ]
]

const counted: ReadonlySet<Purpose | null> = new Set<Purpose>(["lint", "format", "types", "release"])

/** CPack makes an archive of the sources. */
const packsSources = /\bpackage_source\b/

const bodyOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\bCOMMAND\b|\bcommand\s*:/)
    .slice(1)
    .flatMap((one) => partsOf(one.replace(/[[\]',]/g, " ").replace(/\s+/g, " ")))

const purposeOf = (name: string, written: string, body: ReadonlyArray<string>, file: string): Purpose | null =>
  packsSources.test(written) || makesRelease({ name, body }, [], file)
    ? "release"
    : purposeOfScript(name, body.join("; "))

const targetsIn = (path: string, text: string, target: RegExp, asked: string): ReadonlyArray<Command> =>
  [...text.matchAll(target)].flatMap((match): ReadonlyArray<Command> => {
    const [whole, name, written] = match
    const body = bodyOf(written!)
    const purpose = purposeOf(name!, written!, body, text)
    if (purpose === null || !counted.has(purpose)) return []
    const line = text.slice(0, match.index + whole.search(/\S/)).split("\n").length
    const means = body.length === 0 ? null : clip(body.join("; "), 140)
    return [{ purpose, command: `${asked} ${name}`, means, folder: "", path, line, origin: "target" }]
  })

/** What builds of CMake and Meson are asked for besides, where a target lints, formats or makes a release. */
export const customTargets = (survey: Survey): ReadonlyArray<Command> =>
  declared.flatMap(([file, target, asked]) =>
    survey
      .sourceTexts(file)
      .filter(({ path }) => survey.has(baseName(path)))
      .flatMap(({ path, text }) => targetsIn(path, text, target, asked))
  )
