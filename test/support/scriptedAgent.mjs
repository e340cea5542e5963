/**
 * A coding agent that follows directions: `node scriptedAgent.mjs MODE`, or without MODE as a line of its brief says,
 * `scripted-agent: {"mode": "success", "edits": [{"path": "a.py", "find": "old", "replace": "new"}]}`. An edit may instead
 * have `content`, the whole file, or `delete`. `"later": {"mode": …}` is the direction of later rounds, whose brief lists
 * failed gates.
 */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const brief = readFileSync(0, "utf8")

const directed = () => {
  const [, json] = /scripted-agent: (\{.*\})/.exec(brief) ?? []
  const direction = json === undefined ? { mode: "nothing" } : JSON.parse(json)
  const isLaterRound = brief.includes("# Failed gates")
  return isLaterRound && direction.later !== undefined ? direction.later : direction
}

// As a file, or as the text of `node --eval`.
const [argument, ...rest] = process.argv.slice(process.argv[1]?.endsWith(".mjs") ? 2 : 1)
const direction =
  argument === undefined ? directed() : argument.startsWith("{") ? JSON.parse(argument) : { mode: argument, args: rest }

const write = (path, content) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const apply = ({ path, find, replace, content, delete: isDeleted }) => {
  if (isDeleted) rmSync(path)
  else if (content !== undefined) write(path, content)
  else {
    const before = readFileSync(path, "utf8")
    if (!before.includes(find)) throw new Error(`${path} does not hold ${JSON.stringify(find)}`)
    writeFileSync(path, before.replace(find, replace))
  }
}

const edit = () => (direction.edits ?? []).forEach(apply)
const report = (fields = {}) =>
  console.log(JSON.stringify({ cost_usd: 0.25, summary: "Followed the directions.", ...fields }))
const forever = () => setInterval(() => undefined, 1_000_000)
const target = direction.path ?? direction.edits?.[0]?.path ?? "scripted.txt"

/** In pieces, so that no scanner takes this file for a leak. */
const secret = ["AKIA", "QYLPMN5HHHFPZAM2"].join("")

/** Waits for a file that another process writes: it has started. */
const started = (path) => {
  while (!existsSync(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
}

/** A process that leaves its parent, its group, its session and its environment. */
const orphan = (mark) => {
  const path = join(process.cwd(), `orphan-${mark}`)
  const command = `env -i setsid sh -c 'touch "${path}"; exec sleep 1000000.${mark}' > /dev/null 2>&1 &`
  execFileSync("sh", ["-c", command], { stdio: "ignore" })
  started(path)
}

const modes = {
  success: () => {
    edit()
    report(direction.report)
  },
  nothing: () => report({ summary: "Found nothing to change." }),
  junk: () => {
    edit()
    console.log("All done! I changed the file as you asked.")
  },
  silent: () => undefined,
  crash: () => {
    console.error("panic: the model did not answer")
    process.exit(3)
  },
  hang: () => {
    orphan(direction.args?.[0] ?? process.pid)
    forever()
  },
  orphans: () => {
    orphan(direction.args?.[0] ?? process.pid)
    report()
  },
  fork_bomb: () => {
    // Shells end when they cannot fork, so this goes on and on. In pieces, so that only the bomb has this in its command line.
    const bomb = `bomb() { ${["bomb", "bomb"].join(" | ")} & }; bomb`
    setInterval(() => {
      spawn("sh", ["-c", bomb], { stdio: "ignore" }).on("error", () => undefined)
    }, 20)
  },
  many_processes: () => {
    for (let i = 0; i < Number(direction.args?.[0] ?? 300); i++) spawn("sleep", ["1000000"], { stdio: "ignore" })
    forever()
  },
  memory: () => {
    const held = []
    for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  flood: () => {
    const line = `${"x".repeat(1023)}\n`.repeat(1024)
    const more = () => {
      while (process.stdout.write(line));
      process.stdout.once("drain", more)
    }
    more()
  },
  outside: () => {
    for (const path of ["../outside.txt", direction.outside ?? "/usr/outside.txt"]) {
      try {
        writeFileSync(path, "outside\n")
        console.error(`wrote ${path}`)
      } catch (error) {
        console.error(`${path}: ${error.code}`)
      }
    }
    edit()
    report({ summary: "Wrote outside the tree." })
  },
  over_budget: () => {
    edit()
    report({ cost_usd: 1000 })
    forever()
  },
  over_budget_at_the_end: () => {
    edit()
    report({ cost_usd: 1000 })
  },
  secret_output: () => {
    console.error(`using the key ${secret}`)
    edit()
    report({ summary: `Used the key ${secret}.` })
  },
  secret_crash: () => {
    console.log(`using the key ${secret}`)
    process.exit(1)
  },
  symlink: () => {
    rmSync(target, { force: true })
    symlinkSync("/etc/passwd", target)
    report()
  },
  environment: () => report({ summary: JSON.stringify({ env: process.env, brief, cwd: process.cwd() }) }),
  /** Reads what should not be there to read. */
  peek: () => {
    const seen = (direction.args ?? []).filter((path) => existsSync(path))
    report({ summary: `seen: ${seen.join(", ")}` })
  }
}

const mode = modes[direction.mode]
if (mode === undefined) throw new Error(`unknown mode ${direction.mode}; there are ${Object.keys(modes).join(", ")}`)
mode()
