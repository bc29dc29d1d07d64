import type { Store } from '../service-process.ts'
import { walk } from './walk.ts'

/** One walk, by a clock that it moves itself: the service and the provider go by it. */

const [store, vehicles, days] = process.argv.slice(2)

const walked = await walk(store as Store, { vehicles: Number(vehicles), days: Number(days) })
process.send?.(walked, () => process.exit())
