import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"
import type { Ecosystem } from "../../../src/engine/dependencies/lockfiles/LockedPackage.ts"
import { compareVersions } from "../../../src/engine/dependencies/versions/order.ts"

/** Each line rises from left to right; `=` joins spellings of the same version. */
const rising: Readonly<Record<Ecosystem, ReadonlyArray<string>>> = {
  npm: [
    "1.0.0-alpha < 1.0.0-alpha.1 < 1.0.0-alpha.beta < 1.0.0-beta < 1.0.0-beta.2 < 1.0.0-beta.11 < 1.0.0-rc.1 < 1.0.0 < 1.0.1 < 1.10.0"
  ],
  "crates.io": ["0.1.0 < 0.2.0-alpha < 0.2.0 = 0.2.0+build < 1.0.0"],
  Go: [
    "v0.0.0-20201216223049-8b5274cf687f < 0.0.0-20210322153248-0c34fe9e7dc2 < v0.17.0 = 0.17.0 < v1.0.0 < v2.0.0+incompatible",
    "1.19.4 < 1.20 = 1.20.0"
  ],
  PyPI: [
    "1.0.dev456 < 1.0a1 < 1.0a2.dev456 < 1.0a12.dev456 < 1.0a12 < 1.0b1.dev456 < 1.0b2 < 1.0b2.post345.dev456 < 1.0b2.post345 < 1.0rc1.dev456 < 1.0rc1 < 1.0 = 1.0.0 = v1.0 < 1.0+abc.5 < 1.0+abc.7 < 1.0+5 < 1.0.post456.dev34 < 1.0.post456 = 1.0-456 < 1.1.dev1",
    "2.0 < 1!0.1",
    "1.0rc1 = 1.0-RC.1 = 1.0c1 = 1.0pre1"
  ],
  Maven: [
    "1.0-alpha-1 = 1.0-a1 < 1.0-beta-1 < 1.0-milestone-1 = 1.0-m1 < 1.0-rc1 = 1.0-cr1 < 1.0-SNAPSHOT < 1.0 = 1 = 1.0.0 = 1.0-ga = 1.0.Final < 1.0-sp < 1.0-whatever < 1.0-1 < 1.0.1",
    "5.2.19.RELEASE < 5.2.20.RELEASE = 5.2.20 < 5.3.0-M1 < 5.3.0",
    "2.0-beta9 < 2.0-rc1 < 2.0 < 2.3.1 < 2.12.2 < 2.14.1 < 2.15.0",
    "2.12.6 < 2.12.6.1 < 2.13.0-rc1 < 2.13.0",
    "31.0-jre < 32.0.0-android < 32.0.0-jre"
  ],
  RubyGems: [
    "1.0.0.a < 1.0.0.beta1 < 1.0.0.pre2 < 1.0.0.pre10 < 1.0.0.rc1 < 1.0.0 = 1.0 = 1 < 1.0.0.1 < 1.9 < 1.10",
    "5.2.2 < 5.2.2.1 < 6.0.0.rc1 < 6.0.0"
  ],
  NuGet: [
    "1.0.0-alpha < 1.0.0-alpha.2 < 1.0.0-alpha.10 < 1.0.0-BETA = 1.0.0-beta < 1.0.0 = 1.0 = 1.0.0.0 = 1.0.0+meta < 1.0.0.1 < 12.0.3 < 13.0.1"
  ],
  Packagist: [
    "1.0.0-dev < 1.0.0-alpha1 < 1.0.0-alpha2 < 1.0.0-beta1 < 1.0.0-RC1 < 1.0.0-RC2 < 1.0.0 = v1.0.0 = 1.0 < 1.0.0-patch1 = 1.0.0-p1 < 1.0.1"
  ]
}

const sign = (order: number | null): number | null => (order === null ? null : Math.sign(order))

describe("the order of versions", () => {
  for (const [ecosystem, lines] of Object.entries(rising) as ReadonlyArray<[Ecosystem, ReadonlyArray<string>]>) {
    it(`is that of ${ecosystem}`, () => {
      for (const line of lines) {
        const levels = line.split(" < ").map((level) => level.split(" = "))
        const all = levels.flatMap((level, rank) => level.map((version) => ({ version, rank })))
        for (const a of all) {
          for (const b of all) {
            const expected = Math.sign(a.rank - b.rank)
            assert.strictEqual(
              sign(compareVersions(ecosystem, a.version, b.version)),
              expected,
              `${a.version} and ${b.version}`
            )
          }
        }
      }
    })

    it(`is an order for whatever looks like a version of ${ecosystem}`, () => {
      const words = [
        "1",
        "0",
        "10",
        "2",
        "00",
        "20200101",
        "alpha",
        "a",
        "b1",
        "rc",
        "dev",
        "post",
        "final",
        "x",
        "sp",
        "RELEASE"
      ]
      const version = FastCheck.array(
        FastCheck.tuple(FastCheck.constantFrom(...words), FastCheck.constantFrom(".", "-", "+", "", "_")),
        { minLength: 1, maxLength: 6 }
      ).map((parts) => `1.${parts.map(([word, mark]) => word + mark).join("")}0`)
      FastCheck.assert(
        FastCheck.property(version, version, version, (a, b, c) => {
          const [ab, ba, bc, ac] = [
            sign(compareVersions(ecosystem, a, b)),
            sign(compareVersions(ecosystem, b, a)),
            sign(compareVersions(ecosystem, b, c)),
            sign(compareVersions(ecosystem, a, c))
          ]
          assert.strictEqual(ab === null ? null : ab + (ba ?? 9), ab === null ? null : 0)
          if (ab !== null && bc !== null && ab <= 0 && bc <= 0) assert.isAtMost(ac ?? 9, 0, `${a} <= ${b} <= ${c}`)
        }),
        { numRuns: 500 }
      )
    })

    it(`has no place for what is no version of ${ecosystem}, and takes no time over it`, () => {
      const started = performance.now()
      for (const text of [
        "",
        " ",
        "*",
        `$${"{version}"}`,
        "^",
        "x".repeat(100_000),
        "1.".repeat(100_000),
        "1-".repeat(120),
        `0p${"0".repeat(250)}!`
      ]) {
        compareVersions(ecosystem, text, "1.0.0")
      }
      assert.isBelow(performance.now() - started, 500)
      for (const text of ["", "*", "latest\u0000"])
        assert.isNull(compareVersions(ecosystem, text, "1.0.0"), JSON.stringify(text))
    })
  }
})
