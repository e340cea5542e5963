import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Effect, Layer } from "effect"
import { Sources } from "../../engine/index.ts"
import type { CodeHostError } from "../../services/ports/Remote.ts"
import { type CommitRequest, type WorkTree, WorkTrees } from "../../services/ports/WorkTrees.ts"
import { fromGit } from "./failures.ts"
import { runGit } from "./run.ts"
import { changesBetween } from "./treeChanges.ts"

/** Whom commits name. */
const author = "Assay <assay@localhost>"

/** What names the newest commit that was made in a work tree. */
const madeRef = "refs/assay/made"

// Above every attribute of the repository: no filter, no conversion of line ends or encodings.
const attributes = "* -text -eol -filter -ident -working-tree-encoding -merge\n"

interface GitOptions {
  readonly input?: Uint8Array
  readonly variables?: Readonly<Record<string, string>>
  readonly config?: Readonly<Record<string, string>>
  readonly maxOutputBytes?: number
}

const maxDiffBytes = 64 * 1024 * 1024

/** Removes a path from an index; the absent object is as long as those of the repository. */
const removal = (commit: string, path: string) => `0 ${"0".repeat(commit.length)}\t${path}\0`

const escapes: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n" }

/** A path as git's streams have it. */
const quoted = (path: string) => `"${path.replaceAll(/["\\\n]/g, (character) => escapes[character]!)}"`

const data = (content: Uint8Array) =>
  Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from("\n")])

const treeIn = (folder: string): WorkTree => {
  const gitDir = join(folder, "repository.git")
  let count = 0
  const fresh = (name: string) => join(folder, `${name}-${count++}`)
  const git = (args: ReadonlyArray<string>, { variables, config, ...options }: GitOptions = {}) =>
    runGit({
      gitDir,
      reach: { writable: [folder] },
      args: ["--literal-pathspecs", ...args],
      environment: Sources.gitEnvironment({ ...(config ? { config } : {}), ...(variables ? { variables } : {}) }),
      ...options
    }).pipe(Effect.catchAll((failure) => Effect.suspend(() => fromGit("the work tree")(failure))))
  const text = (args: ReadonlyArray<string>, options?: GitOptions) =>
    Effect.map(git(args, options), (output) => output.toString().trim())

  /** Modes of the files of a commit that are among these paths. */
  const modesOf = Effect.fnUntraced(function* (commit: string, paths: ReadonlyArray<string>) {
    const listing = yield* git(["ls-tree", "-z", "--full-tree", commit, "--", ...paths])
    return new Map(
      listing
        .toString()
        .split("\0")
        .flatMap((record) => {
          const [, mode, path] = /^(\d{6}) \w+ [0-9a-f]+\t(.+)$/s.exec(record) ?? []
          return mode === undefined || path === undefined ? [] : [[path, mode] as const]
        })
    )
  })

  const commit = Effect.fnUntraced(function* ({ parent, files, message, at }: CommitRequest) {
    const modes = yield* modesOf(
      parent,
      files.map(({ path }) => path)
    )
    const date = `${Math.floor(Date.parse(at) / 1000)} +0000`
    const input = [
      Buffer.from(`commit ${madeRef}\nmark :1\n`),
      Buffer.from(`author ${author} ${date}\ncommitter ${author} ${date}\n`),
      data(Buffer.from(message)),
      Buffer.from(`from ${parent}\n`),
      ...files.flatMap(({ path, content }) =>
        content === null
          ? [Buffer.from(`D ${quoted(path)}\n`)]
          : [Buffer.from(`M ${modes.get(path) ?? "100644"} inline ${quoted(path)}\n`), data(content)]
      ),
      Buffer.from("\nget-mark :1\n")
    ]
    return yield* text(["fast-import", "--quiet", "--force"], { input: Buffer.concat(input) })
  })

  /** An index of the regular files of a commit. */
  const indexOf = Effect.fnUntraced(function* (revision: string) {
    const variables = { GIT_INDEX_FILE: fresh("index") }
    yield* git(["read-tree", revision], { variables })
    const listing = yield* git(["ls-files", "-s", "-z"], { variables, maxOutputBytes: maxDiffBytes })
    const irregular = listing
      .toString()
      .split("\0")
      .filter((record) => /^(?:120000|160000) /.test(record))
      .map((record) => removal(revision, record.slice(record.indexOf("\t") + 1)))
    if (irregular.length > 0) {
      yield* git(["update-index", "-z", "--index-info"], { variables, input: Buffer.from(irregular.join("")) })
    }
    return { variables, isWhole: irregular.length === 0 }
  })

  const checkout = Effect.fnUntraced(function* (revision: string) {
    const files = fresh("files")
    yield* Effect.promise(() => mkdir(files, { mode: 0o700 }))
    const { variables } = yield* indexOf(revision)
    yield* git(["--work-tree", files, "checkout-index", "--all", "--quiet"], { variables })
    return files
  })

  /** The trees of a commit and of what became of its checkout. */
  const treesOf = Effect.fnUntraced(function* (files: string, revision: string) {
    const { variables, isWhole } = yield* indexOf(revision)
    const before = isWhole ? revision : yield* text(["write-tree"], { variables })
    yield* git(["--work-tree", files, "add", "--all", "--", "."], {
      variables,
      // A link that was added must be seen as one.
      config: { "core.symlinks": "true", "core.fileMode": "true", "advice.addEmbeddedRepo": "false" }
    })
    return { before, after: yield* text(["write-tree"], { variables }) }
  })

  const diff = (from: string, to: string) =>
    Effect.map(
      git(["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", from, to], {
        maxOutputBytes: maxDiffBytes
      }),
      (output) => output.toString()
    )

  return {
    gitDir,
    commit,
    checkout,
    changesIn: (files, revision) =>
      Effect.flatMap(treesOf(files, revision), ({ before, after }) => changesBetween(git, before, after)),
    diffIn: (files, revision) =>
      Effect.flatMap(treesOf(files, revision), ({ before, after }) =>
        Effect.catchIf(
          diff(before, after),
          ({ reason }) => reason === "too_large",
          () => Effect.succeed("")
        )
      ),
    isIntact: Effect.promise(() => isIntact(folder)),
    changes: (from, to) => changesBetween(git, from, to),
    diff
  }
}

