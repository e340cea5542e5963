import type { Purpose } from "../Command.ts"

export interface Build {
  readonly manifest: RegExp
  /** Commands of the tool, with the words of the manifest that make each of them work. */
  readonly commands: ReadonlyArray<readonly [purpose: Purpose, command: string, needs?: RegExp]>
  /** Words that may stand in a manifest further down; the command is run from the outermost one all the same. */
  readonly isDeep?: boolean
  /** Wrapper scripts beside the manifest that take the place of the tool. */
  readonly wrapper?: readonly [tool: RegExp, file: string]
}

/** Stands for what `configure` needs before it and after it. */
export const CONFIGURED = "./configure"

export const PYTHON_BUILD = "python -m build"
export const GEM_BUILD = "gem build"

/** A `Makefile.PL` may be a script of another kind that only has the usual name. */
const declaresPerl = /WriteMakefile|Module::(?:Install|Package|Build)|ExtUtils::/

/** Parents that set up how their modules are released by the plugin for it, and say where versions are tagged. */
const releasesByMaven =
  /<artifactId>maven-release-plugin<|<parent>[\s\S]{0,300}?<artifactId>\s{0,20}(?:apache|maven-(?:plugins|parent|shared-components)|mojo-parent|oss-parent|plexus|jboss-parent)\s{0,20}<(?=[\s\S]*<developerConnection>)(?![\s\S]*<artifactId>maven-release-plugin<)/

