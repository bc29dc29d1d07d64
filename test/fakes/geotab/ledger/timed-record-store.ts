import type { Ms } from '../../world/truth.ts'
import { type About, type Emission, Ledger } from './ledger.ts'

/** Returns what became known after `since` and not after `until`. */
export type Happenings = (since: Ms, until: Ms) => readonly Emission[]

export class TimedRecordStore extends Ledger {
  private until: Ms = -Infinity

  constructor(private readonly timedRecords: Happenings) {
    super()
  }

  bringTo(now: Ms): void {
    if (now <= this.until) return
    this.append(this.timedRecords(this.until, now))
    this.until = now
  }
}

/** Returns one emission at each time within the period. */
export function emissionsAt(
  moments: readonly Ms[],
  since: Ms,
  until: Ms,
  key: string,
  toEntity: Emission['toEntity'],
  about: About = {},
): Emission[] {
  return [...new Set(moments)]
    .filter((at) => since < at && at <= until)
    .map((at) => ({ at, key, toEntity, about }))
}
