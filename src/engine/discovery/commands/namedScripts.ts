import { baseName, directoryOf } from "../../core/text/paths.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { shipsSomething } from "./builds/packing.ts"
import type { Command, Purpose } from "./Command.ts"

/** Names that leave no doubt, without their ending. */
const purposes: ReadonlyArray<readonly [name: RegExp, purpose: Purpose]> = [
  [/^(?:run[-_]?)?(?:all[-_]?)?tests?(?:[-_]?all)?$|^test[-_]?suite$/, "test"],
  [
    /^(?:run[-_]?)?lint(?:er|ing)?$|^(?:check|code)[-_]?(?:style|format(?:ting)?)$|^(?:style|(?:clang[-_]?)?format)[-_]?check$/,
    "lint"
  ],
  [/^(?:format|fmt|format[-_]?code|clang[-_]?format(?:[-_]?all)?|run[-_]?clang[-_]?format)$/, "format"],
  [
    /^(?:make|mk|do|create|cut|new|prepare|tag|package)?[-_]?(?:src|source)?[-_]?release(?:[-_](?:tarballs?|packages?|archives?))?$|^(?:make|mk|build)?[-_]?dist(?:ribution)?$|^(?:make|mk|create)[-_]?(?:src|source)?[-_]?(?:tarballs?|archives?)$|^(?:publish|upload)(?:[-_](?:to|test|pypi|npm|crates|maven|central|release|packages?|gems?))*$/,
    "release"
  ]
]

/** Scripts of a folder for releases, by where they put one. */
const ofReleases =
  /^releas(?:e|ing)\/(?:releases?|publish|upload|github|gitlab|npm|pypi|docker|crates)\.(?:sh|bash|py|pl|rb)$/

const isScript =
  /^(?:(?:scripts?|tools?|bin|ci|dev|utils?|hack|maint|build-aux|contrib|etc|releas(?:e|ing)|packaging)\/)?[\w-]+(?:\.(?:sh|bash|py|pl|rb))?$/

/** Of what is not read the name has to do. */
const shipsNothing = ({ text }: ObservedFile): boolean => text !== null && text !== "" && !shipsSomething(text)

/** Scripts of the repository at its root or in a folder for them. */
export const namedScripts = (survey: Survey): ReadonlyArray<Command> =>
  survey.files.flatMap((file): ReadonlyArray<Command> => {
    const { path, language, role } = file
    if (!isScript.test(path) || !/^(?:shell|python|ruby|text)$/.test(language) || role === "vendored") return []
    if (language === "text" && !/\.pl$/.test(path)) return []
    const name = baseName(path)
      .replace(/\.\w+$/, "")
      .toLowerCase()
    const purpose = ofReleases.test(path) ? "release" : purposes.find(([pattern]) => pattern.test(name))?.[1]
    if (purpose === "release" && shipsNothing(file)) return []
    const command = directoryOf(path) === "" ? `./${path}` : path
    return purpose === undefined ? [] : [{ purpose, command, means: null, folder: "", path, line: 1, origin: "target" }]
  })
