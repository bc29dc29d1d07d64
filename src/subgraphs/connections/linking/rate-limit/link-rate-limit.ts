import { Entity } from 'typeorm'
import { Indexes, InstantColumn, KeyColumn, NumberColumn } from '../../../../storage/sql/columns.ts'
import type { Instant } from '../../../../domain/time.ts'

/** Rate limit counter of the link pages for one minute. The id is a hash, so the table contains no IP addresses. */
@Entity('link_turns')
@Indexes(['endsAt'])
export class LinkRateLimit {
  /** Hash of the action, and of the IP network or the id of the key or short link. */
  @KeyColumn()
  id: string

  @NumberColumn()
  used: number

  /** End of the minute, after which the counter starts again. */
  @InstantColumn()
  endsAt: Instant
}
