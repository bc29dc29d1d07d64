import { expect, test } from 'vitest'
import { loadJurisdictionLookup } from '../../../src/domain/jurisdictions/jurisdiction-lookup.ts'
import { roads } from '../../fakes/world/roads/roads.ts'

const STEP_METERS = 250
/**
 * Two sources can place a border along a river this far apart. A road that only touches such a border may not
 * match.
 */
const TOLERATED_METERS = 2_000

/** Compares two independent sources: the border crossings of the highways, and the jurisdiction boundaries. */
test('the lookup places every highway of the simulated fleets in the jurisdictions that it crosses', async () => {
  const lookup = await loadJurisdictionLookup()
  for (const road of roads)
    for (let meter = 0; meter < road.lengthMeters; meter += STEP_METERS) {
      const near = road.passages.filter(
        ({ fromMeters, toMeters }) =>
          fromMeters - TOLERATED_METERS <= meter && meter <= toMeters + TOLERATED_METERS,
      )
      expect(near.map(({ jurisdiction }) => jurisdiction)).toContain(
        lookup.jurisdictionOf(road.placeAt(meter)),
      )
    }
})
