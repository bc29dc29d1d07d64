import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../formats.ts'
import { FIRST_VERSION, type Search, type EntityStore } from './entity-store.ts'

/** A new record at the provider, or a change of one. */
export interface EntityVersion {
  readonly at: Ms
  readonly key: string
  /** Null if the record was removed. */
  readonly toEntity: ((version: number) => Entity) | null
  readonly searchFields?: SearchFields
}

/** Fields by which a search can skip a version without computing the entity. */
export interface SearchFields {
  readonly device?: string
  readonly user?: string
  readonly at?: Ms
}

/** Versions of records in order. The last one of each key is current. */
export class VersionLog implements EntityStore {
  private readonly versions: EntityVersion[] = []
  private readonly indexOfNewest = new Map<string, number>()

  append(versions: readonly EntityVersion[]): void {
    for (const version of versions.toSorted((one, other) => one.at - other.at)) {
      this.indexOfNewest.set(version.key, this.versions.length)
      this.versions.push(version)
    }
  }

  get head(): number {
    return FIRST_VERSION + this.versions.length - 1
  }

  before(at: Ms): number {
    const index = this.versions.findIndex((version) => version.at >= at)
    return index === -1 ? this.head : FIRST_VERSION + index - 1
  }

  *after(version: number) {
    for (let index = Math.max(0, version + 1 - FIRST_VERSION); index < this.versions.length; index++) {
      const { key, toEntity } = this.versions[index] as EntityVersion
      if (toEntity === null || this.indexOfNewest.get(key) !== index) continue
      yield { version: FIRST_VERSION + index, entity: toEntity(FIRST_VERSION + index) }
    }
  }

  *all(search: Search): Iterable<Entity> {
    for (let index = 0; index < this.versions.length; index++) {
      const { key, toEntity, searchFields } = this.versions[index] as EntityVersion
      if (toEntity !== null && mayBeFound(searchFields, search) && this.indexOfNewest.get(key) === index)
        yield toEntity(FIRST_VERSION + index)
    }
  }
}

function mayBeFound({ device, user, at }: SearchFields = {}, search: Search): boolean {
  const { from = -Infinity, to = Infinity } = search
  return (
    (device === undefined || search.device === undefined || device === search.device) &&
    (user === undefined || search.user === undefined || user === search.user) &&
    (at === undefined || (from <= at && at <= to))
  )
}
