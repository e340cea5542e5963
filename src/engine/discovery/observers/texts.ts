import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FileDescription } from "../../core/tool/AuditTool.ts"
import { manualText } from "../commands/manuals/manualPage.ts"

const MAX_TEXT = 160 * 1024

const styleGuide =
  /(?:^|\/)(?:(?:house|cod(?:e|ing))[-_]?(?:style|standards?|guidelines?|conventions?)|style[-_]?guide|conventions)\.(?:md|mdx|rst|adoc|txt)$/i

/** How code is to be written, by whatever case and place a repository chose for the document. */
export const isStyleGuide = (path: string): boolean => styleGuide.test(path)

/** What the repository says of itself to people and agents. */
export const isInstructions = (path: string): boolean =>
  isStyleGuide(path) ||
  /(?:^|\/)(?:CONTRIBUTING|HACKING|DEVELOPMENT|DEVELOPING|STYLE|AGENTS?|CLAUDE|GEMINI|ARCHITECTURE)\.(?:md|mdx|markdown|mkd|rst|adoc|txt)$|(?:^|\/)HACKING$|(?:^|\/)\.cursorrules$|(?:^|\/)\.cursor\/rules\/[^/]+$|(?:^|\/)\.github\/copilot-instructions\.md$|(?:^|\/)\.github\/(?:CONTRIBUTING|PULL_REQUEST_TEMPLATE)\.(?:md|markdown)$|(?:^|\/)contributing\.(?:md|rst)$/.test(
    path
  )

/** Recipes for agents, in the format that several of them share: a folder for each, with a SKILL.md in it. */
export const isSkill = (path: string): boolean => /(?:^|\/)skills\/(?:[^/]+\/){1,4}SKILL\.md$/.test(path)

export const isDecision = (path: string): boolean => /(?:^|\/)(?:adrs?|decisions)\/[^/]+\.(?:md|adoc)$/i.test(path)

/** Documents for those who change the repository, and how it is built, tested and released. */
export const isGuideForContributors = (path: string): boolean =>
  isInstructions(path) ||
  /(?:^|\/)(?:INSTALL(?:ING|ATION)?|BUILD(?:ING)?|COMPIL(?:E|ING)|TESTING|RELEAS(?:E|ES|ING)(?:[_-](?:PROCESS|GUIDE|CHECKLIST|HOWTO|STEPS|INSTRUCTIONS))?|(?:HOW[_-]?TO[._-]?RELEASE|RELEASING[_-]\w+)|MAINTAINERS?|MAINTAINING|DEVELOPERS?(?:[_-]?(?:GUIDE|NOTES))?|README[._-](?:DEV(?:EL(?:OP(?:ERS?|MENT)?)?)?|MAINT(?:AINERS?)?|HACKING|RELEAS(?:E|ING))|GETTING[_-]?STARTED|SETUP|CHECK-?LIST)(?:\.(?:md|mdx|markdown|mdown|mkdn?|rst|adoc|asciidoc|txt|text))?$/i.test(
    path
  ) ||
  /^(?:docs?|documentation|\.github)\/(?:[\w.-]+\/){0,3}(?:contribut\w*|develop\w*|dev[-_]?env\w*|hacking|building|testing|(?:how[_-]?to[_-]?)?releas(?:e|ing)[\w-]*|maint(?:ain\w*)?|install(?:ation|ing)?|getting[_-]?started)(?:\/[\w.-]+)?\.(?:md|mdx|rst|adoc|txt)$/i.test(
    path
  )

/** Text with or without markup, by its ending; capitals or small letters alone are that as well: INSTALL, README.MAINTAINERS. */
export const documentFile =
  /\.(?:md|mdx|markdown|mdown|mkdn?|rst|adoc|asciidoc|txt|text|rdoc|pod)$|(?:^|\/)[A-Z_-]+(?:\.[A-Z]+)?$/i

export const isReadme = (path: string): boolean => /(?:^|\/)readme(?:\.\w+)?$/i.test(path)

