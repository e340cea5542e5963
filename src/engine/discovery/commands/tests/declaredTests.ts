import type { Survey } from "../../Survey.ts"
import { recipesIn } from "../runners/recipes.ts"
import { unwrapped } from "../words.ts"

/** A call that declares tests, or a macro for it: `add_test`, `gtest_discover_tests`, `shop_add_unit_test`. */
const ofCMake =
  /\binclude\s*\(\s*(?!TestBigEndian)[\w/.${}-]*tests?|^[ \t]*(?!test_big_endian)\w*tests?\w*[ \t]*\(|\badd_subdirectory\s*\([^()]*tests?\b/im
const ofMeson = /\btest\s*\(/
const ofAutomake = /^[ \t]*(?:TESTS|check_\w+)[ \t]*\+?=|^check(?:-\w+)?[ \t]*:|^include\s.*\.(?:am|mk|inc)\b/m

const declare = (survey: Survey, files: RegExp, words: RegExp): boolean =>
  survey.texts(files).some(({ text }) => words.test(text))

const cmakeFiles = /(?:^|\/)CMakeLists\.txt$/
const mesonFiles = /(?:^|\/)meson\.build$/
const automakeFiles = /(?:^|\/)Makefile\.am$/
const makefiles = /(?:^|\/)(?:GNUm|[Mm])akefile(?:\.in)?$/

const byCMake = (survey: Survey): boolean => declare(survey, cmakeFiles, ofCMake)
const byMeson = (survey: Survey): boolean => declare(survey, mesonFiles, ofMeson)

const hasTarget = (survey: Survey, target: string): boolean =>
  survey
    .texts(makefiles)
    .some(({ text }) => /^(?:-?s?include)\s/m.test(text) || recipesIn(text).some(({ name }) => name === target))

/** Perl, PHP and qmake write a Makefile with a target for tests, and one may lie in another file. */
const writesOther = /(?:^|\/)(?:Makefile\.PL|config\.m4|[\w.-]+\.(?:mk|mak|make|pro)|[Mm]akefile\.(?!am$|in$)\w+)$/

/** What Make is asked where CMake or Automake write the Makefile, and nothing else does. */
const madeFor = (survey: Survey, target: string): boolean => {
  const isOfCMake = survey.hasLike(cmakeFiles)
  const isOfAutomake = survey.hasLike(automakeFiles)
  return (
    (!isOfCMake && !isOfAutomake) ||
    survey.hasLike(writesOther) ||
    hasTarget(survey, target) ||
    (isOfCMake && byCMake(survey)) ||
    (isOfAutomake && declare(survey, automakeFiles, ofAutomake))
  )
}

const dune = /^\s*\((?:tests?|inline_tests|cram)\b|\(alias\s+runtest\b|\(inline_tests\b/m

const byDune = (survey: Survey): boolean =>
  survey.hasLike(/\.t(?:\/run\.t)?$/) || declare(survey, /(?:^|\/)dune$/, dune)

/** Dune runs what stanzas and transcripts of the shell declare; the readme of a tool may show how others are tested with it. */
export const isOfOthers = (survey: Survey, command: string): boolean =>
  /^dune (?:runtest|test)\b/.test(unwrapped(command)) && survey.hasLike(/(?:^|\/)dune$/) && !byDune(survey)

/** Whether the build declares the tests that a command asks it for: without any the command does nothing. */
export const declaresTests = (survey: Survey, command: string): boolean => {
  const text = unwrapped(command)
  if (/^ctest\b(?!.*\s-S)/.test(text)) return byCMake(survey)
  if (/^meson test\b/.test(text)) return byMeson(survey)
  if (/^ninja\b.*\stest\b/.test(text))
    return byMeson(survey) || byCMake(survey) || !(survey.hasLike(mesonFiles) || survey.hasLike(cmakeFiles))
  const target = /^make\b.*\s(test|check)$/.exec(text)?.[1]
  return target === undefined || madeFor(survey, target)
}
