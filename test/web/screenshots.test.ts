import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { furnish, shopFiles } from "./support/furnished.ts"
import { fileOf, pictureFolder, pictures, themes } from "./support/pictures.ts"
import { drawn } from "./support/views.ts"
import { signIn, World } from "./support/world.ts"

const files = pictures.flatMap((picture) => themes.map((theme) => fileOf(picture, theme)))

const mostBytes = 150_000

/** Makes a smaller file of the picture than PNG would be, with what the browser has for it. */
const asWebp = async (page: Page, png: Buffer): Promise<Buffer> => {
  const address = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement("canvas")
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      canvas.getContext("2d")?.drawImage(image, 0, 0)
      return canvas.toDataURL("image/webp", 0.9)
    },
    `data:image/png;base64,${png.toString("base64")}`
  )
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64")
}

describe.skipIf(process.env.ASSAY_SCREENSHOTS === "write")("the pictures of the web app", () => {
  it("are those that the guide shows, light and dark, and small", () => {
    const guide = readFileSync(new URL("../../docs/web-app.md", import.meta.url), "utf8")
    assert.sameMembers(readdirSync(pictureFolder), files)
    for (const file of files) {
      assert.include(guide, `](images/${file})`)
      assert.isAtMost(statSync(new URL(file, pictureFolder)).size, mostBytes, file)
    }
  })
})

// `npm run screenshots` takes them again.
if (process.env.ASSAY_SCREENSHOTS === "write") {
  inBrowser("screenshots", World.holding(shopFiles), (it) => {
    it.scoped("are taken of the main views of an audited repository", () =>
      Effect.gen(function* () {
        const world = yield* World
        const of = yield* furnish(world)
        mkdirSync(pictureFolder, { recursive: true })
        for (const colorScheme of themes) {
          const person = yield* world.visit(world.server.api, { colorScheme, width: 1280, height: 800 })
          yield* signIn(person)
          const blank = yield* steps(() => person.context.newPage())
          for (const picture of pictures) {
            yield* steps(async () => {
              await person.page.goto(picture.address(of))
              await drawn(person.page)
              const webp = await asWebp(blank, await person.page.screenshot())
              writeFileSync(new URL(fileOf(picture, colorScheme), pictureFolder), webp)
            })
          }
          yield* noProblems(person)
        }
      })
    )
  })
}
