import type { Jurisdiction } from '../jurisdictions/jurisdiction-lookup.ts'

export interface JurisdictionDistance {
  /** YYYY-MM. */
  readonly month: string
  /** Null is distance that was driven, but nobody knows where: over a gap, or abroad. */
  readonly jurisdiction: Jurisdiction | null
  readonly kilometers: number
}

/** Sums of kilometers by month and jurisdiction. */
export class MileageTotals {
  private readonly sums = new Map<string, Map<Jurisdiction | null, number>>()

  add({ month, jurisdiction, kilometers }: JurisdictionDistance): void {
    const ofMonth = this.sums.get(month) ?? new Map<Jurisdiction | null, number>()
    this.sums.set(month, ofMonth)
    ofMonth.set(jurisdiction, (ofMonth.get(jurisdiction) ?? 0) + kilometers)
  }

  /** Moves every sum to another ledger, scaled. */
  moveTo(other: MileageTotals, scale: number): void {
    for (const distance of this.distances())
      other.add({ ...distance, kilometers: distance.kilometers * scale })
    this.sums.clear()
  }

  distances(): JurisdictionDistance[] {
    return [...this.sums].flatMap(([month, ofMonth]) =>
      [...ofMonth].map(([jurisdiction, kilometers]) => ({ month, jurisdiction, kilometers })),
    )
  }
}
