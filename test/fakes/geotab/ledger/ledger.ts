import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../words.ts'
import { FIRST_VERSION, type Search, type Shelf } from './shelf.ts'

/** The provider comes to know something, or more about something that it knew. */
export interface Emission {
  readonly at: Ms
  readonly key: string
  /** Null once it is no longer there. */
  readonly toEntity: ((version: number) => Entity) | null
}

/** Keeps emissions in order; of each key the last one counts. */
export class Ledger implements Shelf {
  private readonly emissions: Emission[] = []
  private readonly newest = new Map<string, number>()

  append(emissions: readonly Emission[]): void {
    for (const emission of emissions.toSorted((one, other) => one.at - other.at)) {
      this.newest.set(emission.key, this.emissions.length)
      this.emissions.push(emission)
    }
  }

  get head(): number {
    return FIRST_VERSION + this.emissions.length - 1
  }

  before(at: Ms): number {
    const index = this.emissions.findIndex((emission) => emission.at >= at)
    return index === -1 ? this.head : FIRST_VERSION + index - 1
  }

  *after(version: number) {
    for (let index = Math.max(0, version + 1 - FIRST_VERSION); index < this.emissions.length; index++) {
      const { key, toEntity } = this.emissions[index] as Emission
      if (toEntity === null || this.newest.get(key) !== index) continue
      yield { version: FIRST_VERSION + index, entity: toEntity(FIRST_VERSION + index) }
    }
  }

  *all(_search: Search): Iterable<Entity> {
    for (const { entity } of this.after(0)) yield entity
  }
}
