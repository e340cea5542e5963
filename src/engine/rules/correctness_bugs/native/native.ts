import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Emit } from "../../../core/tool/AuditTool.ts"
import { isNative, type NativeFunction, nativeFunctions } from "../../../languages/native/functions.ts"
import type { RuleId } from "../rules.ts"
import * as buffers from "./buffers.ts"
import { type CallCheck, siteOf } from "./CallSite.ts"
import * as calls from "./calls.ts"
import { inspectExpressions } from "./expressions.ts"
import { inspectMemory } from "./memory.ts"
import { inspectClasses, inspectObjects } from "./objects.ts"

/** A function with more calls is generated, and not compared call by call. */
const MAX_CALLS = 1_000

const each = (
  names: string,
  ...checks: ReadonlyArray<CallCheck>
): ReadonlyArray<readonly [string, ReadonlyArray<CallCheck>]> => names.split(" ").map((name) => [name, checks] as const)

const byName: ReadonlyMap<string, ReadonlyArray<CallCheck>> = new Map([
  ...each("strcpy stpcpy strcat wcscpy", buffers.stringCopy),
  ...each("sprintf vsprintf", buffers.stringFormat, calls.formatString),
  ...each("scanf fscanf sscanf", buffers.scanFormat, calls.ignoredInput),
  ...each("gets", buffers.getsCall),
  ...each("strncpy stpncpy", buffers.boundedCopy, buffers.sizeOfPointer),
  ...each("strncat", buffers.boundedAppend, buffers.sizeOfPointer),
  ...each("memcpy memmove", buffers.sizeOfPointer, calls.comparisonAsSize),
  ...each("memset", buffers.sizeOfPointer, calls.emptyFill, calls.comparisonAsSize),
  ...each("bzero explicit_bzero fgets strlcpy strlcat", buffers.sizeOfPointer),
  ...each("snprintf vsnprintf", buffers.sizeOfPointer, calls.formattedLength, calls.formatString),
  ...each("memcmp strncmp strncasecmp", calls.comparedLength, buffers.sizeOfPointer),
  ...each("realloc", calls.lostReallocation, calls.multipliedSize, calls.allocationFromInput),
  ...each("malloc", calls.allocatedLength, calls.allocatedPointerSize, calls.multipliedSize, calls.allocationFromInput),
  ...each("calloc", calls.allocatedPointerSize),
  ...each("alloca __builtin_alloca", calls.allocationInLoop, calls.allocationFromInput),
  ...each(
    "setuid setgid seteuid setegid setreuid setregid setresuid setresgid setgroups initgroups",
    calls.privilegeDrop
  ),
  ...each("chroot", calls.chrootWithoutChdir),
  ...each("tmpnam tempnam mktemp tmpnam_r", calls.predictableName),
  ...each("access stat lstat", calls.checkThenUse),
  ...each("printf fprintf dprintf syslog warn warnx err errx", calls.formatString),
  ...each("strtok", calls.sharedTokenizer)
])

const inspectCalls = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  for (const call of fn.calls) {
    const site = siteOf(file, fn, call)
    for (const check of byName.get(site.name) ?? []) {
      const match = check(site)
      if (match !== null) emit(match)
    }
  }
}

/** C and C++: memory, texts, and what their libraries ask of callers. */
export const inspectNative = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!isNative(file.language)) return
  const reported = new Set<string>()
  const once: Emit<RuleId> = (match) => {
    const key = `${match.rule} ${match.start}`
    if (!reported.has(key)) emit(match)
    reported.add(key)
  }
  inspectClasses(file, once)
  for (const fn of nativeFunctions(file)) {
    if (fn.calls.length > MAX_CALLS) continue
    inspectCalls(file, fn, once)
    inspectExpressions(file, fn, once)
    inspectMemory(file, fn, once)
    inspectObjects(file, fn, once)
  }
}
