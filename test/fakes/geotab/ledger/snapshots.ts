import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../formats.ts'
import { type Emission, Ledger } from './ledger.ts'

export type Listed = readonly [key: string, toEntity: (version: number) => Entity]

/** Records without a history: a difference from the last listing counts as a new arrival. */
export class SnapshotShelf extends Ledger {
  private until: Ms = -Infinity
  private known = new Map<string, string>()

  constructor(private readonly list: () => readonly Listed[]) {
    super()
  }

  bringTo(now: Ms): void {
    if (now <= this.until) return
    this.until = now
    const list = this.list()
    const listed = new Map(list.map(([key, toEntity]) => [key, JSON.stringify(toEntity(0))]))
    const changed = list.filter(([key]) => listed.get(key) !== this.known.get(key))
    const gone = [...this.known.keys()].filter((key) => !listed.has(key))
    this.append([
      ...changed.map(([key, toEntity]): Emission => ({ at: now, key, toEntity })),
      ...gone.map((key): Emission => ({ at: now, key, toEntity: null })),
    ])
    this.known = listed
  }
}
