export const number = (n) => Math.round(n).toLocaleString("en")

/** A figure beside what it is to be. */
export const againstAim = (figure, aim, unit, digits = 1) =>
  `${figure.toFixed(digits)} ${unit} (aim ${aim} ${unit}: ${figure <= aim ? "met" : "missed"})`

export const row = (name, lines, { seconds, cpu, memory }, note = "") =>
  console.log(
    `${name.padEnd(34)} ${number(lines).padStart(9)} lines ${seconds.toFixed(2).padStart(7)} s ${number(lines / seconds).padStart(8)} lines/s ` +
      `${cpu.toFixed(2).padStart(7)} CPU s ${number(lines / cpu).padStart(8)} lines/CPU s ${number(memory).padStart(5)} MB  ${note}`
  )
