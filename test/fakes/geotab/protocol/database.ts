import type { EntityStore } from '../stores/entity-store.ts'
import { type EntityKind, EntityStores } from '../fleet/catalogue.ts'
import { Fleet } from '../fleet/fleet.ts'
import type { Switches } from '../switches.ts'
import type { World } from '../../world/truth.ts'

/** Database of one customer. */
export class Database {
  readonly fleet: Fleet
  /** Added to each version of a response. */
  firstVersion = 0
  private readonly stores: EntityStores

  constructor(
    name: string,
    worldNow: () => World,
    switches: Readonly<Switches>,
    /** Limit of the results of a Get, if lower than MyGeotab's. */
    readonly mostFound = Infinity,
  ) {
    this.fleet = new Fleet(name, worldNow, switches)
    this.stores = new EntityStores(this.fleet)
  }

  store(typeName: string, kind: EntityKind): EntityStore {
    return this.stores.of(typeName, kind)
  }

  /** Makes earlier versions unknown, as when a database is restored or moved. */
  restartVersions(): void {
    this.firstVersion += 2 ** 40
  }

  dropStores(): void {
    this.stores.dropStores()
  }
}
