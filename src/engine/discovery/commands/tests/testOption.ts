/** An option for all tests, as opposed to those of a part: `BUILD_TESTS`, `SHOP_ENABLE_TESTING`, `WITH_UNIT_TESTS`. */
const isOfTests =
  /^(?:\w+_(?=(?:BUILD|ENABLE|WITH|USE|MAKE)_)|[A-Z\d]+_(?=(?:UNIT_?)?TEST))?(?:(?:BUILD|ENABLE|WITH|USE|MAKE)_)?(?:UNIT_?)?TEST(?:S|ING)?$/i

/** `if(NAME)`, which asks for nothing else. */
const conditions = (text: string): ReadonlyArray<{ readonly name: string; readonly body: string }> =>
  [...text.matchAll(/^[ \t]*if[ \t]*\([ \t]*(\w+)[ \t]*\)/gim)].map((match) => {
    const rest = text.slice(match.index + match[0].length, match.index + 2_000)
    return { name: match[1]!, body: rest.split(/\bendif\b/i, 1)[0]! }
  })

const startsTests = /\benable_testing\s*\(|\binclude\s*\(\s*CTest\b|\badd_subdirectory\s*\([^()]*test/i

/**
 * The option without which CMake builds no tests: one that is off and that a condition asks for, or one around
 * `enable_testing` that nothing sets. `BUILD_TESTING` is CTest's own and on.
 */
const neededOption = (text: string): string | null => {
  const asked = conditions(text)
  const off = new Set([...text.matchAll(/^\s*option\s*\(\s*(\w+)\s[^)]*\bOFF\s*\)/gim)].map(([, name]) => name!))
  const set = new Set(
    [...text.matchAll(/\b(?:option|set|cmake_dependent_option)\s*\(\s*(\w+)/gi)].map(([, name]) => name!)
  )
  const found =
    asked.find(({ name, body }) => off.has(name) && /TEST/i.test(name) && startsTests.test(body)) ??
    asked.find(({ name }) => off.has(name) && isOfTests.test(name)) ??
    asked.find(
      ({ name, body }) =>
        name !== "BUILD_TESTING" && isOfTests.test(name) && !set.has(name) && /\benable_testing\s*\(/i.test(body)
    )
  return found?.name ?? null
}

/** An option of `configure` that makes tests, described as one to enable: those that are on are described as ones to disable. */
const optionOfConfigure =
  /\bAC_ARG_(ENABLE|WITH)\s*\(\s*\[?((?:unit|build|self)?[-_]?(?:tests?|checks?|testing|testsuite))\]?\s*,([^$]{0,200})/i

/** A condition around what Automake runs, by its name: `if ENABLE_TESTS`. */
const isConditional = /^if !?\w*(?:TEST|CHECK)\w*\s*$/m

/** The option of `configure` without which `make check` runs nothing; null where tests are always made. */
export const optionForCheck = (configure: string, makefiles: ReadonlyArray<string>): string | null => {
  const [, kind, name, described] = optionOfConfigure.exec(configure) ?? []
  if (kind === undefined || !makefiles.some((text) => isConditional.test(text))) return null
  const option = `--${kind.toLowerCase()}-${name!.replaceAll("_", "-")}`
  return described!.includes(option) && !/default[^)\]]{0,20}\b(?:yes|on|enabled|auto)\b/i.test(described!)
    ? option
    : null
}

/** Tests that are built only where an option is given are asked for with it. */
export const withTestOption = (command: string, text: string): string => {
  const needed = command.startsWith("ctest") ? neededOption(text) : null
  return needed === null ? command : `cmake -B build -D${needed}=ON && cmake --build build && ${command}`
}
