import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml"
import { at, code, type Item, quoted, quotedItem } from "../Draft.ts"
import { clip } from "../Observed.ts"
import { documentFile, isGuideForContributors, isReadme } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"
import { lineOf } from "../Survey.ts"
import { kindsOfBuild, titleAt } from "./builds/kindsOfBuild.ts"
import { endOfSection, isTitle, stepsOf } from "./documentSections.ts"
import { isMinorIn } from "./packageInstalls.ts"
import { pipelineFiles, stepsIn, usesRelease } from "./pipelines.ts"
import { tagJobItems } from "./tagJobs.ts"
import { purposeOfLine } from "./words.ts"

const MAX_STEPS = 8
const MAX_WORKFLOWS = 5

const namesRelease = (path: string): boolean => /(?:releas|publish|deploy|\bcd\b)[\w-]*\.ya?ml$/i.test(path)

/** Entries of `tags:` or `branches:` below `push:`. */
const listed = (push: YAMLMap, what: string): string => {
  const list = push.get(what)
  if (typeof list === "string") return code(list)
  return isSeq(list)
    ? list.items
        .slice(0, 4)
        .map((one) => code(String(one)))
        .join(", ")
    : ""
}

const triggerWords = (name: string, value: unknown): ReadonlyArray<string> => {
  if (name === "push" && isMap(value)) {
    const [tags, branches] = [listed(value, "tags"), listed(value, "branches")]
    return [...(tags === "" ? [] : [`pushed tags ${tags}`]), ...(branches === "" ? [] : [`pushes to ${branches}`])]
  }
  if (name === "release") return ["a release of the code host"]
  if (name === "workflow_dispatch") return ["a start by hand"]
  if (name === "schedule") return ["a timetable"]
  return name === "workflow_call" || name === "pull_request" ? [] : [name.replaceAll("_", " ")]
}

/** What starts a workflow, as far as it is said in a few words: "pushed tags `v*`". */
export const triggersOf = (text: string): { readonly words: ReadonlyArray<string>; readonly line: number } | null => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent", uniqueKeys: false }).contents
  const pair = isMap(document)
    ? document.items.find(({ key }) => isScalar(key) && (key.value === "on" || key.value === true))
    : undefined
  if (pair === undefined || !isScalar(pair.key)) return null
  const line = pair.key.range == null ? 1 : lines.linePos(pair.key.range[0]).line
  const on = pair.value
  if (isScalar(on)) return { words: triggerWords(String(on.value), null), line }
  if (isSeq(on)) return { words: on.items.flatMap((one) => triggerWords(String(one), null)), line }
  return isMap(on) ? { words: on.items.flatMap(({ key, value }) => triggerWords(String(key), value)), line } : null
}

/** What is pushed to a branch is built; a tag, a release or a person ships it. */
const isOfRelease = (trigger: string): boolean => /tags|release/.test(trigger)

/** Nothing but a version starts it, whatever it runs then. */
const isOfTagsAlone = (triggers: ReadonlyArray<string>): boolean =>
  triggers.some(isOfRelease) && triggers.every((one) => isOfRelease(one) || one === "a start by hand")

/** Looks at what was tagged, and makes nothing of it. */
const isOfChecksAlone = (text: string): boolean => {
  const purposes = stepsIn(text).flatMap((step) => purposeOfLine(step.text) ?? [])
  return purposes.some((one) => /^(?:test|lint|types)$/.test(one)) && purposes.every((one) => ofChecks.test(one))
}
const ofChecks = /^(?:test|lint|types|check|format|install)$/

/** What a person starts ships a version where it says so, or publishes by a command of its own. */
const isByHand = (path: string, triggers: ReadonlyArray<string>, steps: ReadonlyArray<{ readonly text: string }>) =>
  triggers.includes("a start by hand") && (namesRelease(path) || steps.some(({ text }) => !text.startsWith("uses: ")))

