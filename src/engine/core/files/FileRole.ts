import { escape as escapeRegExp } from "effect/RegExp"
import { isBelowAny } from "../text/paths.ts"
import { commentedLines, isSignedByGenerator } from "./generatedMarks.ts"
import { isWrittenPage } from "./pages.ts"
import { type SourceRoot, sourceRootOf, type TreeLayout, unknownLayout } from "./TreeLayout.ts"

/** What a file is for. Rules about product code do not apply to the same extent to tests, samples or other people's code. */
export type FileRole = "source" | "test" | "fixture" | "example" | "docs" | "generated" | "vendored" | "minified"

const MAX_MEAN_LINE_LENGTH = 300

const vendored =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|_?vendor|_?vendored|vendors|missing-sources|(?:[Tt]hird|3rd)[_-]?[Pp]arty|waflib|external_libs|extern|repackaged|shaded|site-packages|\.venv|venv|virtualenv|Pods|Carthage|\.yarn|\.pnp\.c?js|gradle\/wrapper|mvnw|fontello|icomoon|\.pc)(?:\/|$)/
/** Sources of other modules in the layout of GOPATH, which packaging and the Godep tool put beside a module's own. */
const goPath = /(?:^|\/)(?:debian|_workspace)\/(?:[\w.-]+\/)*src\/[\w-]+(?:\.[\w-]+)+\//
const vendoredName =
  /(?:^|\/)(?:(?:jquery|bootstrap|angular|react|react-dom|vue|lodash|underscore|moment|d3|three|chart|modernizr|require|backbone|ember|handlebars|knockout|prototype|dojo|socket\.io|highlight|prism|codemirror|ace|tinymce|ckeditor|select2|datatables|polyfill|html5shiv|respond)(?:[.-]v?\d[\w.-]*)?(?:\.(?:min|bundle|slim|full|pack|global|prod))?\.(?:js|css))$/i
/** With its version in its name it is a copy, wherever it lies. */
const versionedName =
  /(?:^|\/)(?:jquery|bootstrap|angular|react|react-dom|vue|lodash|underscore|moment|d3|modernizr|require|backbone|ember|handlebars|knockout|prototype|highlight|codemirror|tinymce|ckeditor|select2|html5shiv|respond)[\w.-]{0,24}[.-]v?\d+\.\d+[\w.-]*\.(?:js|css)$/i
const vendoredFolder = /(?:^|\/)(?:static|public|assets?|lib|libs|plugins|wwwroot|dist|js|css|webapp|resources)\//i
/** Libraries have a folder of their own beside the program's own scripts. */
const libraryFolder = /(?:^|\/)(?:static|public|assets?|wwwroot|htdocs|webapp)\/[\w-]+\/libs?\/.*\.(?:[cm]?js|css)$/i
/** Where an application keeps what browsers are sent. At the root of a repository `js` holds its own sources. */
const servedFolder =
  "(?:^|/)(?:static|public|assets?|www|wwwroot|htdocs|html|webapp|resources|themes?|skins?|styles?)/(?:[^/]+/)*|/(?:js|javascripts?)/(?:[^/]+/)*"
/** Well-known libraries that are copied as a folder, and any folder or script with a version in its name. */
const servedLibrary = new RegExp(
  `(?:${servedFolder})(?:(?:ace(?:-builds)?|pako|plupload|tiny_?mce|ckeditor|codemirror|jquery(?:[-_.](?:ui|mobile|plugins?))?|bootstrap|mathjax|fancybox|select2|datatables|jstree|leaflet|openlayers|highlight(?:\\.?js)?|moment(?:js)?|d3|dojo|extjs|yui|scriptaculous|swfobject|flot|jqplot|highcharts|amcharts|echarts|fullcalendar|uploadify|crypto-?js|fancytree|font-?awesome|video-?js|colorbox|lightbox|summernote|froala|markitup|xinha|kindeditor|ueditor|handsontable|jqgrid|pdf\\.?js|requirejs|three\\.?js)/(?=.*\\.(?:[cm]?js|css|html?|php)$)|[a-z][\\w.]*(?:-[a-z][\\w.]*){0,3}-v?\\d+\\.\\d+(?:\\.\\d+)*[\\w.-]{0,20}(?:/.*)?\\.(?:[cm]?js|css|html?)$)`,
  "i"
)
/** Libraries that applications copy below what they include, and any folder there with a version in its name. */
const includedLibrary =
  /(?:^|\/)(?:includes?|inc|libs?|librar(?:y|ies)|classes|contrib|ext|external|js|scripts?)\/(?:[^/]+\/)?(?:(?:jpgraph|smarty|phpmailer|tcpdf|adodb\d?|nusoap|geshi|fpdf|xajax|getid3|pclzip|phpseclib|magpierss|ezpdf|dompdf|html2pdf|jquery|markitup|fckeditor|extjs\d?)(?:[-_.][\w.-]+)?|[a-z][\w.]*?[-_]v?\d+\.\d+[\w.]*)\/(?=.*\.(?:[cm]?js|css|html?|php|inc)$)/i
