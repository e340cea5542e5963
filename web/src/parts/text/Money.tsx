const whole = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })

export const dollars = (amount: number): string =>
  amount > 0 && amount < 0.01 ? "less than $0.01" : whole.format(amount)

/** An amount in US dollars. */
export const Money = ({ amount }: { readonly amount: number }) => <span className="num">{dollars(amount)}</span>
