import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Transaction } from '../../../storage/database.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  NumberColumn,
} from '../../../storage/sql/columns.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Merchant } from '../merchant.ts'
import { brandKeyOf, matchKeyOf } from '../sites/match-key.ts'
import { learntFrom, type Sighting, withSighting } from './sightings.ts'

/** Where vehicles of a connection filled up at a merchant, and what that shows. */
@Entity('sighted_merchants')
@Indexes(['connectionId', 'id'], ['modifiedAt'])
export class SightedMerchant {
  /** Key of the merchant, by its store number or by its brand. */
  @KeyColumn()
  id: string

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @JsonColumn()
  sightings: readonly Sighting[]

  @NumberColumn()
  sightingCount: number

  /** Null if the sightings do not show one place. */
  @NumberColumn({ nullable: true })
  longitude: number | null

  @NumberColumn({ nullable: true })
  latitude: number | null

  @NumberColumn()
  isAddressWrong: number

  @InstantColumn()
  modifiedAt: Instant
}

const table = tableOf(SightedMerchant)

type Owner = Pick<SightedMerchant, 'applicationId' | 'connectionId' | 'modifiedAt'>

/** Adds a sighting to those of a merchant and of its brand. */
export async function recordSighting(
  tx: Transaction,
  { name, address }: Merchant,
  owner: Owner,
  sighting: Sighting,
): Promise<void> {
  const ids = [matchKeyOf, brandKeyOf]
    .map((keyOf) => keyOf(owner.connectionId, { ...address, name }))
    .filter((id) => id !== null)
  if (ids.length === 0) return
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`sighted_merchants\` WHERE \`id\` IN (${placeholders(ids.length)})
      AND \`applicationId\` = ?${forUpdate(tx.dialect)}`,
    [...ids, owner.applicationId],
  )
  const before = new Map(rows.map((row) => [row['id'], table.toRow(row).sightings]))
  await tx.upsert(
    table,
    ids.map((id) => withSightings({ ...owner, id }, withSighting(before.get(id) ?? [], sighting))),
  )
}

function withSightings(
  owner: Owner & Pick<SightedMerchant, 'id'>,
  sightings: readonly Sighting[],
): SightedMerchant {
  const { point, isAddressWrong } = learntFrom(sightings)
  return {
    ...owner,
    sightings,
    sightingCount: sightings.length,
    longitude: point && point.longitude,
    latitude: point && point.latitude,
    isAddressWrong: Number(isAddressWrong),
  }
}
