import { assert, it, layer, type Vitest } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { inject } from "vitest"
import { askFor } from "../../support/askFor.ts"
import { type BrowserAddress, program } from "./browserServer.ts"

/** Tests in a real browser. Where there is none, one test says what is missing and what would install it. */
export const inBrowser = <R, E>(
  title: string,
  services: Layer.Layer<R, E>,
  tests: (it: Vitest.MethodsNonLive<R, true>) => void
): void => {
  if (program !== undefined) return layer(services, { excludeTestServices: true })(title, tests)
  it.skip(`${title}: needs Chromium, which is not installed (apt-get install chromium-headless-shell)`, () => undefined)
}

const connected = Effect.acquireRelease(
  Effect.flatMap(askFor<BrowserAddress>(inject("browserPort")), ({ endpoint }) =>
    Effect.promise(() => chromium.connect(endpoint))
  ),
  (browser) => Effect.promise(() => browser.close())
)

export interface Look {
  readonly colorScheme?: "light" | "dark"
  readonly width?: number
  readonly height?: number
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of the console, of scripts, and reports of the content security policy, which no view may cause. */
  readonly problems: ReadonlyArray<string>
}

/** A response that a view asks for although it may be an error: the console lists it, and nothing is wrong. */
export type Expected = (status: number, path: string) => boolean

const isExpectedOfAll: Expected = (status, path) => status === 401 && path === "/api/session"

const watch = (page: Page, problems: Array<string>, isExpected: Expected) => {
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`))
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return
    const [, status] = /status of (\d+)/.exec(message.text()) ?? []
    const { url } = message.location()
    if (status !== undefined && URL.canParse(url)) {
      const { pathname } = new URL(url)
      if (isExpectedOfAll(Number(status), pathname) || isExpected(Number(status), pathname)) return
    }
    problems.push(`${message.type()}: ${message.text()} ${url}`)
  })
}

/** The browser of the run; each visit is a person at a computer of their own, and ends with its scope. */
export const aBrowser: Effect.Effect<
  (api: string, look?: Look, isExpected?: Expected) => Effect.Effect<Visit, never, Scope.Scope>,
  never,
  Scope.Scope
> = Effect.map(
  connected,
  (browser: Browser) =>
    (api, look = {}, isExpected = () => false) =>
      Effect.acquireRelease(
        Effect.promise(async () => {
          const context = await browser.newContext({
            baseURL: api,
            colorScheme: look.colorScheme ?? "light",
            viewport: { width: look.width ?? 1280, height: look.height ?? 800 }
          })
          // Time-outs end hangs, on a machine that is busy with other work, too.
          context.setDefaultTimeout(120_000)
          const page = await context.newPage()
          const problems: Array<string> = []
          watch(page, problems, isExpected)
          return { context, page, problems }
        }),
        ({ context }) => Effect.promise(() => context.close())
      )
)

/** Fails with what the console said in a visit. */
export const noProblems = ({ problems }: Visit) => Effect.sync(() => assert.deepStrictEqual([...problems], []))

/** Steps in a page, which the browser carries out one after another. */
export const steps = <A>(use: () => Promise<A>) => Effect.promise(use)
