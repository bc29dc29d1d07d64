import type { EntityStore } from '../ledger/entity-store.ts'
import { type Kind, Knowledge } from '../fleet/catalogue.ts'
import { Fleet } from '../fleet/fleet.ts'
import type { Switches } from '../switches.ts'
import type { World } from '../../world/truth.ts'

/** Database of one customer. */
export class Database {
  readonly fleet: Fleet
  /** Offset of the reported versions. */
  firstVersion = 0
  private readonly knowledge: Knowledge

  constructor(
    name: string,
    worldNow: () => World,
    switches: Readonly<Switches>,
    /** Limit of a Get's results, if below MyGeotab's. */
    readonly mostFound = Infinity,
  ) {
    this.fleet = new Fleet(name, worldNow, switches)
    this.knowledge = new Knowledge(this.fleet)
  }

  shelf(typeName: string, kind: Kind): EntityStore {
    return this.knowledge.of(typeName, kind)
  }

  /** Starts versions again, as after a restore or a move: callers' versions become unknown. */
  beginAnew(): void {
    this.firstVersion += 2 ** 40
  }

  forget(): void {
    this.knowledge.forget()
  }
}
