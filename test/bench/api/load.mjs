import autocannon from "autocannon"

// One load, in a process of its own: `{ url, seconds, amount, connections, requests, keys, rejection }` on standard input, numbers
// on standard output. `amount`: so many requests, however long they take. `rejection`: a text that only an error response holds.
// Without `keys` each request has its own, and connections share them out.

let input = ""
for await (const chunk of process.stdin) input += chunk
const { url, seconds, amount, connections, requests, keys, rejection } = JSON.parse(input)

// Every connection is a client of its own, with two keys or more and its share of the requests: what each has is prepared
// within the time that is measured.
let client = 0
const requestsOf = (own, first) =>
  Array.from({ length: Math.max(Math.ceil(requests.length / connections), own.length) }, (_, i) => {
    const { headers, ...request } = requests[(first + i * connections) % requests.length]
    return { ...request, headers: { ...headers, authorization: `Bearer ${own[i % own.length]}` } }
  })
const setupClient = (connection) => {
  if (keys === undefined) {
    const own = client++
    return connection.setRequests(requests.filter((_, i) => i % connections === own))
  }
  const rest = keys.filter((_, i) => i >= connections && i % connections === client)
  const own = [keys[client % keys.length], ...(rest.length > 0 ? rest : [keys[(client + connections) % keys.length]])]
  connection.setRequests(requestsOf(own, client++))
}
const verifyBody = rejection === undefined ? undefined : (body) => !String(body).includes(rejection)
const extent = amount === undefined ? { duration: seconds } : { amount }
const result = await autocannon({ url, connections, ...extent, setupClient, verifyBody })
process.stdout.write(
  JSON.stringify({
    ok: result["2xx"],
    failed: result.non2xx + result.errors + result.mismatches,
    statuses: { ...result.statusCodeStats, errors: result.errors, mismatches: result.mismatches },
    rps: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    bytes: Math.round(result.throughput.total / Math.max(1, result["2xx"]))
  })
)
