import autocannon from "autocannon"

// One load, in a process of its own: `{ url, seconds, connections, paths, keys }` on standard input, numbers on standard output.

let input = ""
for await (const chunk of process.stdin) input += chunk
const { url, seconds, connections, paths, keys } = JSON.parse(input)

const requests = keys.map((key, i) => ({
  method: "GET",
  path: paths[i % paths.length],
  headers: { authorization: `Bearer ${key}` }
}))
const result = await autocannon({ url, connections, duration: seconds, requests })
process.stdout.write(
  JSON.stringify({
    ok: result["2xx"],
    failed: result.non2xx + result.errors,
    rps: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    bytes: Math.round(result.throughput.total / Math.max(1, result["2xx"]))
  })
)
