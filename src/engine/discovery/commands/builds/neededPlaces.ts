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

const file = String.raw`["']?((?:\.{0,2}\/)?[\w.-]*(?:\/[\w.-]+)*\.\w+)["']?(?=\s|$)`

/** Files of settings, requirements or sources that a program is to read. */
const given = [
  String.raw`^(?:docker(?: |-)compose|podman-compose)\b.*?\s(?:-f|--file)[ =]`,
  String.raw`^(?:docker|podman|buildah) (?:buildx )?(?:build|bud)\b.*?\s(?:-f|--file)[ =]`,
  String.raw`^(?:pip3?|uv pip) install\b.*?\s(?:-r|--requirement)[ =]?`,
  String.raw`^cargo\b.*?\s--manifest-path[ =]`,
  String.raw`^(?:tsc|vue-tsc)\b.*?\s(?:-p|--project|-b|--build)[ =]`,
  String.raw`^(?:babel|c8|cypress|eslint|esbuild|golangci-lint|jest|mkdocs|mocha|nyc|playwright|prettier|rollup|stylelint|tsup|typedoc|vite|vitest|webpack(?:-cli)?)\b.*?\s(?:-c|--config|--config-file)[ =]`,
  String.raw`^(?:flake8|mypy|pylint|pytest|phpunit|phpstan|psalm|phpcs)\b.*?\s(?:-c|--config|--config-file|--configuration|--rcfile|--standard)[ =]`,
  "^karma start ",
  String.raw`^go run (?:-\S+ )*`,
  "^(?:streamlit run|fastapi (?:dev|run)|chainlit run|panel serve|marimo (?:run|edit)|(?:flask|quart) --app) "
].map((before) => new RegExp(before + file))

/** Programs that are given the folders of what they test, check or compile. */
const looksAt =
  /^(?:pytest|py\.test|mypy|ruff|flake8|pylint|pycodestyle|black|isort|eslint|standard|mocha|jest|prove|phpunit|rspec|phpcs|prettier|babel|swc|coffee|sass|cpx|copyfiles|jsdoc|typedoc|microbundle)\b/
const ofTests = /(?<!\s-[\w-]{0,40})\s["']?(?:\.\/)?(tests?|specs?|__tests__|src|examples?|benchmarks?)(?=[/\s"']|$)/g

/** A program of the tree, started by its path, and the files that it is given by theirs. */
const startsLocal = /^(?:node )?\.\/(?:[\w-]+\/){0,4}[\w-]+(?:\.[cm]?js)? (?!.*\$)/
const shown = /(?<!\s(?:-o|--out\w*))\s\.\/((?:[\w-]+\/){1,6}[\w.-]+\.\w+)(?=\s|$)/g

const placesIn = (line: string): ReadonlyArray<string> => {
  const found = [...entered, script, ofHelpers, checked, ...given].flatMap((pattern) => pattern.exec(line)?.[1] ?? [])
  const ofPackages = ofGo.test(line) ? [...line.replace(/\s-o[ =]\S+/g, "").matchAll(packages)] : []
  const looked = looksAt.test(line) ? [...line.matchAll(ofTests)] : []
  const examples = startsLocal.test(line) ? [...line.matchAll(shown)] : []
  return [...found, ...[...ofPackages, ...looked, ...examples].map(([, path]) => path!)]
}

export const namesPlace = (line: string): boolean => line.includes(" --env-file") || placesIn(line).length > 0

const makes =
  /\b(?:mkdir|clone|submodule|curl|wget|tar|unzip|cp|mv|ln|(?<!\b(?:pip3?|npm|go|cargo)\s)install|touch|tee|generate\w*|init|create\w*|cmake(?! --(?:build|install))|meson(?! (?:compile|test|install)))\b|>|\s-o\s/

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
