const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 })
const share = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 0 })

/** A number as people read it, for example `12,500` or `3.5`. */
export const figure = (value: number): string => format.format(value)

/** A share of 1, for example `12%`. */
export const percent = (value: number): string => share.format(value)

/** A number with its noun, for example `1 step` or `5 steps`. */
export const counted = (count: number, noun: string): string => `${figure(count)} ${noun}${count === 1 ? "" : "s"}`
