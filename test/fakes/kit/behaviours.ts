/** Evidence of a behaviour: verified in a named source (V), inferred from one (I), or without a source (K). */
export type Mark = 'V' | 'I' | 'K'

/**
 * One behaviour of the provider. A behaviour without proof is a switch: the adapter must work with each of its
 * positions.
 */
export interface Behaviour {
  readonly mark: Mark
  readonly does: string
  readonly source: string
  /** Positions of the switch; the first is the default. Verified behaviours have none, unless servers differ. */
  readonly positions?: readonly string[]
}

export type BehaviourTable = Readonly<Record<string, Behaviour>>

export class Switches<L extends BehaviourTable> {
  private readonly chosen = new Map<string, string>()

  constructor(private readonly behaviours: L) {}

  is(behaviour: keyof L & string, position: string): boolean {
    const { positions = [] } = this.behaviours[behaviour] as Behaviour
    if (!positions.includes(position)) throw new Error(`${behaviour} has no position ${position}`)
    return (this.chosen.get(behaviour) ?? positions[0]) === position
  }

  set(positions: Readonly<Record<string, string>>): void {
    for (const [behaviour, position] of Object.entries(positions)) {
      if (!this.behaviours[behaviour]?.positions?.includes(position))
        throw new Error(`${behaviour} cannot be ${position}`)
      this.chosen.set(behaviour, position)
    }
  }

  list(): object {
    return Object.fromEntries(
      Object.entries(this.behaviours).map(([id, behaviour]) => [
        id,
        { ...behaviour, position: this.chosen.get(id) ?? behaviour.positions?.[0] ?? null },
      ]),
    )
  }
}
