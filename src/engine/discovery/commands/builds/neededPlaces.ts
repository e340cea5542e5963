import { resolvedPath, type Survey } from "../../Survey.ts"
import { isAbsent, isMade } from "../programs/startedFiles.ts"

const place = String.raw`((?:\.{0,2}\/)?[A-Za-z_][\w.-]*(?:\/[\w.-]+)*)\/?`

/** Where a line of shell goes, or has Make work. */
const entered = [
  new RegExp(String.raw`^\(?[ \t]{0,4}cd ["']?${place}["']?\)?$`),
  new RegExp(String.raw`^g?make\b.{0,80}?\s-C ?["']?${place}["']?(?=\s|$)`)
]

/** A script that a shell or an interpreter is given, or that is started by its path. */
const script =
  /^(?:(?:ba|z|da)?sh |perl |ruby |php |node )?(?:-\w+ )?((?:\.\/)?(?:[\w.-]+\/)*[\w-]+\.(?:sh|bash|py|pl|rb|php|[cm]?js))(?=\s|$)/
const ofHelpers = /^(?:\.\/)?((?:scripts?|hack|ci|contrib)\/[\w./-]+)(?=\s|$)/

const ofGo = /^go (?:build|test|run|vet|install)\b/
/** A package or a file of Go; what stands behind `-o` is made. */
const packages = /\s\.\/([\w-][\w./-]*?)(?:\/\.\.\.)?(?=\s|$)/g

/** Checks files that it is given one by one. */
const checked = /^(?:shellcheck|hadolint|actionlint)\b.*?\s(?:\.\/)?([\w-][\w.-]*\/[\w./-]+)(?=\s|$)/

/** Programs that are given the folders of what they test or check. */
const looksAt =
  /^(?:pytest|py\.test|mypy|ruff|flake8|pylint|pycodestyle|black|isort|eslint|standard|mocha|jest|prove|phpunit|rspec|phpcs|prettier)\b/
const ofTests = /(?<!\s-[\w-]{0,40})\s["']?(?:\.\/)?(tests?|specs?|__tests__)(?=[/\s"']|$)/g

const placesIn = (line: string): ReadonlyArray<string> => {
  const found = [...entered, script, ofHelpers, checked].flatMap((pattern) => pattern.exec(line)?.[1] ?? [])
  const ofPackages = ofGo.test(line) ? [...line.replace(/\s-o[ =]\S+/g, "").matchAll(packages)] : []
  const looked = looksAt.test(line) ? [...line.matchAll(ofTests)] : []
  return [...found, ...[...ofPackages, ...looked].map(([, path]) => path!)]
}

export const namesPlace = (line: string): boolean => line.includes(" --env-file") || placesIn(line).length > 0

const makes =
  /\b(?:mkdir|clone|submodule|curl|wget|tar|unzip|cp|mv|ln|install|touch|tee|generate\w*|init|create\w*)\b|>|\s-o\s/

/** Prose has such words for other things, too. */
const makesInDocument =
  /^\s{0,12}(?:\$ )?(?:sudo )?(?:mkdir|git clone|git submodule|curl|wget|tar|unzip|cp|mv|ln|touch)\b/

const MAX_LINE = 400

/** A rule of the file has it for its target, or a line of it makes it. */
const isMadeIn = (text: string, path: string, making: RegExp): boolean =>
  text
    .split("\n")
    .some(
      (line) =>
        line.startsWith(`${path}:`) ||
        (line.includes(path) && making.test(line.slice(0, MAX_LINE).replaceAll(path, "")))
    )

const isOfSubmodule = (survey: Survey, path: string): boolean =>
  (survey.file(".gitmodules")?.text ?? "").includes(`path = ${path.split("/")[0]}`)

/**
 * A folder, a script or a package that a line of shell names, which is not in the tree and which nothing in the file makes. In a
 * document it may be written as seen from any folder.
 */
export const lacksPlace = (
  survey: Survey,
  folder: string,
  line: string,
  text: string,
  isOfDocument: boolean
): boolean => {
  const making = isOfDocument ? makesInDocument : makes
  return placesIn(line).some((written) => {
    if (isOfDocument && survey.resolves(written)) return false
    const path = resolvedPath(folder, written)
    if (written.startsWith("..") || path === "" || isMade.test(written)) return false
    return (
      isAbsent(survey, path) && !isOfSubmodule(survey, path) && !isMadeIn(text, written.replace(/^\.\//, ""), making)
    )
  })
}
