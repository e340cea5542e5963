import autocannon from "autocannon"

// One load, in a process of its own: `{ url, seconds, connections, paths, keys }` on standard input, numbers on standard output.

let input = ""
for await (const chunk of process.stdin) input += chunk
const { url, seconds, connections, paths, keys } = JSON.parse(input)

// Every connection is a client of its own, with two keys.
let client = 0
const requestsOf = (own) =>
  paths.map((path, i) => ({
    method: "GET",
    path,
    headers: { authorization: `Bearer ${own[i % own.length]}` }
  }))
const setupClient = (connection) => {
  const own = [keys[client % keys.length], keys[(client + connections) % keys.length]]
  client++
  connection.setRequests(requestsOf(own))
}
const result = await autocannon({ url, connections, duration: seconds, setupClient })
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