/** Editors and widgets that are copied as a folder beside the libraries of a program. */
const includedWidget =
  /(?:^|\/)(?:libs?|librar(?:y|ies)|contrib|ext|external|extras?)\/(?:[^/]+\/)?(?:ckeditor|tiny_?mce|jstree|datatables|plupload|fullcalendar|highcharts|mathjax|codemirror|select2|video-?js|font-?awesome)\d?\/.*\.(?:[cm]?js|css|html?)$/i
const minifiedName = /[.-]min\.(?:js|mjs|cjs|css)$|\.(?:bundle|chunk|pack)\.(?:js|css)$/i
const generatedName =
  /(?:\.pb\.(?:go|cc|h|rs)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|d\.ts|ts|rb)|\.g\.(?:dart|cs)|\.designer\.cs|\.generated\.\w+|_generated\.\w+|\.gen\.\w+|zz_generated[\w.]*\.go|bindata\.go|_string\.go|\.freezed\.dart|\.snap|\.lock|\.js\.map|\.css\.map)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|composer\.lock|ltmain\.sh|config\.(?:guess|sub))$/i
const generatedFolder =
  /(?:^|\/)(?:generated|__generated__|dist(?:-(?:cjs|mjs|esm?|umd|types))?|static[._-](?:build|root|dist|collected)|collected[._-]?static|\.?collect_?static|\.next(?:-[\w-]+)?|\.nuxt|\.output|out-tsc|target\/(?:classes|generated-sources)|build\/generated|autogen|_generated)\//i
/** A bundler names its chunks by what is in them, and so do what collects static files and the compiler of the Google Web Toolkit. */
const bundledName =
  /(?:[.-][0-9a-f]{16,64}|\.(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,15})(?:\.(?:entry|chunk|bundle|min))?\.(?:[cm]?[jt]sx?|css|less|scss)$|(?:^|\/)(?:assets|built|build|static|public)\/(?:.*\/)?[\w.-]*-(?=[\w-]{0,7}\d)(?=(?:[\w-]{0,6}[A-Z]){2})[\w-]{8}\.(?:[cm]?js|css)$|(?:^|\/)[0-9A-F]{32}\.cache\.(?:js|html)$|\.nocache\.js$/
const fixture =
  /(?:^|\/)(?:fixtures?|__fixtures__|_fixtures|_?test[_-]?data|reg(?:ression)?[_-]?tests?\/(?:data|keys|certs?)|test[_-]?dirs?|__mocks__|mocks?|fakes?|__snapshots__|cassettes|test[_-]?resources|src\/test\/resources)\//i
/** Words that are as common for parts of a product: in the sources of one they say nothing. */
const fixtureOutside = /(?:^|\/)(?:snapshots|stubs?|goldens?)\//i
/** What the tests of a Perl project read. */
const dataOfTests = /^(?:[^/]+\/)?t\/(?:data|lib|etc|certs?|keys?|conf)\//
/** Where libraries lie that a program includes or hands out, by names of folders and releases. */
const copiedFolders: ReadonlyArray<RegExp> = [
  libraryFolder,
  versionedName,
  servedLibrary,
  includedLibrary,
  includedWidget
]
/** Languages in which every folder is a package with a name of its own. */
const namesPackages = /\.(?:go|rs|java|kt|scala)$/
/** Keys and certificates that are made for tests say so. */
const fixtureName =
  /(?:^|[/._-])(?:tests?|testing|dummy|fake|mock|snakeoil|examples?|samples?)(?:[._-][\w.-]*)?\.(?:pem|key|crt|cer|p12|pfx|jks|asc|gpg|ppk)$/i
