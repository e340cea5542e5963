import { cpus, loadavg } from "node:os"
import { option, withFilledAssay } from "./api/servers.mjs"
import { actToScreen, gzipSize, opened, withBrowser } from "./web/browser.mjs"

const session = { email: "owner@example.org", password: "correct horse battery" }
const scrolledRows = 10_000

const spread = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)], least: sorted[0], most: sorted.at(-1) }
}

const printMillis = (what, times) => {
  const { median, most } = spread(times)
  console.log(`  ${what.padEnd(52)} median ${median.toFixed(0)} ms, slowest ${most.toFixed(0)} ms`)
}

const printLoad = () => {
  const [minute] = loadavg()
  console.log(`  load of the machine in the last minute: ${minute.toFixed(1)} on ${cpus().length} cores`)
}

const printFiles = (files) => {
  const sizes = files.map((path) => ({ path, size: gzipSize(path) / 1000 })).sort((a, b) => b.size - a.size)
  const sum = (end) => sizes.filter(({ path }) => path.endsWith(end)).reduce((total, { size }) => total + size, 0)
  console.log(
    `\nasked for before the rows are drawn: script ${sum(".js").toFixed(1)} kB gzip (aim 200), style ${sum(".css").toFixed(1)} kB`
  )
  for (const { path, size } of sizes.slice(0, 6)) console.log(`  ${size.toFixed(1).padStart(6)} kB ${path}`)
}

/** Opens an address in a browser that knows no file of it, and again in the same one. */
const drawing = async (signedIn, address, rounds) => {
  const times = { first: [], again: [] }
  let files = []
  for (let round = 0; round <= rounds; round++) {
    const context = await signedIn()
    for (const visit of ["first", "again"]) {
      const page = await context.newPage()
      const result = await opened(page, address)
      if (visit === "first") files = result.files
      // The first round warms up the service.
      if (round > 0) times[visit].push(result)
      await page.close()
    }
    await context.close()
  }
  return { times, files }
}

const closed = (page, role) => page.getByRole(role).waitFor({ state: "detached" })

/** Dismisses the open observation; from the press of the button to the row that takes its place, the server between them. */
const dismissed = async (page) => {
  await page.keyboard.press("d")
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("radio").first().press("Space")
  await dialog.getByRole("textbox", { name: "Note" }).fill("Measured by the bench, on data that it made.")
  const submit = dialog.getByRole("button", { name: /^Dismiss/ })
  const millis = await actToScreen(page, "open", () => submit.click())
  await closed(page, "dialog")
  return millis
}

/** Each act with what it needs afterwards, so that it can be done again. */
const acts = (page) => ({
  "j moves to the next row": () => actToScreen(page, "current", () => page.keyboard.press("j")),
  "x selects a row": () => actToScreen(page, "selected", () => page.keyboard.press("x")),
  "e acknowledges and moves on": async () => {
    await page.keyboard.press("Escape")
    return actToScreen(page, "current", () => page.keyboard.press("e"))
  },
  "a press opens the menu of groups": async () => {
    const button = page.getByRole("button", { name: /^Group:/ })
    const millis = await actToScreen(page, "menu", () => button.click())
    await page.keyboard.press("Escape")
    await closed(page, "menu")
    return millis
  },
  "d opens the dialog": async () => {
    const millis = await actToScreen(page, "dialog", () => page.keyboard.press("d"))
    await page.keyboard.press("Escape")
    await closed(page, "dialog")
    return millis
  },
  "dismissing, until its row is gone": () => dismissed(page)
})

const printActs = async (page, rounds) => {
  console.log(`\nact to the screen (aim 100 ms), ${4 * rounds} of each; the first of a kind may load its script`)
  for (const [what, act] of Object.entries(acts(page))) {
    const times = []
    for (let round = 0; round < 4 * rounds; round++) times.push(await act())
    printMillis(what, times)
  }
}