/** Documents, and what is built every night, are shipped apart from versions. */
const shipsOthers =
  /(?:^|[/_.-])(?:docs?|documentation|pages|site|website|storybook|nightly|snapshots?|canary|preview)(?=[/_.-])/i

/** These look at what was pushed, and propose or make a release of it. */
const releasesByItself =
  /^uses: \S*(?:release-please|changesets\/action|semantic-release|release-plz)|\bsemantic-release\b/

const pushesImage = /^uses: docker\/build-push-action|^docker (?:buildx )?push\b/

/**
 * Whether a step that ships something ships a version: not where its workflow runs for proposed changes only, and an image
 * that is pushed with each change of a branch is none.
 */
export const shipsVersion = (survey: Survey, path: string, step: string): boolean => {
  const text = survey.file(path)?.text ?? ""
  const triggers = /workflows\//.test(path) ? triggersOf(text) : null
  if (triggers === null || namesRelease(path) || /refs\/tags|ref_type|event_name == 'release'/.test(text)) return true
  if (pushesImage.test(step)) return triggers.words.some(isOfRelease)
  return triggers.words.some((one) => one !== "a timetable")
}

/** What uploads a package to the registry of one language, with the package manager that has the language. */
const uploads: ReadonlyArray<readonly [step: RegExp, manager: string]> = [
  [/^uses: pypa\/gh-action-pypi-publish|\btwine upload\b|\b(?:uv|poetry|hatch|flit|pdm) publish\b/, "pip"],
  [/^uses: JS-DevTools\/npm-publish|\b(?:npm|pnpm|yarn) publish\b/, "npm"],
  [/^uses: rubygems\/release-gem|\bgem push\b/, "Bundler"]
]

const shippingSteps = (text: string): ReturnType<typeof stepsIn> =>
  stepsIn(text).filter((step) => usesRelease(step.text) || purposeOfLine(step.text) === "release")

/** Whether all that a workflow ships is a package of a language that most of the sources are not written in. */
const helperTest = (survey: Survey): ((steps: ReturnType<typeof stepsIn>) => boolean) => {
  const isMinor = isMinorIn(survey)
  return (steps) => {
    const managers = steps.map((step) => uploads.find(([pattern]) => pattern.test(step.text))?.[1])
    return managers.length > 0 && managers.every((one) => one !== undefined && isMinor(one))
  }
}

const workflowItems = (survey: Survey): ReadonlyArray<Item> => {
  const isOfHelper = helperTest(survey)
  return survey
    .texts(pipelineFiles)
    .filter(({ path }) => /workflows\//.test(path) && !shipsOthers.test(path))
    .map(({ path, text }) => {
      const steps = shippingSteps(text)
      return { path, text, steps, rank: isOfHelper(steps) ? 2 : namesRelease(path) ? 0 : 1 }
    })
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ path, text, steps }): ReadonlyArray<Item> => {
      const triggers = triggersOf(text)
      if (triggers === null || triggers.words.length === 0) return []
      const isByItself = steps.some((step) => releasesByItself.test(step.text))
      if (steps.length === 0 && !namesRelease(path) && (!isOfTagsAlone(triggers.words) || isOfChecksAlone(text)))
        return []
      const { words } = triggers
      if (!words.some(isOfRelease) && !isByItself && !isByHand(path, words, steps)) return []
      const what = steps.slice(0, 3).map((step) => code(clip(step.text, 80)))
      return [
        {
          text: `The workflow ${code(path)} runs on ${words.join(", ")} (${at({ path, line: triggers.line })})${what.length === 0 ? "" : `; it ships with ${what.join(", ")}`}.`,
          cites: [{ path, line: triggers.line }]
        }
      ]
    })
    .slice(0, MAX_WORKFLOWS)
}