/** The keys of a suite that starts the product with its services lie beside it. */
const suiteKey =
  /(?:^|\/)(?:[\w-]*integration|e2e|acceptance|regress)\/(?:.*\/)?[^/]+\.(?:pem|key|crt|cer|p12|pfx|jks|asc|gpg|ppk)$/i
/** What a test compares the output of the code with. */
const expectedOutput = /(?:^|\/)tests?[-_][^/]+\/(?:.*\/)?expected\.\w+$/i
const testFolder =
  /(?:^|\/)(?:_?tests?|__tests__|e2e|testing|integration[_-]?tests?|unit[_-]?tests?|test[_-]?suites?|src\/(?:test|androidTest|integrationTest|testFixtures)|(?:fs|http|io|net|db|api|cmd|storage)test|test[_-]?(?:servers?|harness|support|helpers?)|cypress|playwright|test(?:ing)?[_-]?utils?|[\w.-]+\.(?:Unit|Integration|Functional)?Tests?)\//i
/** The same as one word, as projects in Qt, in C and in C# write it. */
const testFolderAsWord = /(?:^|\/)(?:autotests?|selftests?|self-tests?|regtests?|libtests?|[A-Z]\w*[a-z]Tests)\//
/** Projects that a build runs to test itself. */
const testProject = /(?:^|\/)src\/(?:main\/)?it\/.*\.(?:java|kt|groovy|scala|xml|properties)$/i
/** A package of tests among those of the product: one that manages test cases is written in lower case. */
const testPackage = /(?:^|\/)testCases\//
const testFolderOutside =
  /(?:^|\/)(?:specs?|regress|[\w-]*test[_-]?cases|[\w-]+(?:\.[\w-]+)*\.tests\.[\w.-]+|fuzz(?:ing|ers|_targets)?|\.clusterfuzzlite|(?:charts?|helm)\/(?:[\w.-]+\/)?ci|[\w-]+[_-](?:tests?|testing))\//i
/** Tests and pages for them as projects in Perl and C keep them; scripts for browsers and Node have other folders. */
const shortTestFolder = /^(?:[^/]+\/)?t\//
const browserFile = /\.(?:[cm]?[jt]sx?|vue|svelte|css|json)$/i
const testName =
  /(?:\.(?:test|spec|e2e|cy)\.\w+|\.test-d\.tsx?|_test\.(?:go|py|rb|rs|php|c|cc|cpp|cxx|h|hh|hpp|[cm]?[jt]sx?|dart|lua)|_unit_?tests?\.\w+|_spec\.rb|(?:^|\/)test_[\w-]+\.py|(?:^|\/)conftest\.py|(?:^|\/)\w*[a-z0-9](?:Tests?|IT|TestCase|Spec)\.(?:java|kt|cs|php|scala|groovy|swift))$/
/** A page that runs the tests of scripts in a browser. */
const testPage = /(?:^|\/)(?:(?:run[-_]?)?(?:tests?|specs?)(?:[-_]?runner)?|test_[\w-]+|[\w-]+[-_]tests?)\.x?html?$/i
/** A page that is shown may be named for what it tests, as a speed. */
const shownPage = /(?:^|\/)(?:templates?|views?|jinja2?|pages|partials|components)\//i
/** Stand-ins, and test classes named the other way round. */
const testNameOutside =
  /(?:[._-](?:mocks?|fakes?|stub)\.\w+|(?:^|\/)(?:mock|fake|stub)_\w+\.(?:go|py|rb|rs|c|cc|cpp|h|hpp|[cm]?[jt]s)|(?:^|\/)(?:mocks?|fakes?)\.go|(?:^|\/)(?:tests\.(?:py|rs|c|cc|cpp|h|hpp)|unit[-_]?tests?\.\w+|\w+_tests\.(?:rs|c|cc|cpp|h|hpp|py|lua)|(?:run[-_]?tests?|test[-_][\w-]+)\.(?:sh|bash))|(?:^|\/)(?:Mock|Fake)[A-Z]\w*\.(?:cs|php|swift|ts|cpp|h|hpp)|(?:^|\/)(?:Test|Fake|Mock)[A-Z]\w*\.(?:java|kt|scala|groovy)|(?:^|\/)\w*[a-z0-9](?:Fake|Mock|Stub)\.(?:java|kt|cs|scala|groovy|php|swift)|(?:^|\/)test[-_][\w-]+\.(?:c|cc|cpp|cxx)|(?:^|\/)(?:setupTests|(?:jest|vitest|karma|test)[.-]setup|tests?[-_.]?(?:helpers?|utils?|support)|test)\.[cm]?[jt]sx?)$/
