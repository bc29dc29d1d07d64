interface FuelAndAmount {
  readonly amount: { readonly value: number }
  readonly fuel?: { readonly liters?: number | null; readonly unitPrice?: number | null } | null
}

/** Returns the liters of a purchase: as the caller gives them, or the amount divided by the price. Null if unknown. */
export const litersOf = ({ amount, fuel }: FuelAndAmount): number | null =>
  fuel?.liters ?? (fuel?.unitPrice ? amount.value / fuel.unitPrice : null)
