/** A length of time in words, from seconds: `45 s`, `4 min`, `2 h 10 min`. */
export const duration = (seconds: number): string => {
  if (seconds < 1) return "less than 1 s"
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}
