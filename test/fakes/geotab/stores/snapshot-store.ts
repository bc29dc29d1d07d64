import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../formats.ts'
import { type EntityVersion, VersionLog } from './version-log.ts'

export type ListedEntity = readonly [key: string, toEntity: (version: number) => Entity]

/** Store of records without history. A record that differs from the last update is a new version. */
export class SnapshotStore extends VersionLog {
  private until: Ms = -Infinity
  private lastListing = new Map<string, string>()

  constructor(private readonly list: () => readonly ListedEntity[]) {
    super()
  }

  updateTo(now: Ms): void {
    if (now <= this.until) return
    this.until = now
    const list = this.list()
    const listed = new Map(list.map(([key, toEntity]) => [key, JSON.stringify(toEntity(0))]))
    const changed = list.filter(([key]) => listed.get(key) !== this.lastListing.get(key))
    const gone = [...this.lastListing.keys()].filter((key) => !listed.has(key))
    this.append([
      ...changed.map(([key, toEntity]): EntityVersion => ({ at: now, key, toEntity })),
      ...gone.map((key): EntityVersion => ({ at: now, key, toEntity: null })),
    ])
    this.lastListing = listed
  }
}