/** What a work tree has beside its checkouts and indexes, and what of its repository decides what git does. */
const isIntact = async (folder: string) => {
  const names = await readdir(folder)
  if (names.some((name) => !/^(?:repository\.git|(?:index|files)-\d+(?:\.lock)?)$/.test(name))) return false
  const repository = await readdir(join(folder, "repository.git"))
  const known = ["HEAD", "config", "info", "objects", "refs"]
  if (repository.some((name) => !known.includes(name))) return false
  const text = (path: string) => readFile(join(folder, "repository.git", path), "utf8").catch(() => "")
  return (await text("info/attributes")) === attributes && !/\[(?!core\]|extensions\])/.test(await text("config"))
}

/** A folder names the process that it belongs to, so that those of dead processes can be removed. */
const removeLeftovers = async (folder: string) => {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid) || isAlive(pid)) continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const create = async (folder: string, mirror: string) => {
  const own = await mkdtemp(join(folder, `${process.pid}-`))
  const info = join(own, "repository.git/info")
  const objects = join(own, "repository.git/objects/info")
  await mkdir(info, { recursive: true })
  await mkdir(objects, { recursive: true })
  await writeFile(join(info, "attributes"), attributes)
  await writeFile(join(objects, "alternates"), `${join(mirror, "objects")}\n`)
  return own
}

const initialise = (own: string, format: string) =>
  runGit({
    args: ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, join(own, "repository.git")],
    reach: { writable: [own] },
    environment: Sources.gitEnvironment()
  }).pipe(Effect.orDie)

const formatOf = (mirror: string): Effect.Effect<string, CodeHostError> =>
  runGit({
    gitDir: mirror,
    args: ["rev-parse", "--show-object-format"],
    environment: Sources.gitEnvironment()
  }).pipe(
    Effect.map((output) => output.toString().trim()),
    Effect.catchAll((failure) => Effect.suspend(() => fromGit("the mirror")(failure)))
  )

export const GitWorkTrees = {
  layer: (dataDir: string): Layer.Layer<WorkTrees> =>
    Layer.effect(
      WorkTrees,
      Effect.gen(function* () {
        const folder = join(resolve(dataDir), "work")
        yield* Effect.promise(() => mkdir(folder, { recursive: true, mode: 0o700 }))
        yield* Effect.promise(() => removeLeftovers(folder))
        const open = (mirror: string) =>
          Effect.gen(function* () {
            const format = yield* formatOf(mirror)
            const own = yield* Effect.acquireRelease(
              Effect.promise(() => create(folder, mirror)),
              (own) => Effect.promise(() => rm(own, { recursive: true, force: true }))
            )
            yield* initialise(own, format)
            return treeIn(own)
          })
        return { open }
      })
    )
}
