import { lineOf, type Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"

const common = { purpose: "lint", means: null, folder: "", origin: "convention" } as const

const inManifest = /^\[(?:workspace\.)?lints\.clippy\b/m

/** Settings of Clippy, levels of its lints in the manifest, or attributes of a crate that set them. */
const clippy = (survey: Survey): ReadonlyArray<Command> => {
  const settings = survey.rootFile(/^\.?clippy\.toml$/)
  const manifest = survey.texts(/^Cargo\.toml$/).find(({ text }) => inManifest.test(text))
  const source = survey.source.find(({ lints }) => lints > 0)
  const [path, line] =
    settings !== undefined
      ? [settings, 1]
      : manifest !== undefined
        ? [manifest.path, lineOf(manifest.text, inManifest) ?? 1]
        : [source?.path, source?.lints ?? 1]
  return path === undefined ? [] : [{ ...common, command: "cargo clippy", path, line }]
}

const rustfmt = (survey: Survey): ReadonlyArray<Command> => {
  const path = survey.rootFile(/^\.?rustfmt\.toml$/)
  return path === undefined ? [] : [{ ...common, command: "cargo fmt --check", path, line: 1 }]
}

/** Linters of a crate at the root that its settings or its sources show. */
export const rustLinters = (survey: Survey): ReadonlyArray<Command> =>
  survey.has("Cargo.toml") ? [...clippy(survey), ...rustfmt(survey)] : []
