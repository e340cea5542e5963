import type { Survey } from "../../Survey.ts"

/** A tool that does nothing but what the repository has settings for: how it is asked, and the files that have them. */
const needs: ReadonlyArray<readonly [asked: RegExp, settings: RegExp]> = [
  [
    /^eslint\b(?!.*\s(?:-c|--config|--rule|--no-eslintrc|--no-config-lookup|--version|--init)(?=[\s=]|$))/,
    /(?:^|\/)(?:\.eslintrc(?:\.\w+)?|eslint\.config\.[cm]?[jt]s)$/
  ],
  [/^tslint\b(?!.*\s(?:-c|--config)[\s=])/, /(?:^|\/)tslint\.(?:json|ya?ml|js)$/],
  [/^stylelint\b(?!.*\s--config[\s=])/, /(?:^|\/)(?:\.stylelintrc(?:\.\w+)?|stylelint\.config\.[cm]?js)$/],
  [/^rollup\b.*\s(?:-c|--config)(?=\s+-|\s*$)/, /(?:^|\/)rollup\.config\.[cm]?[jt]s$/],
  [/^grunt\b(?!.*\s--(?:gruntfile|base)[\s=])/, /(?:^|\/)[Gg]runtfile\.(?:[cm]?js|coffee|ts)$/],
  [/^gulp\b(?!.*\s(?:-f|--gulpfile)[\s=])/, /(?:^|\/)[Gg]ulpfile\b/],
  [/^karma start(?=\s+-|\s*$)/, /(?:^|\/)karma\.conf\.(?:[cm]?js|coffee|ts)$/],
  [/^mkdocs (?:build|serve|gh-deploy)\b(?!.*\s(?:-f|--config-file)[\s=])/, /(?:^|\/)mkdocs\.ya?ml$/],
  [/^pre-commit run\b(?!.*\s(?:-c|--config)[\s=])/, /(?:^|\/)\.pre-commit-config\.ya?ml$/],
  [/^playwright test\b(?!.*\s(?:-c|--config)[\s=])/, /(?:^|\/)playwright[\w.-]*\.config\.[cm]?[jt]s$/],
  [/^cypress (?:run|open)\b(?!.*\s(?:-C|--config-file)[\s=])/, /(?:^|\/)cypress(?:\.config\.[cm]?[jt]s|\.json)$/],
  [/^ng (?:build|test|lint|serve|e2e)\b/, /(?:^|\/)\.?angular(?:-cli)?\.json$/],
  [/^react-scripts (?:build|start)\b/, /(?:^|\/)public\/index\.html$/],
  [/^nx\b/, /(?:^|\/)nx\.json$/],
  [/^docusaurus\b/, /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/],
  [/^changeset\b(?!\s+init)/, /(?:^|\/)\.changeset\//],
  [/^goreleaser\b(?!.*\s(?:-f|--config|init|--version)\b)/, /(?:^|\/)\.?goreleaser\.ya?ml$/],
  [/^alembic\b(?!.*\s(?:-c|--config|init)\b)/, /(?:^|\/)alembic\.ini$/],
  [/^sqlc generate\b(?!.*\s(?:-f|--file)\b)/, /(?:^|\/)sqlc\.(?:ya?ml|json)$/],
  [/^mdbook (?:build|serve|test)\b/, /(?:^|\/)book\.toml$/],
  [/^doxygen\s*$/, /(?:^|\/)Doxyfile(?:\.in)?$/],
  [/^tbump\b(?!.*\s-C\b)/, /(?:^|\/)(?:tbump|pyproject)\.toml$/],
  [/^lerna\b/, /(?:^|\/)lerna\.json$/],
  [/^turbo\b/, /(?:^|\/)turbo\.jsonc?$/],
  [/^(?:bundle exec )?rake\b(?!.*\s-f[\s=])/, /(?:^|\/)(?:[Rr]akefile(?:\.rb)?|[\w-]+\.rake)$/],
  [/^phpunit\s*$/, /(?:^|\/)phpunit\.xml(?:\.dist)?$/],
  [/^cargo make\b(?!.*\s--makefile[\s=])/, /(?:^|\/)Makefile\.toml$/],
  [
    /^make\b(?!.*\s-(?:f|C)\b)/,
    /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.(?:in|am|PL))?|configure(?:\.ac)?|CMakeLists\.txt)$/
  ]
]

/** Where the settings of a tool may stand in the manifest instead. */
const inManifest: ReadonlyArray<readonly [asked: RegExp, key: string]> = [
  [/^eslint\b/, '"eslintConfig"'],
  [/^stylelint\b/, '"stylelint"']
]

/** A tool is asked for what it has no settings of in the whole tree. */
export const lacksSettings = (survey: Survey, line: string): boolean => {
  const [, file] = needs.find(([asked]) => asked.test(line)) ?? []
  if (file === undefined || survey.hasLike(file)) return false
  const key = inManifest.find(([asked]) => asked.test(line))?.[1]
  return key === undefined || !survey.texts(/(?:^|\/)package\.json$/).some(({ text }) => text.includes(key))
}
