import { expect, test } from 'vitest'
import { loadJurisdictionLookup } from '../../../src/sync/ifta/jurisdictions/jurisdiction-lookup.ts'
import { roads } from '../../fakes/world/roads.ts'

const STEP_METERS = 250
/** Borders along rivers lie as far apart in two sources; where a road only brushes one, they would not agree at all. */
const TOLERATED_METERS = 2_000

/** Two tables that know nothing of each other: where highways cross borders, and what our atlas holds. */
test('the atlas puts every highway of the simulated fleets into the jurisdictions that it runs through', async () => {
  const atlas = await loadJurisdictionLookup()
  for (const road of roads)
    for (let meter = 0; meter < road.lengthMeters; meter += STEP_METERS) {
      const near = road.passages.filter(
        ({ fromMeters, toMeters }) =>
          fromMeters - TOLERATED_METERS <= meter && meter <= toMeters + TOLERATED_METERS,
      )
      expect(near.map(({ jurisdiction }) => jurisdiction)).toContain(
        atlas.jurisdictionOf(road.placeAt(meter)),
      )
    }
})
