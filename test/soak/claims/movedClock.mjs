// Preloaded with `node --import`: moves the time of day that the JavaScript of this process reads, by
// TEST_CLOCK_OFFSET milliseconds. SIGUSR2 moves it as far to the other side, as when someone sets the clock of a
// machine. Timers, the monotonic clock and the clocks of other processes, PostgreSQL among them, stay as they are.

const RealDate = globalThis.Date
let offset = Number(process.env.TEST_CLOCK_OFFSET)

const moved = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [moved()] : args, newTarget),
  apply: () => new RealDate(moved()).toString(),
  get: (target, name) => (name === "now" ? moved : Reflect.get(target, name))
})

process.on("SIGUSR2", () => {
  offset = -offset
})
