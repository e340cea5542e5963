/** Names of columns that hold an amount of money, and none of those that only sound like it. */
const money =
  /(?:^|_)(?:price|prices|amount|balance|salary|fee|fees|revenue|payment|money|subtotal|wage|wages|refund|deposit|debit|credit|invoice_total|order_total|grand_total|total_(?:price|amount|cost|paid)|unit_cost|discount_amount|tax_amount)(?:_(?:usd|eur|gbp|net|gross|due|paid|total))?$/
const other =
  /rate|percent|ratio|score|weight|factor|threshold|index|change|volatil|energy|water|(?:extra|partial)_credit|credit_hours/

export const isMoney = (name: string): boolean => {
  const plain = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase()
  return plain.length < 60 && money.test(plain) && !other.test(plain)
}

export const moneyMessage = (name: string, type: string): string =>
  `\`${name}\` is \`${type}\`, which cannot hold amounts like 0.10 exactly.`
