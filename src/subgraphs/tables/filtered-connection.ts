import { Entity } from 'typeorm'
import { JsonColumn, KeyColumn } from '../../storage/sql/columns.ts'
import type { ConnectionFilters } from './visibility.ts'

/** A connection as far as the visibility of its records goes. */
@Entity('connections')
export class FilteredConnection {
  @KeyColumn()
  id: string

  @JsonColumn()
  filters: ConnectionFilters
}
