import { baseName, directoryOf } from "../../core/text/paths.ts"
import { code, type Guide, type Item, plural, quoted } from "../Draft.ts"
import { clip } from "../Observed.ts"
import type { Commit, Survey } from "../Survey.ts"
import { inPart } from "./recipeParts.ts"

const MIN_COMMITS = 5
/** A file that changes with so many of the commits is a step. */
const MIN_SHARE = 0.5
const MAX_STEPS = 6
/** Sweeping changes show nothing about one of them. */
const MAX_FILES = 40

type Change = Commit["changes"][number]

interface Recurring {
  readonly slug: string
  readonly title: string
  readonly when: string
  readonly step: string
  /** The change that makes a commit one of these. */
  readonly isOwn: (change: Change) => boolean
  readonly subject?: RegExp
}

const manifest =
  /^(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)|Gemfile|[\w.-]+\.gemspec|pom\.xml|(?:build|libs\.versions)\.(?:gradle(?:\.kts)?|toml)|gradle\.properties|composer\.json|mix\.exs|[\w.]+\.csproj|Directory\.Packages\.props)$/
const versionFile =
  /^(?:VERSION|version\.\w+|_version\.py|__version__\.py|__about__\.py|CHANGE(?:S|LOG)\b.*|NEWS\b.*|HISTORY\b.*)$/i
const migration = /(?:^|\/)(?:migrations?|migrate|alembic\/versions)\/(?:.*\/)?[^/]*\d[^/]*\.\w+$/i
const translation =
  /(?:^|\/)(?:locales?|i18n|lang|languages|translations?|po|l10n)\/.*\.(?:json|ya?ml|po|properties|xlf|arb|strings|toml)$/i

const recurring: ReadonlyArray<Recurring> = [
  {
    slug: "bump-a-dependency",
    title: "Bump a dependency",
    when: "When a package that is used gets a new version.",
    step: "Set the version in the manifest",
    isOwn: ({ status, path }) => status === "M" && manifest.test(baseName(path)),
    subject:
      /\b(?:bump|deps?|dependenc(?:y|ies)|renovate|dependabot)\b|\b(?:upgrade|update)\b.{1,60}\b(?:to|from) v?\d/i
  },
  {
    slug: "add-a-migration",
    title: "Add a migration",
    when: "When the stored data gets another shape.",
    step: "Add the migration",
    isOwn: ({ status, path }) => status === "A" && migration.test(path)
  },
  {
    slug: "add-a-translation",
    title: "Change or add a translation",
    when: "When texts of the interface change or a language is added.",
    step: "Change the texts of the language",
    isOwn: ({ status, path }) => status !== "D" && translation.test(path)
  },
  {
    slug: "make-a-release",
    title: "Make a release",
    when: "When a version is to be published.",
    step: "Set the version and say what changed",
    isOwn: ({ status, path }) => status === "M" && (manifest.test(baseName(path)) || versionFile.test(baseName(path))),
    subject:
      /^(?:chore\(release\)|release\b|(?:bump|set) version|version bump|(?:version )?v?\d+\.\d+(?:\.\d+)?(?:[-.]?(?:rc|beta|alpha)[.\d]*)?$|prepare (?:for )?(?:release|v?\d)|cut v?\d)/i
  }
]

const countBy = (commits: ReadonlyArray<Commit>, keysOf: (commit: Commit) => Iterable<string>) => {
  const counts = new Map<string, number>()
  for (const commit of commits) for (const key of new Set(keysOf(commit))) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

const shareText = (count: number, of: number): string => `${count} of ${plural(of, "such commit")}`

/** What is changed itself: the file where it is the same one, otherwise its folder. */
const ownStep = (survey: Survey, { step, isOwn }: Recurring, commits: ReadonlyArray<Commit>): Item | null => {
  const owned = ({ changes }: Commit) => changes.filter(isOwn).map(({ path }) => path)
  const [file] = countBy(commits, owned).filter(([path]) => survey.has(path))
  if (file === undefined) return null
  const cites = [{ path: file[0], line: 1 }]
  if (file[1] >= commits.length * MIN_SHARE)
    return { text: `${step}: ${code(file[0])} (${shareText(file[1], commits.length)}).`, cites }
  const [folder, count] = countBy(commits, (commit) => owned(commit).map(directoryOf))[0]!
  const like = folder === directoryOf(file[0]) ? `, as ${code(baseName(file[0]))} there` : ""
  return {
    text: `${step} in ${code(folder === "" ? "." : folder)} (${shareText(count, commits.length)})${like}.`,
    cites: like === "" ? [] : cites
  }
}

/** Files that most of the commits change with it. */
const otherSteps = (survey: Survey, isOwn: Recurring["isOwn"], commits: ReadonlyArray<Commit>): ReadonlyArray<Item> =>
  countBy(commits, ({ changes }) => changes.filter((change) => !isOwn(change)).map(({ path }) => path))
    .filter(([path, count]) => count >= commits.length * MIN_SHARE && survey.has(path))
    .slice(0, MAX_STEPS)
    .map(([path, count]) => ({
      text: `Change ${code(path)} with it (${shareText(count, commits.length)}).`,
      cites: [{ path, line: 1 }]
    }))

const guideOf = (survey: Survey, kind: Recurring): Guide | null => {
  const commits = survey.commits.filter(
    ({ subject, changes }) =>
      changes.length <= MAX_FILES && (kind.subject?.test(subject) ?? true) && changes.some(kind.isOwn)
  )
  const own = commits.length < MIN_COMMITS ? null : ownStep(survey, kind, commits)
  if (own === null) return null
  // The one with the fewest files shows the change itself.
  const [example] = [...commits.slice(0, 20)].sort((a, b) => a.changes.length - b.changes.length)
  const { id, subject, changes } = example!
  return {
    slug: kind.slug,
    title: kind.title,
    description: `${kind.when} ${plural(commits.length, "commit")} of the last ${survey.commits.length} did so.`,
    items: [
      ...inPart("Steps", [own, ...otherSteps(survey, kind.isOwn, commits)]),
      ...inPart("Where to look", [
        {
          text: `Commit ${code(id.slice(0, 12))}, ${quoted(clip(subject, 100))}, did it in ${plural(changes.length, "file")}.`,
          cites: []
        }
      ])
    ]
  }
}

/** How changes are made that history shows repeatedly, distinguished by the kinds of files in them. */
export const historyRecipes = (survey: Survey): ReadonlyArray<Guide> =>
  recurring.flatMap((kind) => guideOf(survey, kind) ?? [])
