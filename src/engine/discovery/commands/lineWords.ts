import type { Purpose } from "./Command.ts"

const runner = String.raw`(?:npm|pnpm|yarn|bun)(?: --?[\w-]+(?:[= ][\w./@-]+)?)*`
const script = (words: string): RegExp =>
  new RegExp(
    `^${runner}(?: run| run-script)?(?: --?[\\w-]+)* (?:[\\w:.-]*[:.-])?(?:${words})(?:[:.-][\\w:.-]*)?(?:\\s|$)`
  )

/** Programs, and what they are asked. The first that fits counts; wrappers are off already. */
export const lineWords: ReadonlyArray<readonly [RegExp, Purpose]> = [
  // Releases.
  [
    /^(?:npm|pnpm|yarn|bun)(?: npm)? publish|^twine upload|^cargo publish|^cargo release|^(?:poetry|uv|hatch|pdm|flit) publish|^goreleaser (?:release|--)|^goreleaser$|^gem push|^rake release|^mvn\b.*\b(?:deploy|release:\w+|nexus-staging:\w+)|^gradle\b.*\bpublish\w*|^semantic-release|^changeset (?:publish|version)|^lerna (?:publish|version)|^release-it|^standard-version|^(?:bump2version|bumpversion|bump-my-version|tbump)|^gh release (?:create|upload)|^docker (?:buildx )?push|^mix hex\.publish|^dotnet nuget push|^dzil release|^np$|^npm version \S/,
    "release"
  ],
  // Data.
  [
    /manage\.py migrate|^django-admin migrate|^alembic upgrade|^(?:rails|rake)\b.*\bdb:(?:migrate|setup|prepare|create)|^flask db upgrade|^prisma (?:migrate|db push)|^(?:php )?(?:\S*\/)?artisan migrate|^mix ecto\.(?:migrate|setup)|^dotnet ef database update|^knex migrate|^sequelize db:migrate|^typeorm migration:run|^sqlx migrate run|^diesel migration run|^goose\b.*\bup\b|^migrate\b.*\bup\b|^(?:php )?bin\/console doctrine:migrations:migrate|^flyway migrate/,
    "migrate"
  ],
  // Types, style, format; `cargo fmt --check` and its like only look.
  [
    /^(?:mypy|pyright|basedpyright|pyre|pytype|ty check|vue-tsc|srb tc|tsc\b.*(?:--noEmit|--noemit)|tsc$|tsc -p \S+$|phpstan|psalm|mix dialyzer|flow check|attw|tsd|dmypy)/,
    "types"
  ],
  [
    /^(?:prettier|black|isort|cargo fmt|ruff format|biome format|dprint|gofumpt|clang-format|mix format|dotnet format|yapf|deno fmt|php-cs-fixer|pint|stylua|terraform fmt|rustfmt|swiftformat|nixfmt|shfmt|taplo (?:fmt|format))\b.*(?:--check|--verify-no-changes|-check\b|--diff|--dry-run|--list-different|--test\b|--dry-run| -c\b| -d\b)/,
    "lint"
  ],
  [
    /^(?:eslint|oxlint|xo|standard(?=$|\s+(?:-|\S*[./*"]))|biome (?:check|lint|ci)|ruff(?: check)?|flake8|pylint|pycodestyle|pydocstyle|pyflakes|bandit|codespell|rubocop|standardrb|brakeman|golangci-lint|go vet|staticcheck|revive|cargo clippy|clippy|phpcs|php-cs-fixer check|shellcheck|yamllint|markdownlint\S*|stylelint|tslint|pre-commit run|prek run|checkstyle|ktlint|detekt|mix credo|deno lint|hadolint|actionlint|typos|reuse lint|djlint|curlylint|commitlint|semgrep|luacheck|vint|cpplint|cppcheck|clang-tidy|interrogate|codenarc)(?=\s|$)/,
    "lint"
  ],
  // A formatter that lists files, and a test that it lists none.
  [/^(?:(?:test|\[) -z ["']?\$\()?(?:gofmt|goimports) (?:-s )?-[lde]{1,2}(?=\s)(?!.*\s-w(?=\s))/, "lint"],
  [
    /^(?:gradle|mvn)\b.*\b(?:spotlessCheck|spotless:check|checkstyle\w*|checkstyle:check|spotbugs\w*|pmd\w*|ktlintCheck|detekt|lint)\b/,
    "lint"
  ],
  [
    /^(?:prettier|black|isort|cargo fmt|go fmt|gofmt|gofumpt|goimports|ruff format|biome format|dprint|clang-format|mix format|dotnet format|yapf|autopep8|deno fmt|php-cs-fixer|phpcbf|pint|stylua|terraform fmt|rustfmt|swiftformat|nixfmt|shfmt|rubyfmt|rufo|djhtml|taplo (?:fmt|format))\b|^(?:gradle|mvn)\b.*\b(?:spotlessApply|spotless:apply|ktlintFormat|fmt:format)\b/,
    "format"
  ],
  // Tests.
  [
    /^(?:pytest|py\.test|unittest|nose2|stestr|trial|ward)\b|^tox\b|^nox\b|manage\.py test|runtests\.py|^go test|^gotestsum|^ginkgo|^cargo (?:\+\S+ )?(?:test|nextest|llvm-cov|t\b|hack test)|^mvn\b.*\s(?:test|verify|integration-test)(?=\s|$)|^gradle\b.*\b\w*(?:[tT]est|check)\b|^(?:rspec|cucumber|minitest)|^(?:rake|rails)\b.*\b(?:test|spec)\b|^(?:\S*\/)?(?:phpunit|simple-phpunit|pest|paratest|codecept)\b|artisan test|^(?:vitest|jest|mocha|ava|tap|borp|karma start|c8|nyc|uvu|playwright test|cypress run|react-scripts test|ng test|wtr|qunit|testem)\b|^node\b.*\s--test\b|^node (?:\.\/)?tests?(?:\/|\/(?:index|run|all)(?:\.[cm]?js)?)?(?=\s|$)|^(?:deno|bun) test|^dotnet test|^ctest|^meson test|^ninja\b.*\b(?:test|check)\b|^mix test|^prove(?=$|\s+(?:-|\.|t\b|x?t\/|\S+\.t\b))|^swift test|^bats\b|^rebar3 (?:ct|eunit)|^sbt\b.*\btest|^bazel test|^stack test|^cabal test|^lein test|^flutter test|^dart test|^zig build test|^hatch test|^coverage run|^busted\b(?!.*\s(?:-t|--tags)\b)|^dune (?:runtest|test)|^\.\/Build test|^dzil test|^ant test\b|^(?:(?:sh|bash)\s+)?\.\/(?:[\w.-]+\/){0,4}(?:\w+[-_])*(?:run[-_]?)?(?:all[-_]?)?(?:unit)?tests?(?:runner)?(?:\.(?:sh|py|pl|rb))?(?=\s|$)/,
    "test"
  ],
  // Servers and programs.
  [
    /^(?:flask|quart)\b.*\brun\b|manage\.py runserver|^(?:rails|bin\/rails) (?:s|server)\b|^bin\/dev\b|^cargo run|^go run\s+\S|^(?:uvicorn|gunicorn|hypercorn|daphne|puma|rackup|foreman start|overmind)\b|^mvn\b.*\b(?:spring-boot:run|quarkus:dev|jetty:run|exec:java|tomcat\d?:run)\b|^gradle\b.*\b(?:run|bootRun|quarkusDev|runIde)\b|^dotnet (?:run|watch)|artisan serve|^php -S|^symfony (?:serve|server:start)|^mix (?:phx\.server|run)|^docker(?: |-)compose\b.*\bup\b|^docker run|^(?:next|nuxt|vite|astro) (?:dev|start|preview)|^vite$|^node (?:--\S+ )*(?:\.\/)?(?:bin|src|dist|server|app|index|main)\S*|^deno (?:run|task (?:start|dev))|^nodemon|^air\b|^tilt up|^swift run|^sbt\b.*\brun\b|^fastapi (?:dev|run)|^hugo server|^mkdocs serve|^jekyll serve/,
    "run"
  ],
  // Documents.
  [
    /^(?:sphinx-build|mkdocs (?:build|gh-deploy)|typedoc|cargo doc|mdbook|yard|jsdoc|pdoc|doxygen|mix docs|docusaurus build|gradle\b.*\bjavadoc|antora)\b|^make\b.*\bhtml\b/,
    "docs"
  ],
  // Generated code.
  [
    /^(?:go generate|buf generate|protoc|sqlc generate|wire|mockgen|prisma generate|graphql-codegen|openapi-generator\S*|stringer|mockery|swag init|oapi-codegen|ent generate|swagger generate)\b/,
    "generate"
  ],
  // Dependencies.
  [
    /^(?:npm|pnpm|yarn|bun) (?:ci|i|install)(?= --?\w|\s*$)(?!.*\s(?:-g|--global)(?:\s|$))(?!.*\s(?:-[ySDEPO]|--yes|--save(?:-\w+)?|--no-save)\s+[@\w])|^yarn(?: --\S+)*$|^corepack enable|^(?:pip3?|uv pip) install\b.*(?:\s-e\s?\S|\s--editable|\s-r\s?\S|\s\.(?:\[|\/|\s|$)|["']\.\[|--group|\s-U? ?\.)|^uv sync|^poetry install|^pdm (?:install|sync)|^pipenv (?:install --dev|install$|sync)|^bundle(?: install)?$|^bundle install|^(?:php )?composer(?:\.phar)? (?:install|update$)|^go mod (?:download|vendor)|^dotnet restore|^mix (?:deps\.get|setup)|^cargo fetch|^bin\/setup|^(?:conda|mamba) env create|^flit install|^hatch env create|^pre-commit install|^git submodule update|^rake setup|^npm run setup|^swift package resolve|^rebar3 get-deps|^stack (?:install|setup)$|^cabal install(?: --only-dep\S*)?$|^setup\.py develop|^\.\/[\w./-]+ (?:dependencies|deps)$|^cpanm (?:-\S+ )*--installdeps|^carton install/,
    "install"
  ],
  // Builds; last, because their words are in other commands, too.
  [
    /^go (?:build|install)\b(?!.*@)(?!.*\s\w[\w-]*\.\w+\/)|^cargo (?:\+\S+ )?(?:build|b|install --path)\b|^mvn\b.*\b(?:package|install|compile)\b|^gradle\b.*\b(?:build|assemble|\w*[jJ]ar|installDist|shadowJar|classes)\b|^cmake\b.*(?:--build\b|-B|-S|-G|\s\.\.?(?:\s|$)|-D)|^meson (?:setup|compile)|^meson (?:--\S+ )*(?!test\b|install\b|configure\b|introspect\b|dist\b|wrap\b|init\b|subprojects\b|devenv\b)[\w./-]+(?=\s|$)|^ninja(?:\s+(?:-[CjlkdfT]\s+[^\s-]\S*|-(?![CjlkdfT]\s)\S+|all|install))*$|^dotnet (?:build|publish|pack)\b|^build(?: |$)(?=--|$|\.)|^(?:hatch|poetry|uv|flit|pdm) build|^setup\.py (?:build|sdist|bdist_wheel)\b|^docker (?:buildx )?build\b|^(?:vite|next|nuxt|ng|tsup|rollup|webpack|esbuild|parcel|astro|gulp|grunt)(?: build|$| --?)|^tsc\b|^mix (?:compile|release)|^swift build|^gem build|^rake build|^(?:\.\/)?(?:configure(?:\.(?:sh|py|pl))?|autogen\.sh|bootstrap\.sh|bootstrap)(?=\s*$|\s+-|\s+\w+=|\s*&&)|^autoreconf|^sbt\b.*\b(?:compile|assembly|package)|^bazel build|^stack build|^cabal build|^rebar3 compile|^zig build|^goreleaser build|^maturin (?:build|develop)|^wasm-pack build|^composer build|^dune build|^buildah|^xcodebuild|^xcaddy build\b|^perl (?:Makefile|Build)\.PL\b|^\.\/Build$|^dzil build|^scons\b(?!.*\s(?:install|test|-c)\b)|^(?:\.\/)?waf (?:configure|build)\b|^javac\s.*\.java\b|^(?:g?cc|clang|[gc]\+\+|clang\+\+)\s.*\s-o\s|^nant\b|^ant\b(?! (?:clean|test))/,
    "build"
  ],
  // Scripts and targets, by the words of their names.
  [script("tests?|spec|unit|e2e|jest|vitest|mocha|coverage"), "test"],
  [script("lint|eslint|stylelint|prettier-check|format-check"), "lint"],
  [script("typecheck|type-check|types|tsc|check-types"), "types"],
  [script("format|fmt|prettier"), "format"],
  [script("migrate|migrations?"), "migrate"],
  [script("release|publish|deploy"), "release"],
  [script("docs?|storybook"), "docs"],
  [script("generate|codegen"), "generate"],
  [script("build|compile|bundle"), "build"],
  [script("start|dev|serve"), "run"]
]
