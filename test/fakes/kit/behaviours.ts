/** Verified in a named source (V), inferred from one (I), or general knowledge without a source (K). */
export type Mark = 'V' | 'I' | 'K'

/**
 * One known behaviour of the provider. An unverified behaviour is a switch: the adapter must work with each
 * position.
 */
export interface Behaviour {
  readonly mark: Mark
  readonly does: string
  readonly source: string
  /** Positions; the first is the default. A verified behaviour has none, unless servers differ. */
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

  /** Returns the behaviours with the current position of each switch. */
  list(): object {
    return Object.fromEntries(
      Object.entries(this.behaviours).map(([id, behaviour]) => [
        id,
        { ...behaviour, position: this.chosen.get(id) ?? behaviour.positions?.[0] ?? null },
      ]),
    )
  }
}
