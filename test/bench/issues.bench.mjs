import { keys as createKeys } from "./api/fill.mjs"
import { heading, laterPage, machineLoad, measure, statementsFile } from "./api/requests.mjs"
import { option, withFilledAssay } from "./api/servers.mjs"
import { fillIssues } from "./issues/fill.mjs"
import { fillWork } from "./issues/fillWork.mjs"

const aim = 20
/** A key has a budget of calls a minute. */
const callsOfKey = 40

const lists = {
  "newest first": "",
  ready: "?ready=true",
  "ready, assigned to no one": "?ready=true&assignee=none",
  open: "?status=open",
  "in review": "?status=in_review",
  "assigned to no one": "?assignee=none",
  "assigned to me, a key": "?assignee=me",
  "of an area and what is below": "?project=level-1&status=open",
  "of a repository": "?repo=service-3@main&status=open,in_progress",
  "assigned to a person": "?assignee=owner@example.org&status=open",
  "all that is assigned to a person": "?assignee=owner@example.org",
  "two labels": "?labels=security,team-7",
  priority: "?priority=P0&status=open",
  "full text, frequent": "?q=handler",
  "full text, rare": "?q=forged%20account%20417"
}

/** Of the other work; a path that ends with a number is that page of the list. */
const otherLists = {
  "missions: newest first": "/api/missions",
  "missions: that ended": "/api/missions?status=completed",
  "missions: paused or waiting": "/api/missions?status=paused,awaiting_approval,waiting_on_person",
  "missions: of a repository": "/api/missions?repo=service-3@main",
  "missions: the tenth page": "/api/missions?limit=50 10",
  "missions: waiting on me": "/api/missions/waiting",
  "change reviews: newest first": "/api/change-reviews",
  "change reviews: the tenth page": "/api/change-reviews?limit=50 10",
  "change reviews: readiness": "/api/change-reviews/readiness",
  "change reviews: not ready": "/api/change-reviews/readiness?readiness=not_ready"
}

const pathOf = async (api, given, key) => {
  const [path, page] = given.split(" ")
  return page === undefined ? path : laterPage(api, path, key, Number(page))
}

/**
 * Claim: a page of 50 issues, missions or change reviews, or of 50 events, takes less than 20 ms at 50,000 issues with
 * 1,000,000 events and 10,000 missions and change reviews each, whatever the filter.
 * `npm run bench -- issues [--issues=50000] [--events=1000000] [--work=10000] [--rounds=100] [--only=missions]
 * [--data=folder]`.
 */
export const run = (args) =>
  withFilledAssay(
    [...args, "--observations=2000"],
    async (running) => {
      const { workspace, owner, client, assay } = running
      const [count, events] = [Number(option(args, "issues", "50000")), Number(option(args, "events", "1000000"))]
      const rounds = Number(option(args, "rounds", "100"))
      const [work, only] = [Number(option(args, "work", "10000")), option(args, "only", "")]
      await fillIssues(client, { workspace, owner, count, events })
      await fillWork(client, { workspace, owner, count: work })
      const scenarios = [
        ...Object.entries(lists).map(([name, query]) => [`list: ${name}`, `/api/issues${query}`]),
        ["list: the tenth page", "/api/issues?limit=50 10"],
        ["one issue", "/api/issues/ISS-1"],
        ["events, the newest", "/api/issues/ISS-1/events"],
        ...Object.entries(otherLists)
      ].filter(([name]) => name.startsWith(only))
      const callers = Math.ceil((rounds + 10) / callsOfKey)
      const keys = await createKeys(client, workspace, owner, scenarios.length * callers + 1, [
        "view_issues",
        "view_jobs"
      ])
      console.log(
        `\n${count} issues, ${events} events, ${work} missions and change reviews each, one caller at a time (aim ${aim} ms)`
      )
      heading()
      for (const [index, [name, path]] of scenarios.entries()) {
        await measure(running, {
          name,
          path: await pathOf(assay.api, path, keys.at(-1)),
          keys: keys.slice(index * callers, (index + 1) * callers),
          rounds
        })
      }
      console.log(`load of the machine at the end ${machineLoad()}`)
    },
    { statements: statementsFile() }
  )
