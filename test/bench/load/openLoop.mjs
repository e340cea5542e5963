import { Agent, get } from "node:http"

// Requests at a fixed rate, whatever the server does, in a process of its own: `{ url, streams }` on standard input,
// `streams` a list of `{ name, rate, seconds, paths, keys }` that start together; results on standard output. The time of a
// request counts from the moment it is planned for, so that a server that stalls is charged for all that waited; `late` is
// how long it was without a connection.

let input = ""
for await (const chunk of process.stdin) input += chunk
const { url, streams } = JSON.parse(input)
// As a proxy before the server has: what finds none free waits here, and its time runs.
const agent = new Agent({ keepAlive: true, maxSockets: 512 })
const longest = 15_000

const send = (path, key) =>
  new Promise((resolve) => {
    let sentAt = performance.now()
    const request = get(new URL(path, url), { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume()
      response.once("end", () =>
        resolve({ status: response.statusCode, hasRetryAfter: response.headers["retry-after"] !== undefined, sentAt })
      )
    })
    request.once("socket", () => {
      sentAt = performance.now()
    })
    request.setTimeout(longest, () => request.destroy())
    request.once("error", () => resolve({ status: 0, hasRetryAfter: false, sentAt }))
  })

const start = performance.now()

const perform = ({ name, rate, seconds, paths, keys }) =>
  new Promise((resolve) => {
    const results = []
    const count = Math.round(rate * seconds)
    let sent = 0
    let open = 0
    const timer = setInterval(() => {
      const due = Math.min(count, 1 + Math.floor(((performance.now() - start) / 1000) * rate))
      while (sent < due) {
        const at = (sent / rate) * 1000
        open++
        send(paths[sent % paths.length], keys[sent % keys.length]).then(({ sentAt, ...answer }) => {
          results.push({ at, late: sentAt - start - at, ms: performance.now() - start - at, ...answer })
          open--
          if (open === 0 && sent === count) {
            clearInterval(timer)
            resolve({ name, results })
          }
        })
        sent++
      }
    }, 2)
  })

const all = await Promise.all(streams.map(perform))
process.stdout.write(JSON.stringify(all))
agent.destroy()
