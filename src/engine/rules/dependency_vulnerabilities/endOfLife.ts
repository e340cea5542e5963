export const END_OF_LIFE_AS_OF = "2026-01-01"

export type Runtime = "Node.js" | "Python" | "Go" | "PHP" | "Ruby" | "Java" | ".NET"

/** Last day with security fixes, of versions for which it is over: of the makers, not of those who sell longer support. */
const ended: Readonly<Record<Runtime, Readonly<Record<string, string>>>> = {
  "Node.js": {
    "10": "2021-04-30",
    "11": "2019-06-01",
    "12": "2022-04-30",
    "13": "2020-06-01",
    "14": "2023-04-30",
    "15": "2021-06-01",
    "16": "2023-09-11",
    "17": "2022-06-01",
    "18": "2025-04-30",
    "19": "2023-06-01",
    "21": "2024-06-01",
    "23": "2025-06-01"
  },
  Python: {
    "2.7": "2020-01-01",
    "3.4": "2019-03-18",
    "3.5": "2020-09-30",
    "3.6": "2021-12-23",
    "3.7": "2023-06-27",
    "3.8": "2024-10-07",
    "3.9": "2025-10-31"
  },
  Go: {
    "1.16": "2022-03-15",
    "1.17": "2022-08-02",
    "1.18": "2023-02-01",
    "1.19": "2023-08-08",
    "1.20": "2024-02-06",
    "1.21": "2024-08-13",
    "1.22": "2025-02-11",
    "1.23": "2025-08-12"
  },
  PHP: {
    "5.6": "2018-12-31",
    "7.0": "2019-01-10",
    "7.1": "2019-12-01",
    "7.2": "2020-11-30",
    "7.3": "2021-12-06",
    "7.4": "2022-11-28",
    "8.0": "2023-11-26",
    "8.1": "2025-12-31"
  },
  Ruby: {
    "2.4": "2020-04-05",
    "2.5": "2021-04-05",
    "2.6": "2022-04-12",
    "2.7": "2023-03-31",
    "3.0": "2024-04-23",
    "3.1": "2025-03-26"
  },
  Java: {
    "7": "2022-07-19",
    "9": "2018-03-20",
    "10": "2018-09-25",
    "12": "2019-09-17",
    "13": "2020-03-17",
    "14": "2020-09-15",
    "15": "2021-03-16",
    "16": "2021-09-14",
    "18": "2022-09-20",
    "19": "2023-03-21",
    "20": "2023-09-19",
    "22": "2024-09-17",
    "23": "2025-03-18"
  },
  ".NET": {
    "2.1": "2021-08-21",
    "2.2": "2019-12-23",
    "3.0": "2020-03-03",
    "3.1": "2022-12-13",
    "5.0": "2022-05-10",
    "6.0": "2024-11-12",
    "7.0": "2024-05-14"
  }
}

const oldest: Readonly<Record<Runtime, readonly [major: number, minor: number]>> = {
  "Node.js": [10, 0],
  Python: [2, 7],
  Go: [1, 16],
  PHP: [5, 6],
  Ruby: [2, 4],
  Java: [7, 0],
  ".NET": [2, 1]
}

const byMajor: ReadonlySet<Runtime> = new Set(["Node.js", "Java"])

export interface Ended {
  readonly version: string
  /** Null for what ended before the table begins. */
  readonly since: string | null
}

/** When support of this version ended; null when it has not, or when the text names no version. */
export const endOfLife = (runtime: Runtime, written: string): Ended | null => {
  const match = /^v?(\d{1,4})(?:\.(\d{1,4}))?/.exec(written)
  if (match === null) return null
  const [, major = "", minor] = match
  const version = byMajor.has(runtime) ? major : minor === undefined ? null : `${major}.${minor}`
  if (version === null) return null
  const since = Object.hasOwn(ended[runtime], version) ? ended[runtime][version]! : null
  if (since !== null) return { version, since }
  const [firstMajor, firstMinor] = oldest[runtime]
  const isOlder = Number(major) < firstMajor || (Number(major) === firstMajor && Number(minor ?? 0) < firstMinor)
  return isOlder && Number(major) > 0 ? { version, since: null } : null
}
