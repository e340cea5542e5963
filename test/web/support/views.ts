import { readdirSync, readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { tabNames } from "../../../web/src/views/repository/tabs.ts"
import { inForm } from "../../support/forms.ts"
import type { Furnished } from "./furnished.ts"
import { pictures } from "./pictures.ts"

const viewFolder = new URL("../../../web/src/views/", import.meta.url)

const found = (file: string, pattern: RegExp): ReadonlyArray<string> =>
  [...readFileSync(new URL(file, viewFolder), "utf8").matchAll(pattern)].map(([, name = ""]) => name)

type Addresses = (of: Furnished) => ReadonlyArray<string>

/** Where each route of the app is visited: every tab that has an address of its own. */
export const addresses: Readonly<Record<string, Addresses>> = {
  "/": () => ["/"],
  "/sign-in": () => ["/sign-in"],
  "/triage": ({ observation }) => [
    "/triage",
    `/triage?group=rule&open=${observation.split("/").at(-1)}`,
    "/triage?status=closed"
  ],
  "/observations/$ref": ({ observation }) => [observation],
  "/fix-prs": () => ["/fix-prs"],
  "/issues": () => ["/issues"],
  "/issues/$ref": ({ issue }) => [issue],
  "/missions": () => ["/missions"],
  "/missions/$ref": ({ mission }) => [mission],
  "/change-reviews": () => ["/change-reviews"],
  "/change-reviews/$name": ({ changeReview }) => [changeReview],
  "/repos": () => ["/repos"],
  "/repos/new": () => ["/repos/new"],
  "/repos/$org/$repo/$branch": ({ repository }) => [repository],
  "/repos/$org/$repo/$branch/$tab": ({ repository }) => Object.keys(tabNames).map((tab) => `${repository}/${tab}`),
  "/jobs": () => ["/jobs"],
  "/jobs/$id": ({ job }) => [job],
  "/trends": () => ["/trends"],
  "/context": () => ["/context", "/context?project=checkout", "/context?status=proposed"],
  "/keys": () => ["/keys"],
  "/settings": () => ["/settings"],
  "/settings/$section": () =>
    found("settings/sections.ts", /^ {4}id: "([^"]+)"/gm).map((section) => `/settings/${section}`),
  "/members": () => ["/members"],
  "/welcome": () => ["/welcome"]
}

/** What tests of every view visit: the main views, and in the long form each address. */
export const visited = (of: Furnished): ReadonlyArray<string> =>
  inForm({
    short: pictures.map(({ address }) => address(of)),
    long: Object.values(addresses).flatMap((at) => at(of))
  })

/** The addresses of the routes, as the views' folders declare them. */
export const routePaths = (): ReadonlyArray<string> =>
  readdirSync(viewFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => /oute\.ts$/i.test(name))
    .flatMap((name) => found(name, /^ {2}path: "([^"]+)"/gm))

/** Waits until the view is drawn, and nothing of it is on its way. */
export const drawn = async (page: Page) => {
  await page.locator("main").waitFor()
  await page.waitForFunction(
    () =>
      document.querySelector("main h1, [aria-label=Breadcrumb] [aria-current]") !== null &&
      document.querySelector("[aria-busy=true]") === null &&
      ![...document.querySelectorAll("[role=status]")].some((status) => status.textContent.startsWith("Loading"))
  )
}
