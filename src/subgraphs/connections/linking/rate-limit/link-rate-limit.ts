import { Entity } from 'typeorm'
import { Indexes, InstantColumn, KeyColumn, NumberColumn } from '../../../../storage/sql/columns.ts'
import type { Instant } from '../../../../domain/time.ts'

/** How often somebody has begun link runs, or tried sign-ins, in a minute; nobody by name. */
@Entity('link_turns')
@Indexes(['endsAt'])
export class LinkRateLimit {
  /** The hash of what is done, and of the address that it comes from or the key that it is done with. */
  @KeyColumn()
  id: string

  @NumberColumn()
  used: number

  /** When the minute is over; what has been used counts no longer. */
  @InstantColumn()
  endsAt: Instant
}
