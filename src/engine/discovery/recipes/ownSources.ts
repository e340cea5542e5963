import { isOfBuild, isOfHelpers } from "../architecture/mainLanguages.ts"
import { isAside } from "../architecture/stores.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"

/** Sources of the program itself, without markup, what builds it and what helps those who work on it. */
export const ownSources = (survey: Survey): ReadonlyArray<ObservedFile> => {
  const isHelper = isOfHelpers(survey)
  return survey.source.filter(
    (file) =>
      !/^(?:html|css|scss)$/.test(file.language) && !isAside(file.path) && !isOfBuild(file.path) && !isHelper(file)
  )
}