/** Read as a whole: manifests, pipelines, settings of compilers, linters and formatters. */
const isSettings = (path: string): boolean =>
  /(?:^|\/)(?:package\.json|tsconfig[\w.-]*\.json|go\.mod|go\.work|pyproject\.toml|setup\.(?:cfg|py)|manage\.py|requirements[\w.-]*\.txt|Pipfile|Cargo\.toml|rust-toolchain(?:\.toml)?|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|pnpm-workspace\.yaml|lerna\.json|nx\.json|turbo\.json|deno\.jsonc?|LICENSE[\w.-]*|LICENCE[\w.-]*|COPYING[\w.-]*|MIT-LICENSE|\.editorconfig|biome\.jsonc?|\.eslintrc(?:\.\w+)?|eslint\.config\.\w+|\.prettierrc(?:\.\w+)?|\.rubocop\.yml|ruff\.toml|\.flake8|tox\.ini|mypy\.ini|\.?pylintrc|pytest\.ini|noxfile\.py|\.golangci\.ya?ml|\.jshintrc|tslint\.json|\.ruff\.toml|\.standard\.yml|clippy\.toml|rustfmt\.toml|\.rustfmt\.toml|checkstyle\.xml|phpstan\.neon(?:\.dist)?|phpcs\.xml(?:\.dist)?|\.phpcs\.xml(?:\.dist)?|phpunit\.xml(?:\.dist)?|psalm\.xml(?:\.dist)?|stylelint\.config\.\w+|\.stylelintrc(?:\.\w+)?|Directory\.Build\.props|global\.json|CODEOWNERS|vitest\.config\.\w+|jest\.config\.\w+|playwright\.config\.\w+|Makefile|makefile|GNUmakefile|Justfile|justfile|Rakefile|Procfile|Taskfile\.ya?ml|\.[Jj]ustfile|tox\.toml|hatch\.toml|mix\.exs|CMakeLists\.txt|Makefile\.in|\.luacheckrc|\.busted|meson\.build|configure\.ac|Makefile\.am|(?:Makefile|Build)\.PL|build\.xml|[\w.-]+\.build|\.perlcriticrc|build\.sbt|Package\.swift|rebar\.config|devcontainer\.json|\.rspec|\.golangci\.toml|\.goreleaser\.ya?ml|Procfile\.dev|[\w.-]+\.slnx|Containerfile|\.cirrus\.yml|Dockerfile[\w.-]*|[\w.-]*\.Dockerfile|(?:docker-)?compose[\w.-]*\.ya?ml|\.gitlab-ci\.yml|Jenkinsfile|azure-pipelines\.yml|\.travis\.yml|bitbucket-pipelines\.yml|\.pre-commit-config\.yaml|\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.tool-versions|[\w.-]+\.(?:csproj|sln|gemspec|cabal|gradle)|stack\.yaml|INSTALL\.\w+|dune|dune-project|config\.m4|[\w.-]+\.(?:pro|rockspec|app\.src|desktop(?:\.in){0,2})|[\w@.-]+\.service(?:\.in)?|meson_options\.txt|meson\.options|\.clang-format)$|^DESCRIPTION$|^\.github\/actions\/(?:[\w.-]+\/){1,3}action\.ya?ml$|^\.build\.yml$|^\.builds\/[^/]+\.ya?ml$|^(?:publish|release)[\w-]*\.ya?ml$|^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|^\.circleci\/config\.yml$|^\.semaphore\/[^/]+\.ya?ml$|^\.drone\.ya?ml$|^\.woodpecker(?:\/[^/]+)?\.ya?ml$|(?:^|\/)bin\/rails$|(?:^|\/)\.cargo\/config(?:\.toml)?$|(?:^|\/)\.env\.(?:example|sample|template)$/.test(
    path
  )

/** A script whose name speaks of releases; what it does says whether it makes one. */
const isReleaseScript = (path: string): boolean =>
  /^(?:[\w-]+\/)?(?!dist\/)[\w-]*(?:release|dist|tarball|archive|publish|upload)[\w-]*\.(?:sh|bash|pl|py|rb)$/i.test(
    path
  )

export const isReadWhole = ({ path, role }: FileDescription): boolean =>
  role !== "vendored" &&
  role !== "fixture" &&
  (isGuideForContributors(path) ||
    isSkill(path) ||
    isDecision(path) ||
    isReadme(path) ||
    isSettings(path) ||
    isReleaseScript(path))

export const wholeText = (file: SourceFile): string | null => {
  if (file.text.length > MAX_TEXT) return null
  if (isReadWhole(file)) return file.text
  return file.role === "vendored" || file.role === "fixture" ? null : manualText(file.path, file.text)
}
