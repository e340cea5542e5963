import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { chromium } from "playwright-core"

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

const launch = () => {
  const program = process.env.ASSAY_TEST_BROWSER ?? programs.find(existsSync)
  if (program === undefined) throw new Error("This bench needs Chromium: apt-get install chromium")
  return chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] })
}

/**
 * Runs in the page before its scripts. `drawn` holds when rows and counts are on the screen, `acted` measures from an input
 * to the screen. Both take the frame after the one in which the document has changed: by then the change is painted.
 */
const measure = () => {
  const one = (selector) => document.querySelector(selector)
  const afterPaint = (report) => requestAnimationFrame(() => report(performance.now()))

  const drawn = {}
  const conditions = {
    rows: () => one('[role="grid"] [role="row"] a') !== null,
    all: () => conditions.rows() && one('aside[aria-label="Facets"] li .num') !== null
  }
  const lookForDrawing = () => {
    const missing = Object.keys(conditions).filter((name) => drawn[name] === undefined)
    for (const name of missing.filter((name) => conditions[name]()))
      afterPaint((now) => {
        drawn[name] ??= now
      })
    if (missing.length > 0) requestAnimationFrame(lookForDrawing)
  }
  requestAnimationFrame(lookForDrawing)

  /** What an act changes, as it is on the page. */
  const signs = {
    current: () => one('[role="row"][aria-current="true"]')?.dataset.index,
    open: () => one('[role="row"][aria-current="true"] a')?.getAttribute("href"),
    selected: () => document.querySelectorAll('[role="row"][aria-selected="true"]').length,
    dialog: () => one('[role="dialog"] form') !== null,
    menu: () => one('[role="menu"]') !== null
  }
  const acted = (sign) => {
    const before = signs[sign]()
    window.lastAct = new Promise((resolve) => {
      const start = ({ timeStamp }) => {
        for (const type of ["keydown", "pointerup"]) removeEventListener(type, start, true)
        const look = () =>
          signs[sign]() === before ? requestAnimationFrame(look) : afterPaint((now) => resolve(now - timeStamp))
        requestAnimationFrame(look)
      }
      for (const type of ["keydown", "pointerup"]) addEventListener(type, start, true)
    })
  }
  Object.assign(window, { drawn, acted })
}

/** Chromium with a signed-in person; each context has its own cache, and no file of earlier ones. */
export const withBrowser = async (api, session, use) => {
  const browser = await launch()
  const signedIn = async () => {
    const context = await browser.newContext({ baseURL: api, viewport: { width: 1440, height: 900 } })
    const answer = await context.request.post("/api/session", { data: session })
    if (!answer.ok()) throw new Error(`signing in: ${answer.status()} ${await answer.text()}`)
    await context.addInitScript(measure)
    return context
  }
  try {
    await use(signedIn, browser.version())
  } finally {
    await browser.close()
  }
}

/** Opens an address; when its rows and all of it were on the screen, and the files that were asked for before the rows were. */
export const opened = async (page, address) => {
  await page.goto(address)
  await page.waitForFunction(() => window.drawn.rows !== undefined && window.drawn.all !== undefined)
  return page.evaluate(() => ({
    ...window.drawn,
    files: performance
      .getEntriesByType("resource")
      .filter(({ startTime, name }) => startTime < window.drawn.rows && /\.(?:js|css)$/.test(name))
      .map(({ name }) => new URL(name).pathname)
  }))
}

/** Milliseconds from the input that `act` makes to the screen that shows it. */
export const actToScreen = async (page, sign, act) => {
  await page.evaluate((sign) => window.acted(sign), sign)
  await act()
  return page.evaluate(() => window.lastAct)
}

/** Size of a built file as a browser without brotli gets it. */
export const gzipSize = (path) =>
  gzipSync(readFileSync(fileURLToPath(new URL(`../../../dist/web${path}`, import.meta.url))), { level: 9 }).length
