import type { Purpose } from "../Command.ts"

/** Ways to name one test, and files that hold some. */
const oneCase =
  /\s-k[ =]?\S|\s-t[ =]\S|::\w|\s-run[ =]\S|-Dtest=|-Dit\.test=|\s--tests[ =]\S|--test-name-pattern|--filter[ =]\S|\s-g[ =]\S|\s--grep|\s-n[ =]\/?test_|--example[ =]|\s-m[ =]test|_spec\.rb:\d|_test\.exs:\d|_test\.rb:\d/
export const oneFile =
  /(?:^|[\s/])(?:test_[\w-]+\.py|[\w-]+_test\.(?:py|go|rb|exs|rs)|[\w-]+_spec\.rb|[\w.-]+\.(?:test|spec)\.\w+|\w+Test\.(?:php|java|kt))|\btests?\.\w+\.\w+|[<[{]?(?:path|file|test[-_]?file)s?[>\]}]|\bpath\/to|\/test\w*\/[\w/.-]+\.\w+/i

/** A test command that names one file or one case says how that is done. */
export const narrowed = (purpose: Purpose, line: string): Purpose =>
  purpose !== "test"
    ? purpose
    : /^(?:\w+=\S*\s+)*prove(?:\s+-\S+)*\s+\S*\w\/[\w-]*\w(?:\.t)?$/.test(line)
      ? "test_file"
      : oneCase.test(line)
        ? "test_case"
        : oneFile.test(line)
          ? "test_file"
          : purpose

const reports =
  /^(?:npx )?(?:(?:nyc|c8) report|codecov|coveralls|coverage (?:report|html|xml|combine|lcov))(?=\s|$)|^cat \S*\b(?:lcov|coverage)\b\S*$/

/** A report is made of what tests left, and runs none. */
export const onlyReports = (text: string): boolean =>
  /report|coveralls|codecov/.test(text) &&
  text
    .slice(0, 400)
    .split(/[|;&\n]+/)
    .every((part) => reports.test(part.trim()))
