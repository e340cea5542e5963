const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" })

/** The date of an instant, such as `22 Dec 2026`. */
export const day = (instant: string | Date): string => format.format(new Date(instant))
