/** Tools that misbehave, for tests of the thread pool: they are loaded by name inside the threads. */
const rule = {
  languages: ["javascript"],
  title: "The word occurs",
  description: "It should not.",
  cwe: [],
  confidence: 0.9,
  effort: "small",
  risk: "low"
}

const misdeeds = {
  "endless.js": () => {
    for (;;);
  },
  "exit.js": () => process.exit(3),
  "memory.js": () => {
    const kept = []
    for (;;) kept.push(new Array(1_000_000).fill(kept.length + 0.5))
  }
}

export const tools = [
  {
    id: "rough",
    suite: "standard",
    kind: "finding",
    domain: "reliability",
    category: "correctness",
    priority: "P2",
    version: 1,
    rules: { match: rule },
    appliesTo: () => true,
    inspect: (file, emit) => {
      misdeeds[file.path]?.()
      const at = file.text.indexOf("bad")
      if (at >= 0) emit({ rule: "match", start: at, end: at + 3, message: "Bad." })
    }
  }
]
