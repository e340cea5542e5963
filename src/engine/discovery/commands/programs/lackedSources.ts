import { resolvedPath, type Survey } from "../../Survey.ts"
import type { Purpose } from "../Command.ts"
import { givenFile, isAbsent, isMade, shellParts, startedFile } from "./startedFiles.ts"

/** Files of tests that a runner is given. */
const givenTests =
  /\s["']?(?:\.\/)?(tests?|specs?|__tests__)\/\S|^(?:bun test|vitest(?: run)?|jest|mocha)\s+(?:-\S+\s+)*["']?(?:\.\/)?(\w[\w-]*)\//

const ofTests = /^(?:tests?|specs?|__tests__)\//

const runsTests =
  /^(?:mocha|jest|vitest|ava|tap|tape|jasmine(?:-node)?|karma|grunt|gulp|qunit|lab|uvu|borp|wtr|test-runner|nyc|c8)(?=\s|$)/

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

/** A compiler has neither settings nor sources. */
const lacksTypes = (survey: Survey, line: string): boolean =>
  /^tsc$/.test(line) && hasCode(survey) && !survey.hasLike(/(?:^|\/)tsconfig[\w.-]*\.json$|(?<!\.d)\.[cm]?tsx?$/)

const lacksTests = (survey: Survey, folder: string, line: string): boolean => {
  const [, usual, named] = (hasCode(survey) ? givenTests.exec(line) : null) ?? []
  const outer = usual ?? named
  return (
    (outer !== undefined && !survey.hasFolder(resolvedPath(folder, outer))) ||
    (runsTests.test(line) && isWithoutTests(survey))
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
        (purpose === "build" && lacksTypes(survey, line)) ||
        (/^(?:test|check)$/.test(purpose) && lacksTests(survey, where, line)))
  )
