import type { Jurisdiction } from '../../../domain/jurisdictions/jurisdiction-lookup.ts'

export interface JurisdictionDistance {
  /** YYYY-MM. */
  readonly month: string
  /** Null for distance without a known jurisdiction: over a gap, or outside the US and Canada. */
  readonly jurisdiction: Jurisdiction | null
  readonly kilometers: number
}

/** Totals in km by month and jurisdiction. */
export class MileageTotals {
  private readonly sums = new Map<string, Map<Jurisdiction | null, number>>()

  add({ month, jurisdiction, kilometers }: JurisdictionDistance): void {
    const monthSums = this.sums.get(month) ?? new Map<Jurisdiction | null, number>()
    this.sums.set(month, monthSums)
    monthSums.set(jurisdiction, (monthSums.get(jurisdiction) ?? 0) + kilometers)
  }

  /** Adds all totals to `target`, multiplied by `scale`, and clears them here. */
  moveTo(target: MileageTotals, scale: number): void {
    for (const distance of this.distances())
      target.add({ ...distance, kilometers: distance.kilometers * scale })
    this.sums.clear()
  }

  distances(): JurisdictionDistance[] {
    return [...this.sums].flatMap(([month, monthSums]) =>
      [...monthSums].map(([jurisdiction, kilometers]) => ({ month, jurisdiction, kilometers })),
    )
  }
}
