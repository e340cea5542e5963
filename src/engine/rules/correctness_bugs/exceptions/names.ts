import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../../core/files/SourceFile.ts"

/** The name of a class: a word after an underscore begins with a capital. */
const exceptionName =
  /^(?:\w+\.)*(?!\w*_[a-z])(?!(?:Set|Get|Raise|Throw|Handle|Log|Print|Show|Report|Check|Is|Format|Make|Create|Add|Clear|On|Last|Close|Ignore|Exit|Write|Read|Send|Emit|Catch|Convert|Parse|Process|Record|Register|Display|Die|Fail|Abort|Return|Expect|Assert|Run|Try|Suppress|Wrap)[A-Z])(?:[A-Z]\w*)?(?:Error|Exception)$/

/** The exceptions that Python has by itself, by their last word. */
const pythonBuiltIn =
  /^(?:(?:Arithmetic|Assertion|Attribute|Buffer|Connection\w*|EOF|Environment|FileExists|FileNotFound|FloatingPoint|IO|Import|Indentation|Index|Interrupted|IsADirectory|Key|Lookup|Memory|ModuleNotFound|Name|NotADirectory|NotImplemented|OS|Overflow|Permission|ProcessLookup|Recursion|Reference|Runtime|Syntax|System|Tab|Timeout|Type|Unbound\w*|Unicode\w*|Value|ZeroDivision)Error|Exception|BaseException|SystemExit|KeyboardInterrupt|StopIteration)$/

/** Exceptions of frameworks that creating does nothing else, by the first part of their module: those that do not end in Error or Exception. */
const ofFrameworks: Readonly<Record<string, RegExp>> = {
  click: /^(?:BadParameter|BadOptionUsage|BadArgumentUsage|MissingParameter|NoSuchOption|Abort)$/,
  typer: /^(?:BadParameter|Abort|Exit)$/,
  django:
    /^(?:Http404|ImproperlyConfigured|PermissionDenied|SuspiciousOperation|ObjectDoesNotExist|MultipleObjectsReturned|FieldDoesNotExist)$/,
  rest_framework:
    /^(?:NotFound|PermissionDenied|NotAuthenticated|AuthenticationFailed|MethodNotAllowed|NotAcceptable|UnsupportedMediaType|Throttled)$/,
  scrapy: /^(?:DropItem|CloseSpider|IgnoreRequest|NotConfigured)$/
}
/** Frameworks whose own exceptions with such an ending only hold what happened. */
const framework =
  /^(?:click|typer|django|rest_framework|scrapy|fastapi|starlette|werkzeug|marshmallow|odoo|jwt|requests|httpx|aiohttp)$/

/** `from a.b import (C, D as E)`, on one line or in brackets. */
const fromImport = /^from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import[ \t]+(?:\(([^)]{0,2000})\)|([^(\n]{1,500}))/gm

const readImports = ({ text }: SourceFile): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [, module, listed, plain] of text.matchAll(fromImport))
    for (const name of (listed ?? plain)!.match(/[A-Za-z_]\w*/g) ?? []) found.set(name, module!)
  return found
}

/** First part of the module that a name comes from; of `click.BadParameter` it is the name's own. */
const moduleOf = (file: SourceFile, name: string): string | undefined => {
  const first = name.split(".")[0]!
  return file.memo(readImports, readImports).get(first) ?? (first === name ? undefined : first)
}

/** Whether a call of Python creates an exception of a framework that the file imports. */
const isOfFramework = (file: SourceFile, name: string): boolean => {
  const module = moduleOf(file, name)
  if (module === undefined) return false
  return (
    (framework.test(module) && exceptionName.test(name)) || ofFrameworks[module]?.test(name.split(".").at(-1)!) === true
  )
}

/** Whether a name is that of a class of exceptions, as far as its form shows. */
export const isExceptionName = (file: SourceFile, name: string): boolean =>
  exceptionName.test(name) || (file.language === "python" && (pythonBuiltIn.test(name) || isOfFramework(file, name)))

const isSeenInPython = (file: SourceFile, name: string): boolean => {
  if (pythonBuiltIn.test(name) || isOfFramework(file, name)) return true
  const last = escapeRegExp(name.split(".").at(-1)!)
  return new RegExp(
    `\\b(?:raise|except)[ \\t]+(?:\\(\\s*)?(?:[\\w.]+\\s*,\\s*){0,9}(?:\\w+\\.)*${last}\\b|\\bclass\\s+${last}\\s*\\([^)\\n]{0,200}(?:Error|Exception|Warning)\\b`
  ).test(file.text)
}

/** The errors that Java and C# have by themselves: other classes of such names are often records of what was found. */
const compiledBuiltIn =
  /^(?:java\.lang\.)?(?:Assertion|BootstrapMethod|ClassCircularity|ClassFormat|ExceptionInInitializer|IllegalAccess|IncompatibleClassChange|Instantiation|Internal|Linkage|NoClassDefFound|NoSuchField|NoSuchMethod|OutOfMemory|StackOverflow|Unknown|UnsatisfiedLink|UnsupportedClassVersion|Verify|VirtualMachine)?Error$/

const isSeenInCompiled = (file: SourceFile, name: string): boolean => {
  if (name.endsWith("Exception") || compiledBuiltIn.test(name)) return true
  const last = escapeRegExp(name.split(".").at(-1)!)
  return new RegExp(
    `\\bthrow\\s+new\\s+(?:\\w+\\.)*${last}\\b|\\b(?:catch\\s*\\(|throws\\s)[^){;]{0,200}\\b${last}\\b`
  ).test(file.text)
}

/** Whether the language, a framework or the file itself shows that a class of this name is one of exceptions. */
export const isSeenAsException = (file: SourceFile, name: string): boolean => {
  if (file.language === "python") return isSeenInPython(file, name)
  return (file.language !== "java" && file.language !== "csharp") || isSeenInCompiled(file, name)
}