/** Scrolls to the end again and again until so many rows are loaded, or all there are. */
const loadRows = (page, most) =>
  page.evaluate(
    (most) =>
      new Promise((resolve) => {
        const grid = document.querySelector('[role="grid"]')
        const scroller = grid.parentElement
        const aim = Math.min(most, Number(grid.getAttribute("aria-rowcount")))
        const look = () => {
          scroller.scrollTop = scroller.scrollHeight
          const indexes = [...document.querySelectorAll("[data-index]")].map((row) => Number(row.dataset.index))
          const loaded = Math.max(...indexes) + 1
          if (loaded >= aim) resolve(loaded)
          else setTimeout(look, 50)
        }
        look()
      }),
    most
  )

/** Scrolls from the first to the last row, ten rows a frame; milliseconds between frames. */
const scrolled = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const scroller = document.querySelector('[role="grid"]').parentElement
        scroller.scrollTop = 0
        const end = scroller.scrollHeight - scroller.clientHeight
        const intervals = []
        let last
        const step = (now) => {
          if (last !== undefined) intervals.push(now - last)
          last = now
          if (scroller.scrollTop >= end - 1) return resolve(intervals)
          scroller.scrollTop += 560
          requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      })
  )

/** CPU seconds of the page's main thread so far: other than frames, they are the same on a machine that is busy otherwise. */
const mainThread = async (page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    return metrics.find(({ name }) => name === "TaskDuration").value
  }
}

const printScrolling = async (page, rounds) => {
  const cpu = await mainThread(page)
  const rows = await loadRows(page, scrolledRows)
  console.log(`\nscrolling through ${rows} rows (aim 60 frames a second over ${scrolledRows})`)
  for (let round = 0; round < rounds; round++) {
    const before = await cpu()
    const intervals = await scrolled(page)
    const millis = ((await cpu()) - before) * 1000
    const seconds = intervals.reduce((sum, millis) => sum + millis, 0) / 1000
    const late = intervals.filter((millis) => millis > 25).length
    console.log(
      `  ${(intervals.length / seconds).toFixed(1)} frames a second, ${late} of ${intervals.length} late, ` +
        `slowest ${Math.max(...intervals).toFixed(0)} ms; ${(millis / intervals.length).toFixed(1)} ms CPU of the main thread a frame`
    )
  }
}

/**
 * Claims: the scripts of the first view have at most 200 kB (gzip); with 1,000,000 observations the triage view is drawn
 * within 1.0 s of the navigation; an act is on the screen within 100 ms; 10,000 rows scroll at 60 frames a second.
 * `npm run bench -- web [--observations=20000] [--rounds=5] [--data=folder]`.
 */
export const run = (args) => {
  const rounds = Number(option(args, "rounds", "5"))
  return withFilledAssay([...args, "--observations=20000"], async ({ count, assay }) => {
    await withBrowser(assay.api, session, async (signedIn, version) => {
      console.log(`Chromium ${version}, 1440 × 900`)
      printLoad()
      const { times, files } = await drawing(signedIn, "/triage", rounds)
      printFiles(files)
      console.log(`\ntriage view of ${count} observations after navigation (aim 1000 ms), ${rounds} rounds`)
      for (const [visit, of] of Object.entries(times)) {
        const known = visit === "first" ? "no file known" : "files known"
        for (const [what, name] of [
          ["rows", "rows"],
          ["rows and counts", "all"]
        ])
          printMillis(
            `${what}, ${known}`,
            of.map((result) => result[name])
          )
      }
      printLoad()
      const page = await (await signedIn()).newPage()
      await opened(page, "/triage")
      await page.locator('[role="row"][aria-current="true"]').focus()
      await printActs(page, rounds)
      printLoad()
      // The acts have taken rows out of the list: another page counts those that are left.
      const scrolling = await (await signedIn()).newPage()
      await opened(scrolling, "/triage")
      await printScrolling(scrolling, rounds)
      printLoad()
    })
  })
}
