import { Entity } from 'typeorm'
import type { Owner } from '../../domain/models/define-model.ts'
import { JsonColumn, KeyColumn } from '../../storage/sql/columns.ts'

/** Kinds of records that the filters of a connection can hide. */
export const filteredKinds = ['vehicles', 'drivers'] as const

export type FilteredKind = (typeof filteredKinds)[number]

/** Owners of records that filters can hide. A connection stores no records of hidden vehicles or drivers. */
export const filteredOwners: Partial<Readonly<Record<Owner, FilteredKind>>> = {
  vehicle: 'vehicles',
  driver: 'drivers',
}

export interface RecordFilter {
  readonly status?: 'active' | 'inactive' | null
  readonly includeIds?: readonly string[] | null
  readonly excludeIds?: readonly string[] | null
}

export type ConnectionFilters = Readonly<Partial<Record<FilteredKind, RecordFilter | null>>>

/** Columns of a connection that decide the visibility of its records. */
@Entity('connections')
export class FilteredConnection {
  @KeyColumn()
  id: string

  @JsonColumn()
  filters: ConnectionFilters
}