/** What a build tool is asked where nothing else is stated. A plugin's command needs the plugin in the manifest. */
export const builds: ReadonlyArray<Build> = [
  {
    manifest: /(?:^|\/)Cargo\.toml$/,
    commands: [
      ["build", "cargo build", /^\[(?:package|workspace)\]/m],
      ["test", "cargo test", /^\[(?:package|workspace)\]/m]
    ]
  },
  {
    manifest: /(?:^|\/)go\.mod$/,
    commands: [
      ["build", "go build ./..."],
      ["test", "go test ./..."],
      ["lint", "go vet ./..."]
    ]
  },
  {
    manifest: /(?:^|\/)pom\.xml$/,
    wrapper: [/^mvn(?= )/, "mvnw"],
    commands: [
      ["install", "mvn install -DskipTests"],
      ["build", "mvn package"],
      ["test", "mvn test", /^(?![\s\S]*<skipTests>\s*true\s*<)/],
      ["test", "mvn verify", /<artifactId>maven-failsafe-plugin</],
      ["lint", "mvn checkstyle:check", /<artifactId>maven-checkstyle-plugin</],
      ["lint", "mvn spotless:check", /<artifactId>spotless-maven-plugin</],
      ["format", "mvn spotless:apply", /<artifactId>spotless-maven-plugin</],
      ["run", "mvn spring-boot:run", /<artifactId>spring-boot-maven-plugin</],
      ["run", "mvn quarkus:dev", /<artifactId>quarkus-maven-plugin</],
      ["release", "mvn release:prepare release:perform", releasesByMaven],
      ["migrate", "mvn flyway:migrate", /<artifactId>flyway-maven-plugin</]
    ]
  },
  {
    manifest: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    wrapper: [/^gradle(?= )/, "gradlew"],
    commands: [
      ["build", "gradle build"],
      ["test", "gradle test"],
      ["check", "gradle check"],
      ["run", "gradle bootRun", /org\.springframework\.boot/],
      [
        "run",
        "gradle run",
        /(?:id\s*\(?\s*["']application["']|apply plugin: ["']application["']|^\s*application$|\bmainClass(?:Name)?\b)/m
      ],
      ["lint", "gradle spotlessCheck", /com\.diffplug\.spotless/],
      ["format", "gradle spotlessApply", /com\.diffplug\.spotless/],
      ["lint", "gradle ktlintCheck", /org\.jlleitschuh\.gradle\.ktlint/],
      ["lint", "gradle detekt", /io\.gitlab\.arturbosch\.detekt/],
      ["lint", "gradle checkstyleMain", /(?:id\s*\(?\s*|plugin:\s*)["']checkstyle["']/],
      ["release", "gradle publish", /maven-publish|com\.vanniktech\.maven\.publish/]
    ]
  },
  {
    manifest: /(?:^|\/)[\w.-]+\.slnx?$/,
    commands: [
      ["install", "dotnet restore"],
      ["build", "dotnet build"],
      ["test", "dotnet test"]
    ]
  },
  { manifest: /(?:^|\/)phpunit\.xml(?:\.dist)?$/, commands: [["test", "vendor/bin/phpunit"]] },
  { manifest: /(?:^|\/)phpstan\.neon(?:\.dist)?$/, commands: [["types", "vendor/bin/phpstan analyse"]] },
  { manifest: /(?:^|\/)\.?phpcs\.xml(?:\.dist)?$/, commands: [["lint", "vendor/bin/phpcs"]] },
  { manifest: /(?:^|\/)\.pre-commit-config\.yaml$/, commands: [["lint", "pre-commit run --all-files"]] },
  { manifest: /(?:^|\/)\.golangci\.(?:ya?ml|toml)$/, commands: [["lint", "golangci-lint run"]] },
  { manifest: /(?:^|\/)\.rubocop\.yml$/, commands: [["lint", "bundle exec rubocop"]] },
  {
    manifest: /^(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+)$/,
    commands: [["lint", "npx eslint ."]]
  },
  { manifest: /^\.jshintrc$/, commands: [["lint", "npx jshint ."]] },
  { manifest: /^tslint\.json$/, commands: [["lint", "npx tslint --project ."]] },
  { manifest: /^biome\.jsonc?$/, commands: [["lint", "npx biome check ."]] },
  { manifest: /^\.?ruff\.toml$/, commands: [["lint", "ruff check ."]] },
  { manifest: /^mypy\.ini$/, commands: [["types", "mypy .", /^\[mypy\]/m]] },
  { manifest: /(?:^|\/)psalm\.xml(?:\.dist)?$/, commands: [["types", "vendor/bin/psalm"]] },
  { manifest: /^\.standard\.yml$/, commands: [["lint", "bundle exec standardrb"]] },
  { manifest: /(?:^|\/)\.perlcriticrc$/, commands: [["lint", "perlcritic lib"]] },
  {
    manifest: /(?:^|\/)Makefile\.PL$/,
    commands: [
      ["install", "cpanm --installdeps .", declaresPerl],
      ["build", "perl Makefile.PL && make", declaresPerl],
      ["test", "make test", declaresPerl],
      ["use", "make install", declaresPerl]
    ]
  },
  {
    manifest: /(?:^|\/)Build\.PL$/,
    commands: [
      ["install", "cpanm --installdeps ."],
      ["build", "perl Build.PL && ./Build"],
      ["test", "./Build test"],
      ["use", "./Build install"]
    ]
  },
  { manifest: /(?:^|\/)\.luacheckrc$/, commands: [["lint", "luacheck ."]] },
  { manifest: /(?:^|\/)\.busted$/, commands: [["test", "busted"]] },
  { manifest: /(?:^|\/)\.arclint$/, commands: [["lint", "arc lint"]] },
  { manifest: /(?:^|\/)\.arcunit$/, commands: [["test", "arc unit"]] },
  {
    manifest: /^pyproject\.toml$/,
    commands: [
      ["lint", "ruff check .", /^\[tool\.ruff\b/m],
      ["types", "mypy .", /^\[tool\.mypy\]/m],
      ["format", "black .", /^\[tool\.black\]/m]
    ]
  },
  {
    manifest: /^(?:pyproject\.toml|setup\.py)$/,
    commands: [["build", PYTHON_BUILD, /^\[build-system\]|\bsetup\s*\(/m]]
  },
  { manifest: /^[\w.-]+\.gemspec$/, commands: [["build", GEM_BUILD]] },
  { manifest: /^\.clang-format$/, commands: [["format", "clang-format -i <file>"]] },
  { manifest: /^(?:\.flake8|setup\.cfg)$/, commands: [["lint", "flake8", /^\[flake8\]/m]] },
  { manifest: /(?:^|\/)\.goreleaser\.ya?ml$/, commands: [["release", "goreleaser release"]] },
  {
    manifest: /(?:^|\/)mix\.exs$/,
    commands: [
      ["install", "mix deps.get"],
      ["build", "mix compile"],
      ["test", "mix test"],
      ["format", "mix format"],
      ["lint", "mix credo", /:credo\b/],
      ["types", "mix dialyzer", /:dialyxir\b/],
      ["run", "mix phx.server", /:phoenix\b/],
      ["migrate", "mix ecto.migrate", /:ecto_sql\b/]
    ]
  },
  {
    manifest: /(?:^|\/)CMakeLists\.txt$/,
    commands: [
      ["build", "cmake -B build && cmake --build build", /^\s*project\s*\(/im],
      ["test", "ctest --test-dir build", /\benable_testing\s*\(|\binclude\s*\(\s*CTest\b/i]
    ]
  },
  {
    manifest: /(?:^|\/)meson\.build$/,
    commands: [
      ["build", "meson setup build && meson compile -C build", /^\s*project\s*\(/m],
      ["test", "meson test -C build", /^\s*project\s*\(/m]
    ]
  },
  {
    manifest: /(?:^|\/)configure\.ac$/,
    commands: [["build", CONFIGURED]]
  },
  {
    manifest: /(?:^|\/)Makefile\.am$/,
    isDeep: true,
    commands: [["test", "make check", /^(?:TESTS|check_SCRIPTS)\s*\+?=|^check-local:/m]]
  },
  {
    manifest: /(?:^|\/)[\w.-]+\.cabal$/,
    commands: [
      ["build", "cabal build"],
      ["test", "cabal test", /^test-suite\s/im],
      ["run", "cabal run", /^executable\s/im]
    ]
  },
  {
    manifest: /(?:^|\/)build\.sbt$/,
    commands: [
      ["build", "sbt compile"],
      ["test", "sbt test"]
    ]
  },
  {
    manifest: /(?:^|\/)Package\.swift$/,
    commands: [
      ["build", "swift build"],
      ["test", "swift test"]
    ]
  },
  {
    manifest: /(?:^|\/)rebar\.config$/,
    commands: [
      ["build", "rebar3 compile"],
      ["test", "rebar3 eunit"]
    ]
  },
  {
    manifest: /^Makefile\.am$/,
    commands: [
      [
        "use",
        "make install",
        /^(?:SUBDIRS|(?!noinst|check)\w+_(?:PROGRAMS|SCRIPTS|LTLIBRARIES|LIBRARIES|HEADERS|DATA|MANS))\s*\+?=/m
      ]
    ]
  },
  {
    manifest: /(?:^|\/)CMakeLists\.txt$/,
    isDeep: true,
    commands: [["use", "cmake --install build", /^[ \t]*install\s*\(\s*(?:TARGETS|PROGRAMS|FILES|DIRECTORY)\b/im]]
  },
  {
    manifest: /(?:^|\/)meson\.build$/,
    isDeep: true,
    commands: [
      ["use", "meson install -C build", /\binstall\s*:\s*true\b|^\s*install_(?:data|headers|man|subdir)\s*\(/m]
    ]
  },
  {
    manifest: /^[\w.-]+\.pro$/,
    commands: [["use", "make install", /^\s*INSTALLS\s*\+?=/m]]
  },
  {
    manifest: /(?:^|\/)config\.m4$/,
    commands: [
      ["build", "phpize && ./configure && make", /\bPHP_NEW_EXTENSION\b/],
      ["test", "NO_INTERACTION=1 make test", /\bPHP_NEW_EXTENSION\b/],
      ["use", "make install", /\bPHP_NEW_EXTENSION\b/]
    ]
  },
  {
    manifest: /^DESCRIPTION$/,
    commands: [
      ["use", "R CMD INSTALL .", /^Package:/m],
      ["build", "R CMD build .", /^Package:/m],
      ["test", "Rscript -e 'devtools::test()'", /\btestthat\b/]
    ]
  },
  {
    manifest: /(?:^|\/)dune-project$/,
    commands: [["build", "dune build"]]
  },
  {
    manifest: /(?:^|\/)dune(?:-project)?$/,
    isDeep: true,
    commands: [
      ["test", "dune test", /^\s*\((?:tests?|inline_tests)\b|\(alias\s+runtest\b|\(inline_tests\b/m],
      ["use", "dune install", /\(public_names?\s/]
    ]
  },
  {
    manifest: /(?:^|\/)bin\/rails$/,
    commands: [
      ["run", "bin/rails server"],
      ["test", "bin/rails test"],
      ["migrate", "bin/rails db:migrate"]
    ]
  }
]
