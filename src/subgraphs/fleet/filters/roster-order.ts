import { registerEnumType } from 'type-graphql'
import { invalidArgument } from '../../../domain/errors.ts'
import { filtersByModified, type ModifiedArgs } from '../../schema/list-args.ts'

// Orders of lists. Each has an index, so a page costs the same anywhere in the list.

export enum VehicleOrder {
  ID = 'id',
  MODIFIED = 'modified',
}

export enum DriverOrder {
  ID = 'id',
  MODIFIED = 'modified',
}

const valuesConfig = {
  ID: { description: 'By id, which is the order in which Odograph first stored the records.' },
  MODIFIED: {
    description: 'By `metadata.modifiedAt`, the oldest change first. `last` reads the newest changes.',
  },
}

registerEnumType(VehicleOrder, { name: 'VehicleOrder', description: 'An order of vehicles.', valuesConfig })
registerEnumType(DriverOrder, { name: 'DriverOrder', description: 'An order of drivers.', valuesConfig })

/** Arguments of a list that may have an order. */
export interface OrderedArgs extends ModifiedArgs {
  readonly orderBy?: `${VehicleOrder}` | `${DriverOrder}` | null
}

/** Whether a list has the order of `modifiedAt`. Throws if the arguments contradict each other. */
export function ordersByModified(args: OrderedArgs): boolean {
  if (!filtersByModified(args)) return args.orderBy === 'modified'
  if (args.orderBy !== 'id') return true
  throw invalidArgument(
    'orderBy',
    'With `modifiedAfter` or `modifiedBefore`, the order can only be `MODIFIED`.',
  )
}
