import type { Shelf } from '../ledger/shelf.ts'
import { type Kind, Knowledge } from '../records/catalogue.ts'
import { Fleet } from '../records/fleet.ts'
import type { Switches } from '../switches.ts'
import type { World } from '../../world/truth.ts'

/** One customer's. */
export class Database {
  readonly fleet: Fleet
  /** What is added to the versions that are told. */
  firstVersion = 0
  private readonly knowledge: Knowledge

  constructor(
    name: string,
    worldNow: () => World,
    switches: Readonly<Switches>,
    /** So many are found at most of what happens, where that is less than MyGeotab's limit. */
    readonly mostFound = Infinity,
  ) {
    this.fleet = new Fleet(name, worldNow, switches)
    this.knowledge = new Knowledge(this.fleet)
  }

  shelf(typeName: string, kind: Kind): Shelf {
    return this.knowledge.of(typeName, kind)
  }

  /** As when it is restored or moves: versions that callers have are not known any more. */
  beginAnew(): void {
    this.firstVersion += 2 ** 40
  }

  forget(): void {
    this.knowledge.forget()
  }
}
