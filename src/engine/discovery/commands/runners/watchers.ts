/** `-w /app` is the folder of a container. */
const isAsked = /\s(?:-w(?!\s+[/$"])|--watch)(?:\s|=true|$)/

/** Programs that run a command again at each change, and targets that start one. */
const program =
  /(?:^|[\n;&|])[ \t]{0,4}(?:npx )?(?:cargo(?: \+\S{1,40})? watch|watchexec|nodemon|ptw|pytest-watch|chokidar|onchange|fswatch|reflex|make (?:[\w.]{1,40}-)?watch(?:-[\w.-]{1,40})?)(?=\s|$)/

/** Goes on until it is stopped. */
export const watches = (text: string): boolean => isAsked.test(text) || program.test(text)