const example =
  /(?:^|\/)(?:_?examples?|samples?|demos?|playgrounds?|tutorials?|cookbook|quickstarts?|[\w-]+[_-](?:examples?|bench)|templates?\/(?:app|starter)|benchmarks?|bench(?:es)?)\/|^sandbox\//i
/** A program of one file that shows how to use what lies beside it. */
const exampleName =
  /(?:^|\/)(?:(?:examples?|demos?)(?:[-_]?\d+)?|example[-_][\w-]+)\.(?:c|cc|cpp|cxx|[cm]?[jt]s|py|rb|p[lm]|php|java|cs|go|lua|html?)$/
/** A package of Java that has no one's name before its own. */
const examplePackage = /(?:^|\/)src\/(?:main\/)?java\/(?:demos?|examples?|samples?)\//
/** An image that is made to try something out. */
const exampleImage =
  /(?:^|\/)(?:Docker|Container)file\.(?:examples?|demo)(?:[-.][\w.-]+)?$|(?:^|\/)(?:examples?|demo)\.Dockerfile$/i
/** No one imports a page: one below `demos` is shown to try something out, also inside of the sources. */
const examplePage =
  /(?:^|\/)(?:demos?|examples?)\/(?:.*\/)?[^/]+\.html?$|(?:^|\/)libs?\/[^/]+\/docs?\/(?:.*\/)?[^/]+\.(?:html?|php)$/i
