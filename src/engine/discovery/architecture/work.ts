import { addTo } from "../../core/collections/lists.ts"
import { at, code, type Item, plural } from "../Draft.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"

interface Place {
  readonly path: string
  readonly line: number
  readonly name: string
}

/** Types that a framework runs in the background or as a command, by what they derive from. */
const bases: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(?:ApplicationJob|ActiveJob::Base|Sidekiq::Worker|ShouldQueue|IJob|BackgroundService|IHostedService|WorkerHost)$/,
    "Jobs"
  ],
  [/^(?:\w*\.)?(?:BaseCommand|Command|ContainerAwareCommand|Symfony\\\S*Command)$/, "Commands"],
  [/^(?:\w*[a-z])?(?:Consumer|MessageHandler|IConsumer|EventHandler|MessageListener)$/, "Consumers of messages"]
]

/** Calls by which a file declares such a thing. */
const declarations: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:shared_task|\w+\.task|celery\.task|dramatiq\.actor|rq\.job)$/, "Jobs"],
  [
    /^(?:\w+\.)?(?:cron\.schedule|schedule\.every|AddCronJob|node-cron\.schedule|cron\.AddFunc)$/,
    "Jobs on a timetable"
  ],
  [/^(?:click|cli|app|yargs|program)\.command$|^Command\.make$/, "Commands"],
  [
    /^(?:\w+\.)?(?:channel\.consume|consumer\.(?:run|subscribe)|basic_consume|subscriber\.Receive)$/,
    "Consumers of messages"
  ]
]

const placesIn = (file: ObservedFile): ReadonlyArray<readonly [kind: string, place: Place]> => {
  const types = file.has("definitions")
    ? file.definitions.flatMap(({ name, line, bases: own }) => {
        const kind = bases.find(([pattern]) => own.some((base) => pattern.test(base)))?.[1]
        return kind === undefined ? [] : [[kind, { path: file.path, line, name }] as const]
      })
    : []
  const calls = file.has("calls")
    ? file.calls.flatMap(([callee, , line]) => {
        const kind = declarations.find(([pattern]) => pattern.test(callee))?.[1]
        return kind === undefined ? [] : [[kind, { path: file.path, line, name: callee }] as const]
      })
    : []
  return [...types, ...calls]
}

const MIN_PLACES = 2
const MAX_SHOWN = 8

/** Jobs, commands and consumers, as frameworks have them declared. */
export const workItems = (survey: Survey): ReadonlyArray<Item> => {
  const found = new Map<string, Array<Place>>()
  for (const file of survey.source) for (const [kind, place] of placesIn(file)) addTo(found, kind, place)
  return [...found]
    .filter(([, places]) => places.length >= MIN_PLACES)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1))
    .map(([kind, places]) => {
      const shown = places.slice(0, MAX_SHOWN)
      const more = places.length > MAX_SHOWN ? ` and ${places.length - MAX_SHOWN} more` : ""
      return {
        text: `${kind}, in ${plural(places.length, "place")}: ${shown.map(({ name, ...place }) => `${code(name)} (${at(place)})`).join(", ")}${more}`,
        cites: shown.map(({ path, line }) => ({ path, line }))
      }
    })
}
