import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../formats.ts'
import { FIRST_VERSION, type Search, type EntityStore } from './entity-store.ts'

/** A new record at the provider, or a new version of a known one. */
export interface Emission {
  readonly at: Ms
  readonly key: string
  /** Null after its removal. */
  readonly toEntity: ((version: number) => Entity) | null
  readonly about?: About
}

/** Owner and time, if they are known without the entity. */
export interface About {
  readonly device?: string
  readonly user?: string
  readonly at?: Ms
}

/** An ordered list of emissions; the last one of each key counts. */
export class Ledger implements EntityStore {
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

  *all(search: Search): Iterable<Entity> {
    for (let index = 0; index < this.emissions.length; index++) {
      const { key, toEntity, about } = this.emissions[index] as Emission
      if (toEntity !== null && mayBeFound(about, search) && this.newest.get(key) === index)
        yield toEntity(FIRST_VERSION + index)
    }
  }
}

function mayBeFound({ device, user, at }: About = {}, search: Search): boolean {
  const { from = -Infinity, to = Infinity } = search
  return (
    (device === undefined || search.device === undefined || device === search.device) &&
    (user === undefined || search.user === undefined || user === search.user) &&
    (at === undefined || (from <= at && at <= to))
  )
}
