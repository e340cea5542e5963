import type { Survey } from "../../Survey.ts"
import { className, type Runner } from "./Runner.ts"

/** Of tests of these runners the file is known by its name alone. */
export const isUnread = /\.exs$|Test\.php$|\.t$|_(?:tests?|SUITE)\.erl$|_spec\.lua$|\.phpt$|\.[rR]$/

/** What is compiled, or found by its place after an installation, lies in `blib` once it is built. */
const provesWith = (survey: Survey): string => {
  const manifest = survey.texts(/^(?:Build|Makefile)\.PL$/)
  const isBuiltFirst =
    survey.hasLike(/\.xs$/) || manifest.some(({ text }) => /share_dir|install_share|ShareDir/.test(text))
  if (!isBuiltFirst) return "prove -l"
  return `${survey.has("Build.PL") ? "perl Build.PL && ./Build" : "perl Makefile.PL && make"} && prove -b`
}

/** Runners whose tests are in languages of which the file is known by its name. */
export const runnersByName: ReadonlyArray<Runner> = [
  {
    stated: /(?:^|\/)(?:Makefile|Build)\.PL$/,
    words: /\S/,
    tests: /(?:^|\/)t\/(?:.+\/)?[\w.-]+\.t$/,
    ways:
      (survey) =>
      ({ path }) => ({ test_file: `${provesWith(survey)} ${path}` })
  },
  {
    stated: /(?:^|\/)rebar\.config$/,
    words: /\S/,
    tests: /_(?:tests?|SUITE)\.erl$/,
    ways:
      () =>
      ({ path }) => ({
        test_file: path.endsWith("_SUITE.erl")
          ? `rebar3 ct --suite=${path}`
          : `rebar3 eunit --module=${className(path)}`
      })
  },
  {
    stated: /(?:^|\/)(?:\.busted|[\w.-]+\.rockspec|(?:GNUm|[Mm])akefile|\.travis\.yml)$/,
    words: /\bbusted\b|^return\b/m,
    tests: /_spec\.lua$/,
    ways:
      () =>
      ({ path }) => ({ test_file: `busted ${path}`, test_case: `busted --filter='<name of the test>' ${path}` })
  },
  {
    stated: /(?:^|\/)config\.m4$/,
    words: /\bPHP_NEW_EXTENSION\b/,
    tests: /\.phpt$/,
    ways:
      () =>
      ({ path }) => ({ test_file: `make test TESTS=${path}` })
  },
  {
    stated: /^DESCRIPTION$/,
    words: /\btestthat\b/,
    tests: /^tests\/testthat\/test[-_][\w.-]+\.[rR]$/,
    ways:
      () =>
      ({ path }) => ({
        test_file: `Rscript -e 'devtools::test(filter = "${className(path).replace(/^test[-_]/, "")}")'`
      })
  },
  {
    stated: /(?:^|\/)mix\.exs$/,
    words: /use Mix\.Project/,
    tests: /_test\.exs$/,
    ways:
      () =>
      ({ path }) => ({ test_file: `mix test ${path}`, test_case: `mix test ${path}:<line>` })
  }
]
