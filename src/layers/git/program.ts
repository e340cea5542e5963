import { Data, Effect } from "effect"
import { Sources } from "../../engine/index.ts"
import { runGit } from "./run.ts"

/** Why the server cannot start; the message is for the operator. */
export class GitUnusable extends Data.TaggedError("GitUnusable")<{ readonly message: string }> {}

// 2.38: `safe.directory` given per call is honoured and a local repository cannot name programs to run; 2.37: addresses can
// be pinned. An older git would ignore both without a word.
const oldest = { major: 2, minor: 38 }

const isTooOld = (version: string): boolean => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (Number(major) !== oldest.major) return !(Number(major) > oldest.major)
  return Number(minor) < oldest.minor
}

/** What the git on the PATH says of itself, if it will do. */
export const usableGit: Effect.Effect<string, GitUnusable> = runGit({
  args: ["--version"],
  environment: Sources.gitEnvironment()
}).pipe(
  Effect.mapError(() => new GitUnusable({ message: "git is not installed, or not on the PATH." })),
  Effect.map((output) => output.toString().trim()),
  Effect.filterOrFail(
    (version) => !isTooOld(version),
    (version) =>
      new GitUnusable({ message: `git ${oldest.major}.${oldest.minor} or newer is needed; found ${version}.` })
  )
)
