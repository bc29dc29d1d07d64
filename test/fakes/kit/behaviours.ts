/** Verified in a named source, inferred from one, or known in general and checked nowhere. */
export type Mark = 'V' | 'I' | 'K'

/** One line of the evidence ledger. What is not verified is a switch: a reader must bear each of its positions. */
export interface Behaviour {
  readonly mark: Mark
  readonly does: string
  readonly source: string
  /** The first is how it is at the start. A verified behaviour has no positions, unless servers differ. */
  readonly positions?: readonly string[]
}

export type Ledger = Readonly<Record<string, Behaviour>>

export class Switches<L extends Ledger> {
  private readonly chosen = new Map<string, string>()

  constructor(private readonly ledger: L) {}

  is(behaviour: keyof L & string, position: string): boolean {
    const { positions = [] } = this.ledger[behaviour] as Behaviour
    if (!positions.includes(position)) throw new Error(`${behaviour} has no position ${position}`)
    return (this.chosen.get(behaviour) ?? positions[0]) === position
  }

  set(positions: Readonly<Record<string, string>>): void {
    for (const [behaviour, position] of Object.entries(positions)) {
      if (!this.ledger[behaviour]?.positions?.includes(position))
        throw new Error(`${behaviour} cannot be ${position}`)
      this.chosen.set(behaviour, position)
    }
  }

  /** The ledger with where each switch stands. */
  list(): object {
    return Object.fromEntries(
      Object.entries(this.ledger).map(([id, behaviour]) => [
        id,
        { ...behaviour, position: this.chosen.get(id) ?? behaviour.positions?.[0] ?? null },
      ]),
    )
  }
}