/** A folder in `src` that is named for docs makes them. */
const inSrc = /(?:^|\/)src\/.*$/
const docsFolder = /(?:^|\/)(?:docs?|documentation|website\/docs|man)\//i
/** A text is prose when its name says so; any other may be a list of settings. */
const docsName =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc)$|(?:^|\/)(?:read[-_ ]?me|licen[cs]es?|copying|copyright|notices?|third[-_ ]?party|change(?:s|log)|history|release[-_ ]?notes?|news|authors?|contribut(?:ors?|ing)|maintainers?|install(?:ation)?|credits|thanks|faq|todo|manual|help|usage|about|notes?|how-?to|guide|terms|privacy|eula)[\w .-]*\.txt$|(?:^|\/)(?:read[-_ ]?me|copying|change(?:s|log)|authors)\.html?$/i
/** Ragel signs nowhere; the names of its tables are its own. */
const ragelTables = /\battr_accessor :_(?:\w+_)?(?:trans_keys|key_offsets|actions)\b/
/** An optimiser of AMD gives each module its name; by hand it is left to the file. */
const namedModule = /^\s*(?:\/\*[\s\S]{0,600}?\*\/\s*)?(?:ace\.)?define\(["'][\w.@-]+\/[\w./@-]+["'], ?\[/
/** What Browserify and webpack write before the modules that they put together. */
const bundleHead =
  /^\s*(?:\/\*[\s\S]{0,600}?\*\/\s*)?(?:[\w.$]+\s*=\s*)?[;!]?\((?:function e\(t, ?n, ?r\)|function\(\) ?\{ ?function [er]\(\w, ?\w, ?\w\)|function ?\(f\) ?\{ ?if ?\(typeof exports ?===? ?["']object["'] ?&& ?typeof module|function ?\(e\) ?\{ ?if ?\(["']function["'] ?== ?typeof bootstrap\)|function webpackUniversalModuleDefinition\(root)/

/** The first Browserify wrote its runtime before the modules. */
const oldBundleHead = /^\s*\(function ?\(\) ?\{ ?var require = function ?\(file, cwd\)/
/** A module as Browserify hands it to its runtime, wherever in a file that was put together the bundle lies. */
const bundledModule = /\{(?:\d+|["'][^"'\n]{1,100}["']):\[function\((?:require|_dereq_), ?module, ?exports\)\{/

/** Bundlers write where each module begins that they put together, and Emscripten what its program runs in. */
const joinedModules =
  /(?:^|\n)(?:\/\/|\/\*) (?:\.{1,2}\/){0,9}node_modules\/[^\n]{1,200}\.[cm]?[jt]sx?(?: \*\/)?\r?\n|\n;?\/\/ (?:CONCATENATED|EXTERNAL) MODULE: |\n\/\*\*\*\/ \(?(?:function ?\(\w*module, |["']\.\/)|\bModule ?= ?typeof \(?Module\)? ?!==? ?["']undefined["'] ?\? ?Module ?: ?\{/

/** Single files that programs copy into their own folders, by their usual names. */
const copiedFile =
  /\/(?:bottle|six|appdirs|pyparsing|ez_setup|versioneer|ordereddict|markdown2|BeautifulSoup|feedparser|odict|IPy|ipaddr|argparse)\.py$|(?:^|\/)(?:getopt(?:1|_long|_int)?|(?:\w+[_-])?(?:fnmatch(?:_loop)?|glob|obstack|regcomp|regexec|regex_internal)|adler32|compress|crc32|deflate|gz(?:close|guts|lib|read|write)|inf(?:back|fast|fixed|late|trees)|trees|uncompr|zlib|zutil)\.[ch]$/
const copiedMark =
  /\b__(?:version|author|license)__\s*=|^#\s*Version:\s*\d|part of the C library|part of (?:the )?(?:GNU C Library|NetBSD|OpenBSD)|GNU C Library|The NetBSD Foundation|OpenBSD:|Copyright \(C\) 199[5-9][-\d, ]* (?:Mark Adler|Jean-loup Gailly)/m
/** Helpers that no program writes for itself, wherever they lie, and who wrote them. */
const foreignFile = /(?:^|\/)(?:snprintf|linenoise|(?:mini)?(?:un)?zip|ioapi|mztools)\.[ch]$|\/cpplint\.py$/
const foreignMark =
  /Mark Martinec|Holger Weiss|Patrick Powell|github\.com\/antirez\/linenoise|Gilles Vollant|Mathias Svensson|Copyright \(c\) 2009 Google/

/** A script in a folder of its own name: `js/flotr2/flotr2.js`. */
const ownFolder = /\/(?:js|javascripts?)\/([\w.-]+)\/\1\.[cm]?js$/i
/** Files for browsers that lie beside the program. */
const webFolder = /(?:^|\/)(?:static|public|assets?|wwwroot|htdocs|www|webapp|resources)\/.*\.(?:js|css)$/i
/** A library's opening comment names its release and the licence that it is passed on under. */
const releaseMark = /\bversion:?\s+v?\d+\.\d|@version\s+v?\d|[\s-]v\d+\.\d+/i
const licenceMark =
  /\b(?:MIT|GPL|BSD|Apache)\b[^\n]{0,40}\blicen[cs]e|\blicen[cs]e[ds]?\b[^\n]{0,40}\b(?:MIT|GPL|BSD|Apache)\b/i

const served = new RegExp(`(?:${servedFolder})[^/]+\\.(?:[cm]?js|css)$|/(?:libs?|plugins?)/.*\\.(?:[cm]?js|css)$`, "i")
/** `/*! name v1.2.3`, `@license name 1.2.3`: published files carry their name and version, an application's own do not. */
const published =
  /^\s*(?:["']use strict["'];\s*)?;?\/\*(?:!|[\s*]{1,20}@licen[cs]e\b)[\s*=-]{0,120}(?:@licen[cs]e\s+)?[A-Za-z][^\n\d]{0,80}(?:[ -]|\bv|\(v)v?\d+\.\d+(?:\.\d+)?\b/
const plugin =
  /^\s*;?\/\*{1,2}!?[\s*=-]{0,120}(?:@\w+\s+)?j[Qq]uery\b[^\n]{0,100}(?:\n[^\n]{0,160}){0,25}(?:@version|\b[Vv]ersion|\bv)[: ]*\d+\.\d+/

/** `jquery.overlay.js` with a licence in one of its opening comments: parts of a library are put together with helpers. */
const pluginName = /\/jquery[.-][\w.-]+\.js$/i
const licenceTag = /@licen[cs]e\b|\b(?:dual[- ])?licensed under\b/i

const kindOfLibrary = "\\b(?:library|framework|plug-?in|toolkit|polyfill|widget)\\b"
const opening = "^\\s*;?\\/\\*{1,2}[\\s*=-]{0,120}[A-Za-z]"
/** `Dialler 1.0.3, a library for clocks`, or `Dialler, a JavaScript library` with an address and whose it is. */
const introduced = new RegExp(
  `${opening}[^\\n]{0,60}(?:[ -]v?\\d+\\.\\d+\\.\\d+\\b[^\\n]{0,80}${kindOfLibrary}|\\b(?:JavaScript|JS|jQuery|CSS)[^\\n]{0,30}${kindOfLibrary}(?=[\\s\\S]{0,300}https?://)(?=[\\s\\S]{0,300}(?:\\(c\\)|copyright|©)))`,
  "i"
)
/** The project's own address, under whose name the file is kept, with the licence that it is passed on under. */
const homeOf = (path: string): RegExp => {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/(?:[.-](?:src|full|all|bundle))?\.[cm]?(?:js|css)$/i, "")
  return new RegExp(`github\\.com/[\\w.-]+/${escapeRegExp(stem)}(?:\\.js)?[\\s/#)]`, "i")
}

/** Where programs keep scripts of others, besides what they serve. */
const copiesOfScripts =
  /(?:^|\/)(?:contrib|templates?|search|themes?|plugins?|locales?|languages?|lang|i18n)\/.*\.[cm]?js$/i
const repositoryMark = /\b(?:github\.com|gitlab\.com|bitbucket\.org|code\.google\.com\/p)\/[\w.-]+/i
const holderMark = /(?:copyright|\(c\)|©)[ \t]*(?:\(c\)[ \t]*)?(?:[a-z][\w.]*,?[ \t]+){0,4}\d{4}/i

/** Another project's name, with the release that was copied, in the opening comment of a script for browsers. */
const isPublishedLibrary = (path: string, content: string): boolean => {
  const head = content.slice(0, 1_500)
  if (!served.test(path)) return false
  if (published.test(head) || plugin.test(head) || introduced.test(head)) return true
  if (pluginName.test(path) && licenceTag.test(head)) return true
  const comment = commentedLines(content)
  if (head.trimStart().startsWith("/*!") && licenceMark.test(comment) && homeOf(path).test(comment)) return true
  return (webFolder.test(path) || ownFolder.test(path)) && releaseMark.test(comment) && licenceMark.test(comment)
}

/** `/*! name, its address, its licence`, kept among what a program adds to itself and not among its own sources. */
const isSignedCopy = (path: string, content: string): boolean =>
  (copiesOfScripts.test(path) || ownFolder.test(path)) &&
  content.trimStart().startsWith("/*!") &&
  repositoryMark.test(commentedLines(content)) &&
  holderMark.test(commentedLines(content))

/** Directly in their folders of sources, other libraries have files of these names, too; so has a library as it is installed. */
const isOfLibrary = (path: string, head: string): boolean =>
  /^(?:src|lib|usr\/lib\/python3\/dist-packages)\/[^/]+$/.test(path) &&
  !/part of the C library|GNU C Library/.test(head)

const isCopiedFile = (path: string, content: string): boolean => {
  const head = content.slice(0, 6_000)
  if (foreignFile.test(path) && path.includes("/") && foreignMark.test(head)) return true
  return copiedFile.test(path) && !isOfLibrary(path, head) && copiedMark.test(head)
}

const isCopy = (path: string, content: string): boolean =>
  isPublishedLibrary(path, content) || isSignedCopy(path, content) || isCopiedFile(path, content)

/** Lines so long that no one wrote them by hand: such a file is read by text rules at most, never parsed. */
export const looksMinified = (text: string, lines: number): boolean =>
  text.length > 1_000 && text.length / Math.max(lines, 1) > MAX_MEAN_LINE_LENGTH

const countLines = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

/** Minified libraries are often one long line under a licence header; the mean over the file shows it. */
const script = /\.[cm]?js$/i
const isCode = /\.(?:[cm]?[jt]sx?|css|py|go|java|rb|php|cs|rs)$/i

/**
 * What the path says. Order matters: someone else's test is vendored first. Inside the sources of a product the names of
 * folders are the product's own words: a package `benchmark` is no benchmark there.
 */
export const roleByPath = (path: string, layout: TreeLayout = unknownLayout): FileRole => {
  const root = sourceRootOf(path, layout)
  const isAllThereIs = layout.builtFiles.has(path)
  const notOurs = isBelowAny(layout.libraries, path) ? "vendored" : foreignRole(path, root, isAllThereIs)
  if (notOurs !== null) return notOurs
  // Of two builds one looks made of the other: where there is nothing else, one of them is audited.
  if (isBelowAny(layout.outputs, path) && !isAllThereIs) return "generated"
  if (isFixture(path, root) || isBelowAny(layout.standIns, path)) return "fixture"
  if (isTest(path, root)) return "test"
  if (
    (example.test(root.outside) || isExampleProgram(path, root) || examplePage.test(path) || exampleImage.test(path)) &&
    !layout.isAllExamples
  )
    return "example"
  if (docsFolder.test(root.outside.replace(inSrc, "/")) || docsName.test(path)) return "docs"
  return isBelowAny(layout.testPrograms, apart(path, root)) ? "test" : "source"
}

const isExampleProgram = (path: string, root: SourceRoot): boolean =>
  examplePackage.test(path) || (root.kind !== "main" && exampleName.test(path))

/** Where names of folders count that a build keeps apart from the sources of the product. */
const apart = (path: string, { outside, kind }: SourceRoot): string => (kind === "main" ? outside : path)

const foreignRole = (path: string, root: SourceRoot, isAllThereIs: boolean): FileRole | null => {
  if (vendored.test(apart(path, root)) || goPath.test(path)) return "vendored"
  if (copiedFolders.some((folder) => folder.test(path))) return "vendored"
  if (vendoredName.test(path) && (vendoredFolder.test(path) || minifiedName.test(path))) return "vendored"
  if (minifiedName.test(path)) return "minified"
  if (generatedName.test(path) || bundledName.test(path)) return "generated"
  return generatedFolder.test(path) && !isAllThereIs ? "generated" : null
}

const isFixture = (path: string, root: SourceRoot): boolean =>
  fixture.test(apart(path, root)) ||
  (fixtureOutside.test(root.outside) && !namesPackages.test(path)) ||
  fixtureName.test(path) ||
  dataOfTests.test(path) ||
  expectedOutput.test(path) ||
  suiteKey.test(root.outside)

const isTest = (path: string, root: SourceRoot): boolean =>
  (root.kind !== "main" && testName.test(path)) ||
  testProject.test(path) ||
  (testPage.test(path) && !shownPage.test(path)) ||
  testFolder.test(apart(path, root)) ||
  testPackage.test(path) ||
  testFolderOutside.test(root.outside) ||
  testFolderAsWord.test(root.outside) ||
  (shortTestFolder.test(root.outside) && !browserFile.test(path)) ||
  (root.kind !== "main" && testNameOutside.test(path))

const isBundle = (content: string): boolean => {
  const head = content.slice(0, 1_500)
  return (
    bundleHead.test(head) ||
    oldBundleHead.test(head) ||
    namedModule.test(head) ||
    bundledModule.test(content) ||
    joinedModules.test(content)
  )
}

/** What the content adds to what the path says. */
export const roleByContent = (
  byPath: FileRole,
  path: string,
  content: string,
  lines = countLines(content)
): FileRole => {
  if (byPath === "vendored" || byPath === "minified") return byPath
  if (isCode.test(path) && looksMinified(content, lines)) return "minified"
  if (script.test(path) && isBundle(content)) return "generated"
  if (isWrittenPage(path, content)) return "generated"
  if (byPath === "source" && isCopy(path, content)) return "vendored"
  if (ragelTables.test(content.slice(0, 1_500))) return "generated"
  return byPath === "generated" || isSignedByGenerator(path, content) ? "generated" : byPath
}

/** `content` is the text, or as much of its head as is known. */
export const roleOf = (path: string, content = ""): FileRole => roleByContent(roleByPath(path), path, content)
