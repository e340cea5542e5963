import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { inForm } from "../../support/forms.ts"
import type { Look } from "./chromium.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

type Aspect = Required<Pick<Look, "colorScheme" | "width">>

/** What shows light and dark, wide and narrow once each. */
const opposites: ReadonlyArray<Aspect> = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 }
]

const everyLook: ReadonlyArray<Aspect> = [
  ...opposites,
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 360 }
]

/** How the view of this place in a list is looked at: in the short form every other one light and wide, those between dark and narrow. */
export const looksOfView = (place: number): ReadonlyArray<Aspect> =>
  inForm({ short: [opposites[place % opposites.length]!], long: everyLook })

/** How a state of a view is, such as an open dialog: the short form has the look with the least contrast and room. */
const looksOfStates = inForm({ short: opposites.slice(1), long: everyLook })

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** What axe-core finds in the page as it is, one line a violation. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const { violations } = await (
      window as unknown as {
        axe: { run: (of: Document, options: object) => Promise<{ violations: Array<Violation> }> }
      }
    ).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
      // Style sheets are fetched for experimental rules only.
      preload: false
    })
    return violations
  })
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary ?? ""}`)
  )
}

/** The page has no violation, light and dark, wide and narrow, and never scrolls sideways. */
export const accessibleInEveryLook = (page: Page, what: string, looks = looksOfStates) =>
  Effect.promise(async () => {
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await page.setViewportSize({ width, height: 800 })
      const look = `${what}, ${colorScheme}, ${width} px`
      assert.strictEqual((await violations(page)).join("\n"), "", look)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth
      )
      assert.isAtMost(overflow, 0, `${look}: scrolls sideways by ${overflow} px`)
    }
    await page.emulateMedia({ colorScheme: "light" })
    await page.setViewportSize({ width: 1280, height: 800 })
  })
