import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { readingLocal } from "../../../src/layers/git/LocalRoots.ts"
import { PlainGitCodeHost } from "../../../src/layers/PlainGitCodeHost.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { aFolder, aRepository, type Repository, runGitIn } from "../../support/gitRepository.ts"

interface Hostile {
  readonly repository: Repository
  /** Not under the root, and all packed. */
  readonly outside: Repository
}

const hostiles: Readonly<Record<string, (hostile: Hostile) => void>> = {
  "objects/pack": ({ repository, outside }) => exchange(repository, outside, "objects/pack"),
  objects: ({ repository, outside }) => exchange(repository, outside, "objects"),
  "single packs": ({ repository, outside }) => {
    for (const name of readdirSync(join(outside.gitDir, "objects/pack")))
      symlinkSync(join(outside.gitDir, "objects/pack", name), join(repository.gitDir, "objects/pack", name))
  },
  "a folder of loose objects": ({ repository }) => {
    const loose = aRepository({ a: "not packed" })
    const name = readdirSync(join(loose.gitDir, "objects")).find((each) => each.length === 2)!
    rmSync(join(repository.gitDir, "objects", name), { recursive: true, force: true })
    symlinkSync(join(loose.gitDir, "objects", name), join(repository.gitDir, "objects", name))
  },
  "packed-refs": ({ repository, outside }) => exchange(repository, outside, "packed-refs"),
  refs: ({ repository, outside }) => exchange(repository, outside, "refs"),
  "one ref": ({ repository, outside }) => exchange(repository, outside, "refs/heads/main", "packed-refs"),
  HEAD: ({ repository, outside }) => exchange(repository, outside, "HEAD"),
  config: ({ repository, outside }) => exchange(repository, outside, "config"),
  "alternates as a link": ({ repository, outside }) => {
    const list = join(aFolder(), "alternates")
    writeFileSync(list, `${outside.gitDir}/objects\n`)
    symlinkSync(list, join(repository.gitDir, "objects/info/alternates"))
  },
  "alternates as text": ({ repository, outside }) =>
    writeFileSync(join(repository.gitDir, "objects/info/alternates"), `# all\n${outside.gitDir}/objects\n`),
  "alternates of alternates": ({ repository, outside }) => {
    const between = aRepository({ b: "b" }, { path: `${repository.path}-between` })
    writeFileSync(join(between.gitDir, "objects/info/alternates"), `${outside.gitDir}/objects\n`)
    writeFileSync(join(repository.gitDir, "objects/info/alternates"), `${between.gitDir}/objects\n`)
  },
  "a link in what alternates name": ({ repository, outside }) => {
    const between = aRepository({ b: "b" }, { path: `${repository.path}-between` })
    exchange(between, outside, "objects/pack")
    writeFileSync(join(repository.gitDir, "objects/info/alternates"), `${between.gitDir}/objects\n`)
  },
  "the common folder of a worktree": ({ repository, outside }) => {
    writeFileSync(join(repository.gitDir, "commondir"), `${outside.gitDir}\n`)
  },
  "a relative common folder": ({ repository, outside }) => {
    const up = "../".repeat(repository.gitDir.split("/").length)
    writeFileSync(join(repository.gitDir, "commondir"), `${up}${outside.gitDir.slice(1)}\n`)
  },
  "the git folder of a worktree": ({ repository, outside }) => {
    rmSync(repository.gitDir, { recursive: true })
    writeFileSync(repository.gitDir, `gitdir: ${outside.gitDir}\n`)
  },
  "settings that include others": ({ repository, outside }) =>
    repository.git("config", "include.path", join(outside.gitDir, "config")),
  "settings that include others at times": ({ repository, outside }) =>
    repository.git("config", "includeIf.gitdir:/**.path", join(outside.gitDir, "config")),
  "settings that include what includes others": ({ repository, outside }) => {
    repository.git("config", "include.path", "more")
    runGitIn(repository.gitDir, ["config", "--file", "more", "include.path", join(outside.gitDir, "config")])
  },
  "settings of a home folder": ({ repository }) => repository.git("config", "include.path", "~/.gitconfig")
}

/** A link to the outside in place of what is there; `without` is what would win over it. */
const exchange = (repository: Repository, outside: Repository, name: string, without?: string) => {
  if (name.startsWith("refs/")) outside.git("update-ref", "refs/heads/loose", "HEAD")
  const target = join(outside.gitDir, name)
  if (!existsSync(target)) writeFileSync(target, outside.git("rev-parse", "HEAD"))
  if (without !== undefined) rmSync(join(repository.gitDir, without), { force: true })
  rmSync(join(repository.gitDir, name), { recursive: true, force: true })
  symlinkSync(target, join(repository.gitDir, name))
}

const victim = () => {
  const outside = aRepository({ secret: "not to be read" })
  outside.git("gc", "--quiet")
  return outside
}

const inHost = <A, E>(root: string, test: (code: typeof CodeHost.Service, dataDir: string) => Effect.Effect<A, E>) => {
  const dataDir = aFolder()
  return Effect.flatMap(CodeHost, (code) => test(code, dataDir)).pipe(
    Effect.provide(PlainGitCodeHost.layer({ dataDir, localRoots: [root], allowPrivateNetwork: false }))
  )
}

const objectsUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.pack$|objects\/..\//.test(name))

describe("a local repository that leads outside of the allowed folders is not read", () => {
  for (const [name, plant] of Object.entries(hostiles)) {
    it.live(`by ${name}`, () => {
      const root = aFolder()
      const repository = aRepository({ a: "a" }, { path: join(root, "repository") })
      plant({ repository, outside: victim() })
      return inHost(root, (code, dataDir) =>
        Effect.gen(function* () {
          const url = repository.path
          const fetch = code.fetch({ repositoryId: "r", remote: { url }, branch: "main" })
          for (const call of [Effect.asVoid(code.inspect({ url })), Effect.asVoid(fetch)]) {
            const error = yield* Effect.flip(call)
            assert.strictEqual(error.reason, "path_refused")
            assert.include(error.message, "ASSAY_LOCAL_REPO_ROOTS")
          }
          assert.deepStrictEqual(objectsUnder(dataDir), [])
        })
      )
    })
  }

  it.live("by a git folder inside of the git folder, which is not opened", () => {
    const root = aFolder()
    const repository = aRepository({ a: "a" }, { path: join(root, "repository") })
    const outside = victim()
    writeFileSync(join(repository.gitDir, ".git"), `gitdir: ${outside.gitDir}\n`)
    return inHost(root, (code) =>
      Effect.gen(function* () {
        const { heads } = yield* code.inspect({ url: repository.path })
        assert.deepStrictEqual([...heads.values()], [repository.git("rev-parse", "HEAD")])
      })
    )
  })
})

describe("a local repository that stays inside is read", () => {
  it.live("with linked hooks, a store it borrows from, settings it includes, and as a worktree", () => {
    const root = aFolder()
    const store = aRepository({ a: "a" }, { path: join(root, "store") })
    runGitIn(root, ["clone", "--quiet", "--shared", store.path, "shared"])
    const gitDir = join(root, "shared/.git")
    mkdirSync(join(gitDir, "hooks"), { recursive: true })
    symlinkSync("/bin/true", join(gitDir, "hooks/pre-commit"))
    writeFileSync(join(root, "shared/.gitconfig"), "[core]\n\tabbrev = 12\n")
    runGitIn(gitDir, ["config", "include.path", "../.gitconfig"])
    runGitIn(join(root, "shared"), ["worktree", "add", "--quiet", "-b", "side", join(root, "tree")])
    const tip = store.git("rev-parse", "HEAD")
    return inHost(root, (code) =>
      Effect.gen(function* () {
        for (const name of ["shared", "tree"]) {
          const fetched = yield* code.fetch({
            repositoryId: name,
            remote: { url: join(root, name) },
            branch: "main"
          })
          assert.strictEqual(fetched.commit, tip)
        }
      })
    )
  })
})

describe("what git read while the repository led elsewhere does not count", () => {
  const discarding = () => {
    const state = { discarded: 0 }
    return { state, discard: Effect.sync(() => state.discarded++).pipe(Effect.asVoid) }
  }

  const exchanged: Readonly<Record<string, (gitDir: string) => string>> = {
    "its packs": (gitDir) => join(gitDir, "objects/pack"),
    "the git folder": (gitDir) => gitDir,
    "the folder around it": (gitDir) => join(gitDir, "..")
  }
  for (const [name, of] of Object.entries(exchanged)) {
    it.live(`${name}, exchanged for a moment`, () => {
      const root = aFolder()
      const { gitDir, path } = aRepository({ a: "a" }, { path: join(root, "repository") })
      const outside = victim()
      const place = of(gitDir)
      const { state, discard } = discarding()
      const read = Effect.sync(() => {
        renameSync(place, `${place}.away`)
        symlinkSync(outside.path, place)
        rmSync(place)
        renameSync(`${place}.away`, place)
        return "what is outside"
      })
      return Effect.gen(function* () {
        const result = yield* Effect.either(readingLocal(path, [root], read, discard))
        assert.isTrue(Either.isLeft(result))
        assert.strictEqual(state.discarded, 1)
      })
    })
  }

  it.live("a link that is still there when git is done", () => {
    const root = aFolder()
    const { gitDir, path } = aRepository({ a: "a" }, { path: join(root, "repository") })
    const { state, discard } = discarding()
    const read = Effect.sync(() => symlinkSync("/etc/passwd", join(gitDir, "packed-refs")))
    return Effect.gen(function* () {
      const error = yield* Effect.flip(readingLocal(path, [root], read, discard))
      assert.strictEqual(error.reason, "path_refused")
      assert.strictEqual(state.discarded, 1)
    })
  })

  it.live("once it is quiet again, it is read", () => {
    const root = aFolder()
    const repository = aRepository({ a: "a" }, { path: join(root, "repository") })
    const { state, discard } = discarding()
    let reads = 0
    const read = Effect.sync(() => {
      reads++
      if (reads === 1) repository.commit({ b: "b" })
      return reads
    })
    return Effect.gen(function* () {
      assert.strictEqual(yield* readingLocal(repository.path, [root], read, discard), 2)
      assert.strictEqual(state.discarded, 0)
    })
  })
})