const aboutReleases =
  /^(?:#+\s*)?(?:\d+[.)]\s*)?(?:[\w -]{1,40}\s(?:and|&)\s+)?(?:(?:how|to|steps|for|making|creating|cutting|doing|publishing|preparing|performing|the|an?|new|each|we|our|do|make|create|cut|publish)\s+)*releas(?:e|es|ing)(?:\s+(?:process(?:es)?|procedures?|steps|checklist|workflow|guide|management|instructions|how-?to|an?|new|versions?|manager|the|packages?))*(?:\s*\([\w ]{1,30}\))?\s*:?\s*$/i

/** What maintainers are given may be about releases as a whole, and says so in its first lines. */
const forMaintainers = /(?:^|\/)(?:README[._-])?MAINT(?:AINERS?|AINING)?(?:\.\w+)?$/i
const announcesRelease =
  /\b(?:mak(?:e|ing)|build(?:ing)?|creat(?:e|ing)|cut(?:ting)?|do(?:ing)?|prepar(?:e|ing))\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:[\w.-]+\s+)?releases?\b/i

/** `## 1.2.0 - 2024-01-01`; what goes on in words is the number of a section: `### 1.1 Build the images`. */
const isVersion =
  /^(?:#+\s*)?(?:version\s+|release\s+|v)?\d+\.\d+(?:\.\d+|[a-z]|\s*$|\s*[-–—:([/,]|\s+\d)|^(?:#+\s*)?(?:version|release)\s+\d+\.\d+/i

/** Titles of versions, each with what it changed. */
const isOfNotes = (lines: ReadonlyArray<string>): boolean =>
  lines.slice(0, 80).filter((line, i) => isTitle(lines, i) && isVersion.test(line.trim())).length > 1

/** "Publishing to npm", "Releasing to PyPI"; what follows "releases on" are those that were made. */
const aboutPublishing =
  /^(?:#+\s*)?(?:\d+[.)]\s*)?(?:how\s+to\s+)?(?:publish(?:ing)?|releas(?:e|ing)|upload(?:ing)?(?=.*\b(?:npm|pypi|crates|rubygems|hackage|cpan)\b))(?:\s+(?:an?|the|new|to|on|npm|pypi|packages?|releases?|versions?|crates?(?:\.io)?|rubygems|hackage|cpan|maven central|docker hub))*(?:\s*\([\w ]{1,30}\))?\s*:?\s*$/i

/** A program that publishes something has a section on that, too: what is published here has a version, or goes to a registry. */
const shipsItself =
  /\b(?:npm|yarn|pnpm|cargo|poetry|hatch|uv|flit|pdm) publish\b|\btwine\b|\bgem push\b|\btag(?:s|ged)?\b|\bversions?\b|\breleas(?:e|es|ing)\b|\bchange ?logs?\b/i

const isTitleOn = (lines: ReadonlyArray<string>, at: number): boolean => {
  if (!isTitle(lines, at)) return false
  const title = lines[at]!.trim()
  if (aboutReleases.test(title)) return true
  return aboutPublishing.test(title) && shipsItself.test(lines.slice(at + 1, endOfSection(lines, at)).join("\n"))
}

/** Where a document speaks of releases: all of one that is named so, else below a heading. */
const sectionOn = (path: string, lines: ReadonlyArray<string>): readonly [from: number, to: number] | null => {
  if (/(?:^|\/)(?:how[_-]?to[_-]?)?releas(?!es\.)[a-z]*(?:[_-][a-z\d]+)*\.\w+$/i.test(path) && !/notes/i.test(path))
    return isOfNotes(lines) ? null : [0, lines.length]
  const isOnReleases = forMaintainers.test(path) && announcesRelease.test(lines.slice(0, 15).join(" "))
  if (isOnReleases) return [0, lines.length]
  const kinds = kindsOfBuild(lines)
  const titles = lines.flatMap((_, i) => (isTitleOn(lines, i) && !kinds.has(titleAt(lines, i)) ? [i] : []))
  const title =
    titles.find((i) => /steps|process|procedure|checklist|how|making|instructions/i.test(lines[i]!)) ?? titles[0]
  if (title === undefined) return null
  return [title + 1, endOfSection(lines, title)]
}

/** A paragraph by itself says how it is done, or who does it. */
const isStep = /`|\b(?:run|push|tag|bump|publish|create|creates|draft|update|merge|commit|upload|build|script)/i

const installsPackage =
  /\b(?:pipx?3?|npm|gem|cargo|brew|apt(?:-get)?|dnf|yum|go) (?:install|get)\b|\binstalled (?:using|with|via|from|by)\b|\bgit clone\b|\bdownload(?:ed)? (?:the|it|from|a|an)\b/i
const makesVersion = /\b(?:tag(?:s|ged)?|publish\w*|upload\w*|push|bump|merge|commit|sign|announce|twine|branch)\b/i

/** A section on releases that were made says how one of them is installed. */
const isForThoseWhoInstall = (steps: string): boolean => installsPackage.test(steps) && !makesVersion.test(steps)

const aboutNeeds =
  /^(?:#+\s*)?(?:\d[\d.]*\s+)?(?:prerequisites?|requirements|what you need|before you (?:begin|start))\s*:?$/i

/** Steps without what has to be there before the first of them, where there are others. */
const stepsWithin = (lines: ReadonlyArray<string>, section: readonly [number, number]) => {
  const all = stepsOf(lines, ...section)
  const at = lines.findIndex(
    (line, i) => i >= section[0] && i < section[1] && aboutNeeds.test(line.trim()) && isTitle(lines, i)
  )
  if (at < 0) return all
  const end = endOfSection(lines, at)
  const rest = all.filter(({ line }) => line <= at || line > end)
  return rest.length > 0 ? rest : all
}

/** What documents for contributors say of releases. */
export const documented = (survey: Survey): ReadonlyArray<Item> =>
  survey
    .texts(documentFile)
    .filter(({ path }) => isGuideForContributors(path) || (isReadme(path) && !path.includes("/")))
    .flatMap(({ path, text }) => {
      const lines = text.split("\n")
      const section = sectionOn(path, lines)
      if (section === null) return []
      // A question is put to someone who chooses what to do.
      const steps = stepsWithin(lines, section).filter((step) => !/\?["”)*_]*$/.test(step.text.trim()))
      if (isForThoseWhoInstall(steps.map((step) => step.text).join("\n"))) return []
      return (steps.length === 1 && !isStep.test(steps[0]!.text) ? [] : steps)
        .slice(0, MAX_STEPS)
        .map((step) => quotedItem(path, step, 240))
    })
    .slice(0, MAX_STEPS + 2)

/** A sentence that says what makes a release, in a document that has no section on it. */
const makesRelease =
  /\breleases? (?:is|are|will be|gets?) (?:\w+ly )?(?:made|tagged|created|cut|drafted|automated|triggered)\b|\b(?:to|when|before|for) (?:making|creating|cutting|tagging|make|create|cut|tag) (?:an? |the )?(?:new )?release\b|\b(?:push(?:ing|es)?|creat(?:e|es|ing)) (?:an? |the )?(?:new )?(?:\w+ )?tag\b[^.]{0,80}\b(?:release|publish|deploy)/i

/** What users read to install it speaks of releases that were made. */
const isForUsers = /(?:^|\/)(?:install|setup|getting[_-]?started)[\w-]*(?:\.\w+)?$/i

const sentences = (survey: Survey): ReadonlyArray<Item> =>
  survey
    .texts(documentFile)
    .filter(({ path }) => isGuideForContributors(path) && !isForUsers.test(path))
    .flatMap(({ path, text }) => {
      const lines = text.split("\n")
      const index = lines.findIndex((line) => makesRelease.test(line))
      const sentence = lines[index]?.replace(/^[\s>*#-]+/, "").trim()
      return sentence === undefined ? [] : [quotedItem(path, { text: sentence, line: index + 1 }, 240)]
    })
    .slice(0, 1)

const stated = (survey: Survey): ReadonlyArray<Item> => {
  const steps = documented(survey)
  return steps.length > 0 ? steps : sentences(survey)
}

const settings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\.changeset\/config\.json$/, "Changesets collects changes and their versions"],
  [/^(?:\.?release-please-config\.json|\.release-please-manifest\.json)$/, "release-please proposes the release"],
  [/^(?:\.releaserc(?:\.\w+)?|release\.config\.\w+)$/, "semantic-release derives the version from commits"],
  [/^\.versionrc(?:\.\w+)?$/, "standard-version raises the version and writes the change log"],
  [/^\.goreleaser\.ya?ml$/, "GoReleaser builds and publishes the artefacts"],
  [/^(?:\.bumpversion\.(?:cfg|toml)|tbump\.toml)$/, "the version is raised by a tool that this file sets up"],
  [/^(?:release-plz|dist-workspace)\.toml$/, "a release tool of Cargo is set up here"],
  [/^(?:lerna\.json)$/, "Lerna versions and publishes the packages"]
]

/** Settings that have a place in another file: a table of a manifest, or a key of it. */
const settingsWithin: ReadonlyArray<readonly [file: RegExp, within: RegExp, text: string]> = [
  [
    /^(?:pyproject\.toml|setup\.cfg)$/,
    /^\[(?:tool\.(?:bumpversion|bumpver|tbump|semantic_release)|bumpversion)\]/m,
    "the version is raised by a tool that is set up here"
  ],
  [
    /^package\.json$/,
    /^ {2,4}"(?:release-it|semantic-release|standard-version)"\s*:\s*\{/m,
    "a release tool is set up here"
  ]
]

const configured = (survey: Survey): ReadonlyArray<Item> => {
  const files = settings.flatMap(([pattern, text]) => {
    const path = survey.rootFile(pattern)
    return path === undefined ? [] : [{ text: `${code(path)}: ${text}.`, cites: [{ path, line: 1 }] }]
  })
  const tables = settingsWithin.flatMap(([file, within, text]) =>
    survey.texts(file).flatMap(({ path, text: written }) => {
      const line = lineOf(written, within)
      return line === null ? [] : [{ text: `${at({ path, line })}: ${text}.`, cites: [{ path, line }] }]
    })
  )
  return [...files, ...tables]
}

const changelog = (survey: Survey): ReadonlyArray<Item> => {
  const path = survey.rootFile(/^(?:CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASE[_-]?NOTES)(?:\.\w+)?$/i)
  const stated = survey
    .texts(/\.(?:md|rst)$/)
    .filter(({ path }) => isGuideForContributors(path))
    .flatMap(({ path: document, text }) => {
      const line = lineOf(
        text,
        /(?:add|put|update|write|needs?|include)\b[^\n]{0,60}(?:change ?log|news (?:fragment|entry)|release note|changeset)/i
      )
      return line === null ? [] : [{ document, line, text: text.split("\n")[line - 1]!.trim() }]
    })[0]
  if (stated === undefined)
    return path === undefined
      ? []
      : [{ text: `What changed is written down in ${code(path)}.`, cites: [{ path, line: 1 }] }]
  return [
    {
      text: `${path === undefined ? "" : `What changed is written down in ${code(path)}. `}Contributors are asked: ${quoted(clip(stated.text, 200))} (${at({ path: stated.document, line: stated.line })})`,
      cites: [{ path: stated.document, line: stated.line }]
    }
  ]
}

/** How a release is made, as far as documents, workflows and settings say. */
export const releaseSteps = (survey: Survey): ReadonlyArray<Item> => [
  ...stated(survey),
  ...workflowItems(survey),
  ...tagJobItems(survey),
  ...configured(survey)
]

/** The steps, and where it is written down what changed. */
export const releaseItems = (survey: Survey): ReadonlyArray<Item> => [...releaseSteps(survey), ...changelog(survey)]
