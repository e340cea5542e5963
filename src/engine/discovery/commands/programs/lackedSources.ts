import { resolvedPath, type Survey } from "../../Survey.ts"
import type { Purpose } from "../Command.ts"
import { lacksTestSettings } from "../tests/testSettings.ts"
import { givenFile, isAbsent, isMade, shellParts, startedFile } from "./startedFiles.ts"

/** Files of tests that a runner is given. */
const givenTests =
  /\s["']?(?:\.\/)?(tests?|specs?|__tests__)\/|^(?:bun test|vitest(?: run)?|jest|mocha)\s+(?:-\S+\s+)*(?<!\s(?:-r|--(?:require|import|loader))\s)["']?(?:\.\/)?(\w[\w-]*)\//

const ofTests = /^(?:tests?|specs?|__tests__)\//

const runsTests =
  /^(?:mocha|jest|vitest|ava|tap|tape|jasmine(?:-node)?|karma|grunt|gulp|qunit|lab|uvu|borp|wtr|web-test-runner|test-runner|nyc|c8|istanbul cover|nodeunit|vows|deno test|bun test|node (?:-\S+ )*--test)(?=\s|$)/

const isTest = /(?:^|\/)(?:tests?|specs?|__tests__|e2e|features)\/|[._-](?:tests?|spec)\.\w+$|(?:^|\/)tests?\.\w+$/i

/** What is published is without its pipelines. */
const ofPipelines = /^\.(?:github|gitea|forgejo)\/workflows\/|^\.(?:gitlab-ci|travis|cirrus)\.yml$|^\.circleci\//

const hasCode = (survey: Survey): boolean => survey.hasLike(/\.(?:[cm]?[jt]sx?|coffee)$/)

/** Code of Node without history and without any test: a package as it is published. */
const isWithoutTests = (survey: Survey): boolean =>
  survey.commits.length === 0 &&
  survey.tests.length === 0 &&
  !survey.hasLike(ofPipelines) &&
  hasCode(survey) &&
  !survey.hasLike(isTest)

/** What a build or a start is given lies in a folder that the tree is without; a build, or tests, are given a file that is not there. */
const lacksFile = (survey: Survey, folder: string, purpose: Purpose, line: string): boolean => {
  const written = startedFile(line)
  if (written === undefined || isMade.test(written)) return false
  const path = resolvedPath(folder, written)
  const outer = written.includes("/") ? resolvedPath(folder, written.split("/")[0]!) : null
  const needsFolder = /^(?:build|run|test|check)$/.test(purpose) || ofTests.test(written)
  return (
    (needsFolder && outer !== null && !survey.hasFolder(outer)) ||
    (/^(?:build|test)$/.test(purpose) && isAbsent(survey, path))
  )
}

/** The program that is started is to show a file of a folder that the tree is without. */
const lacksGiven = (survey: Survey, folder: string, line: string): boolean => {
  const given = givenFile(line)
  if (given === undefined || isMade.test(given)) return false
  return !survey.hasFolder(resolvedPath(folder, given.split("/")[0]!))
}

/** The compiler of TypeScript that is given no file, and so looks for its settings. */
const compiles = /^tsc(?:\s+-{1,2}[\w-]+(?:[= ](?![\w./-]*\.(?:[cm]?[jt]sx?)(?:\s|$))[\w./-]+)?)*$/

/** A compiler that is given no file and has no settings does nothing but explain itself, whatever sources there are. */
const lacksTypes = (survey: Survey, line: string): boolean =>
  compiles.test(line) && hasCode(survey) && !survey.hasLike(/(?:^|\/)(?:ts|js)config[\w.-]*\.json$/)

/** Code that a build leaves, and types beside it. */
const isBuiltCode = /^(?:dist\w*|esm|cjs|umd|build|out|output)\/|\.d\.[cm]?ts$/

/** Node's code without history and pipelines, all of which a build has left: a package as it is published. */
const isBuiltAlone = (survey: Survey): boolean =>
  survey.commits.length === 0 &&
  !survey.hasLike(ofPipelines) &&
  hasCode(survey) &&
  survey.files.every(({ path }) => !/\.(?:[cm]?[jt]sx?|coffee)$/.test(path) || isBuiltCode.test(path))

/** Programs that make the code which is published of sources. */
const bundles =
  /^(?:tsc|vite build|rollup|webpack|esbuild|tsup|tsdown|unbuild|obuild|bundt|microbundle|babel|swc|parcel build|ts-scripts build|pkg-utils build|tshy|rslib build|ncc build)(?=\s|$)/

/** The folder of sources that a compiler is given: `babel ./src --out-dir dist`. */
const compiledFolder = /^(?:babel|swc)\s+["']?(?:\.\/)?([\w-]+)["']?\/?(?=\s+-|$)/

const lacksCompiled = (survey: Survey, folder: string, line: string): boolean => {
  const written = compiledFolder.exec(line)?.[1]
  return written !== undefined && hasCode(survey) && !survey.hasFolder(resolvedPath(folder, written))
}

/** Node is given a script by a name without an ending: `node bin`. */
const lacksNamed = (survey: Survey, folder: string, line: string): boolean => {
  const written = /^node (?:\.\/)?(\w[\w-]*)$/.exec(line)?.[1]
  if (written === undefined || !hasCode(survey)) return false
  const path = resolvedPath(folder, written)
  return !survey.hasFolder(path) && ["", ".js", ".mjs", ".cjs", ".ts", ".json"].every((end) => !survey.has(path + end))
}

const lacksTests = (survey: Survey, folder: string, line: string): boolean => {
  const [, usual, named] = (hasCode(survey) ? givenTests.exec(line) : null) ?? []
  const outer = usual ?? named
  return (
    (outer !== undefined && !survey.hasFolder(resolvedPath(folder, outer))) ||
    (runsTests.test(line) && isWithoutTests(survey)) ||
    lacksTestSettings(survey, folder, line)
  )
}

/** A published package is without its sources and its tests, which its scripts still build and run. */
export const lacksSources = (survey: Survey, folder: string, purpose: Purpose, text: string): boolean =>
  (purpose === "test" && text === "[redacted]" && survey.tests.length === 0) ||
  shellParts(folder, text).some(
    ({ line, folder: where }) =>
      where !== null &&
      (lacksFile(survey, where, purpose, line) ||
        (purpose === "run" && lacksGiven(survey, where, line)) ||
        (/^(?:build|types)$/.test(purpose) && lacksTypes(survey, line)) ||
        (purpose === "build" && ((bundles.test(line) && isBuiltAlone(survey)) || lacksCompiled(survey, where, line))) ||
        (/^(?:build|run|test)$/.test(purpose) && lacksNamed(survey, where, line)) ||
        (/^(?:test|check)$/.test(purpose) && lacksTests(survey, where, line)))
  )
