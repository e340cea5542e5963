/**
 * What a sample says of the share behind it: Beta(right, others), where an author's estimate counts as some readings.
 * A rule of which few were read has a wide distribution, so its quartile is far below its mean.
 */

const STEPS = 200
const ENOUGH = 1e-12
/** Where a factor of the fraction would be zero. */
const TINY = 1e-300

/** Nine terms of Lanczos: fifteen digits. */
const coefficients = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7
] as const

const logGamma = (x: number): number => {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const z = x - 1
  const t = z + coefficients.length - 0.5
  const sum = coefficients.reduce((total, c, i) => total + c / (z + i + 1), 0.99999999999980993)
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}

const away = (x: number): number => (Math.abs(x) < TINY ? TINY : x)

/** Lentz's continued fraction of the incomplete beta function. */
const fraction = (x: number, a: number, b: number): number => {
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < ENOUGH) break
  }
  return value
}

/** How probable it is that the share is below x, after so much was right and so much was not; both above 0. */
export const probabilityBelow = (x: number, right: number, others: number): number => {
  const front = Math.exp(
    logGamma(right + others) - logGamma(right) - logGamma(others) + right * Math.log(x) + others * Math.log(1 - x)
  )
  return x < (right + 1) / (right + others + 2)
    ? (front * fraction(x, right, others)) / right
    : 1 - (front * fraction(1 - x, others, right)) / others
}
