/** Currencies whose smallest unit at Stripe is the major unit. ISK and UGX have two decimals there, unlike in ISO 4217. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const WITH_THREE_DECIMALS: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** Converts an amount in the smallest unit of a currency, as Stripe counts, to the major unit. */
export function fromMinorUnits(
  amount: number,
  currency: string,
): { readonly value: number; readonly currency: string } {
  const code = currency.toUpperCase()
  if (WITHOUT_DECIMALS.has(code)) return { value: amount, currency: code }
  return { value: amount / (WITH_THREE_DECIMALS.has(code) ? 1000 : 100), currency: code }
}
