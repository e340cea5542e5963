import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import type { Running } from "../../support/onDemand.ts"

/** The one without windows first: a page of its own takes a third of the CPU, as no window is drawn around it. */
const programs = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"
]

/** The browser of this machine; `ASSAY_TEST_BROWSER` names another. */
export const program = process.env.ASSAY_TEST_BROWSER ?? programs.find(existsSync)

/** Where a test file connects to the browser of the run. */
export interface BrowserAddress {
  readonly endpoint: string
}

export const browserServer = async (): Promise<Running> => {
  const server = await chromium.launchServer({
    executablePath: program ?? "",
    host: "127.0.0.1",
    // As root, as in a container, Chromium has no sandbox of its own.
    args: ["--no-sandbox", "--disable-dev-shm-usage"]
  })
  return { answer: { endpoint: server.wsEndpoint() } satisfies BrowserAddress, stop: () => server.close() }
}
