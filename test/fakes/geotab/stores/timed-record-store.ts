import type { Ms } from '../../world/truth.ts'
import { type SearchFields, type EntityVersion, VersionLog } from './version-log.ts'

/** Returns the versions that arrived after `since` and until `until`. */
export type VersionsBetween = (since: Ms, until: Ms) => readonly EntityVersion[]

export class TimedRecordStore extends VersionLog {
  private until: Ms = -Infinity

  constructor(private readonly versionsBetween: VersionsBetween) {
    super()
  }

  updateTo(now: Ms): void {
    if (now <= this.until) return
    this.append(this.versionsBetween(this.until, now))
    this.until = now
  }
}

/** Returns a version for each of the times that is in the period. */
export function versionsAt(
  moments: readonly Ms[],
  since: Ms,
  until: Ms,
  key: string,
  toEntity: EntityVersion['toEntity'],
  searchFields: SearchFields = {},
): EntityVersion[] {
  return [...new Set(moments)]
    .filter((at) => since < at && at <= until)
    .map((at) => ({ at, key, toEntity, searchFields }))
}
