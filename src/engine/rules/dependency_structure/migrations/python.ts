import type { Call } from "../../../languages/syntax/vocabulary.ts"
import type { FlatTree } from "../../../languages/tree/FlatTree.ts"
import { type Migration, packages } from "./Migration.ts"

const language = "python"

/** `os`, and `os.path`. */
const module = (...names: ReadonlyArray<string>): RegExp =>
  new RegExp(`^(?:${names.map((name) => name.replace(/\./g, "\\.")).join("|")})(?:\\..*)?$`)

const namesUtc = (tree: FlatTree, { args, named }: Call): boolean =>
  [...args, ...named.values()].some((node) => /utc/i.test(tree.textOf(node)))

export const pythonMigrations: ReadonlyArray<Migration> = [
  {
    id: "py.pkg_resources",
    rule: "library_migration",
    language,
    from: { modules: module("pkg_resources") },
    to: { modules: module("importlib.metadata", "importlib.resources", "importlib_metadata", "importlib_resources") },
    fromTitle: "pkg_resources",
    toTitle: null,
    deprecation: "setuptools has deprecated pkg_resources and announced its removal."
  },
  {
    id: "py.distutils",
    rule: "library_migration",
    language,
    from: { modules: module("distutils") },
    to: { modules: module("setuptools", "packaging", "sysconfig") },
    fromTitle: "distutils",
    toTitle: null,
    deprecation: "Python 3.12 has removed distutils."
  },
  {
    id: "py.imp",
    rule: "library_migration",
    language,
    from: { modules: /^imp$/ },
    to: { modules: module("importlib") },
    fromTitle: "imp",
    toTitle: "importlib",
    deprecation: "Python 3.12 has removed imp."
  },
  {
    id: "py.asyncore",
    rule: "library_migration",
    language,
    from: { modules: module("asyncore", "asynchat") },
    to: { modules: module("asyncio") },
    fromTitle: "asyncore",
    toTitle: "asyncio",
    deprecation: "Python 3.12 has removed asyncore and asynchat."
  },
  {
    id: "py.optparse",
    rule: "library_migration",
    language,
    from: { modules: module("optparse") },
    to: { modules: module("argparse", "click", "typer") },
    fromTitle: "optparse",
    toTitle: null,
    deprecation: null
  },
  {
    id: "py.pytz",
    rule: "library_migration",
    language,
    from: { modules: module("pytz") },
    to: { modules: module("zoneinfo") },
    fromTitle: "pytz",
    toTitle: "zoneinfo",
    deprecation: null
  },
  {
    id: "py.mock",
    rule: "library_migration",
    language,
    from: { modules: /^mock(?:\.mock)?$/ },
    to: { modules: /^unittest\.mock$/ },
    fromTitle: "mock",
    toTitle: "unittest.mock",
    deprecation: null
  },
  {
    id: "py.typing_generics",
    rule: "library_migration",
    language,
    from: { modules: /^typing$/, names: /^(?:List|Dict|Tuple|Set|FrozenSet|Type|DefaultDict|Deque)$/ },
    to: { modules: /./, mentions: /(?:->|:)\s*(?:Optional\[)?(?:list|dict|tuple|set|frozenset|type)\[/ },
    fromTitle: "typing.List, Dict and others",
    toTitle: "list[…], dict[…]",
    deprecation: null
  },
  {
    id: "py.utcnow",
    rule: "api_migration",
    language,
    from: { calls: /^(?:\w+\.)?datetime\.utc(?:now|fromtimestamp)$/ },
    to: { calls: /^(?:\w+\.)?datetime\.(?:now|fromtimestamp)$/, when: namesUtc },
    fromTitle: "datetime.utcnow()",
    toTitle: "datetime.now(timezone.utc)",
    deprecation: "Python 3.12 has deprecated utcnow() and utcfromtimestamp(): what they return has no time zone."
  },
  {
    id: "py.logger_warn",
    rule: "api_migration",
    language,
    from: { calls: /^(?:\w+\.)*(?:_?logger|_?log|logging|LOG|LOGGER)\.warn$/, mentions: /logg(?:er|ing)/i },
    to: { calls: /^(?:\w+\.)*(?:_?logger|_?log|logging|LOG|LOGGER)\.warning$/ },
    fromTitle: "Logger.warn()",
    toTitle: "Logger.warning()",
    deprecation: "Python has deprecated Logger.warn()."
  },
  {
    id: "py.pydantic_validator",
    rule: "api_migration",
    language,
    from: { modules: packages("pydantic"), names: /^(?:validator|root_validator)$/ },
    to: { modules: packages("pydantic"), names: /^(?:field_validator|model_validator)$/ },
    fromTitle: "validator and root_validator of Pydantic",
    toTitle: "field_validator and model_validator",
    deprecation: "Pydantic 2 has deprecated validator and root_validator."
  },
  {
    id: "py.test_aliases",
    rule: "api_migration",
    language,
    from: {
      calls:
        /^self\.(?:assertEquals|assertNotEquals|assertAlmostEquals|assertRegexpMatches|assertRaisesRegexp|assert_)$/
    },
    to: { calls: /^self\.(?:assertEqual|assertNotEqual|assertAlmostEqual|assertRegex|assertRaisesRegex|assertTrue)$/ },
    fromTitle: "assertEquals() and other aliases",
    toTitle: "assertEqual() and the like",
    deprecation: "Python 3.12 has removed these aliases from unittest."
  },
  {
    id: "py.unittest",
    rule: "test_framework_migration",
    language,
    from: { modules: /^unittest$/, mentions: /\bTestCase\b/ },
    to: { modules: module("pytest") },
    fromTitle: "unittest",
    toTitle: "pytest",
    deprecation: null
  },
  {
    id: "py.nose",
    rule: "test_framework_migration",
    language,
    from: { modules: module("nose") },
    to: { modules: module("pytest") },
    fromTitle: "nose",
    toTitle: "pytest",
    deprecation: "nose is no longer maintained and does not run on Python 3.12."
  }
]
