import type { Party } from '../factories.ts'
import type { PlantedFleets } from './fleets.ts'
import { nesting } from './corpus/nesting.ts'
import { shapes, introspection, operations } from './corpus/shapes.ts'
import { conditions, collidingConditions } from './corpus/conditions.ts'
import { argumentsAndVariables, misfits } from './corpus/variables.ts'
import { pages } from './corpus/pages.ts'
import { nodes, narrowed } from './corpus/nodes.ts'
import { missing } from './corpus/missing.ts'
import { refusals, forbidden, brokenValues } from './corpus/failures.ts'
import type { Case, Cursors, Operation } from './corpus/operation.ts'

/** Asks for what `cursorsIn` reads. */
export const CURSORS = /* GraphQL */ `
  query Cursors($vehicle: ID!) {
    vehicles {
      edges {
        cursor
      }
    }
    trips {
      edges {
        cursor
      }
    }
    syncs {
      edges {
        cursor
      }
    }
    connections {
      edges {
        cursor
      }
    }
    vehicle(id: $vehicle) {
      locations {
        edges {
          cursor
        }
      }
    }
  }
`

interface Edges {
  readonly edges: readonly { readonly cursor: string }[]
}

const cursors = ({ edges }: Edges) => edges.map(({ cursor }) => cursor)

export function cursorsIn(data: unknown): Cursors {
  const { vehicles, trips, syncs, connections, vehicle } = data as Record<keyof Cursors, Edges> & {
    vehicle: { locations: Edges }
  }
  return {
    vehicles: cursors(vehicles),
    trips: cursors(trips),
    syncs: cursors(syncs),
    connections: cursors(connections),
    track: cursors(vehicle.locations),
  }
}

export function corpus(fleets: PlantedFleets, given: Cursors): Operation[] {
  const { a, broken } = fleets
  const by = (party: Party, cases: readonly Case[]): Operation[] =>
    cases.map(([name, text, more]) => ({ party, name, text, ...more }))
  return [
    ...by(a.party, [
      ...nesting(fleets),
      ...shapes(fleets),
      ...conditions(fleets),
      ...collidingConditions(fleets),
      ...argumentsAndVariables(fleets),
      ...pages(fleets, given),
      ...nodes(fleets),
      ...missing(fleets),
      ...refusals(fleets).map(failingAs('BAD_USER_INPUT')),
      ...misfits(fleets).map(failingAs('BAD_USER_INPUT')),
      ...forbidden.map(failingAs('FORBIDDEN')),
      ...introspection,
      ...operations(fleets),
    ]),
    ...by(a.narrowed(0), narrowed(fleets)),
    ...by(broken.party, brokenValues(fleets)),
  ]
}

const failingAs =
  (code: string) =>
  ([name, text, more]: Case): Case => [name, text, { ...more, code }]
