import type { Store } from '../support/service-process.ts'
import { walk } from './walk.ts'

/** Runs one walk and moves its clock, which the service and the provider share. */

const [store, vehicles, days] = process.argv.slice(2)

const result = await walk(store as Store, { vehicles: Number(vehicles), days: Number(days) })
process.send?.(result, () => process.exit())
