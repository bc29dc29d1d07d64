import type { ApiClient } from '../factories.ts'
import type { SeededFleets } from './fleets.ts'
import { nesting } from './corpus/nesting.ts'
import { shapes, introspection, operations } from './corpus/shapes.ts'
import { conditions, collidingConditions } from './corpus/conditions.ts'
import { argumentsAndVariables, argumentTypeErrors } from './corpus/variables.ts'
import { pages, pagesOfMeasurements } from './corpus/pages.ts'
import { records } from './corpus/records.ts'
import { interfaces } from './corpus/interfaces.ts'
import { series } from './corpus/series.ts'
import { sums } from './corpus/aggregates.ts'
import { filtered, filteredConnection } from './corpus/filtered.ts'
import { nodes, narrowed } from './corpus/nodes.ts'
import { missing } from './corpus/missing.ts'
import { refusals, forbidden, brokenMeasurements, brokenValues } from './corpus/failures.ts'
import type { Case, Cursors, Operation } from './corpus/operation.ts'

/** Query for the cursors that `cursorsIn` reads. */
export const CURSORS = /* GraphQL */ `
  query Cursors($vehicle: ID!, $trip: ID!) {
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
    hosLogs {
      edges {
        cursor
      }
    }
    faultCodeEvents {
      edges {
        cursor
      }
    }
    vehicleUtilization {
      edges {
        cursor
      }
    }
    iftaSummary(startMonth: "2025-12", endMonth: "2026-02") {
      edges {
        cursor
      }
    }
    trip(id: $trip) {
      path {
        edges {
          cursor
        }
      }
    }
    vehicle(id: $vehicle) {
      track: locations {
        edges {
          cursor
        }
      }
      stats {
        edges {
          cursor
        }
      }
      someStats: stats(types: [ODOMETER, ENGINE_STATE]) {
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

export function cursorsIn(data: unknown): Cursors {
  const { vehicle, trip, ...lists } = data as Record<'vehicle' | 'trip', Record<string, Edges>>
  const all = { ...lists, ...vehicle, ...trip } as unknown as Record<keyof Cursors, Edges>
  return Object.fromEntries(
    Object.entries(all).map(([name, { edges }]) => [name, edges.map(({ cursor }) => cursor)]),
  ) as unknown as Cursors
}

export function corpus(fleets: SeededFleets, given: Cursors): Operation[] {
  const { a, broken } = fleets
  const by = (client: ApiClient, cases: readonly Case[]): Operation[] =>
    cases.map(([name, text, more]) => ({ client, name, text, ...more }))
  return [
    ...by(a.client, [
      ...nesting(fleets),
      ...shapes(fleets),
      ...conditions(fleets),
      ...collidingConditions(fleets),
      ...argumentsAndVariables(fleets),
      ...pages(fleets, given),
      ...pagesOfMeasurements(fleets, given),
      ...records(fleets),
      ...interfaces(fleets),
      ...series(fleets),
      ...sums(fleets),
      ...filtered(fleets),
      ...nodes(fleets),
      ...missing(fleets),
      ...refusals(fleets, given).map(failingAs('BAD_USER_INPUT')),
      ...argumentTypeErrors(fleets).map(failingAs('BAD_USER_INPUT')),
      ...forbidden.map(failingAs('FORBIDDEN')),
      ...introspection,
      ...operations(fleets),
    ]),
    ...by(a.narrowed(0), narrowed(fleets)),
    ...by(a.narrowed(1), filteredConnection),
    ...by(broken.client, [...brokenValues(fleets), ...brokenMeasurements(fleets)]),
  ]
}

const failingAs =
  (code: string) =>
  ([name, text, more]: Case): Case => [name, text, { ...more, code }]
