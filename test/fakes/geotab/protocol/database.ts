import type { Shelf } from '../ledger/shelf.ts'
import { type Kind, Knowledge } from '../records/catalogue.ts'
import { Fleet } from '../records/fleet.ts'
import type { Switches } from '../switches.ts'
import type { World } from '../../world/truth.ts'

/** One customer's. */
export class Database {
  readonly fleet: Fleet
  private readonly knowledge: Knowledge

  constructor(name: string, worldNow: () => World, switches: Readonly<Switches>) {
    this.fleet = new Fleet(name, worldNow, switches)
    this.knowledge = new Knowledge(this.fleet)
  }

  shelf(typeName: string, kind: Kind): Shelf {
    return this.knowledge.of(typeName, kind)
  }

  forget(): void {
    this.knowledge.forget()
  }
}
