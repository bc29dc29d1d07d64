import { rounded } from '../../world/road-network/geometry.ts'
import { motionAt, positionAfter } from '../../world/motion.ts'
import { between, dice } from '../../world/random.ts'
import type { VehicleRoute } from '../../world/vehicle-route.ts'

/** Data of a map service for some events: the road and the weather. */
export interface Enrichment {
  here: {
    speedLimitMph: number
    truckSpeedLimitMph: number
    speedLimitSource: 'posted' | 'derived'
    roadName: string
    linkAttributes: Record<string, string>
    weather: Record<string, string | number> | null
  }
}

/** Attributes that all motorways share. */
const MOTORWAY = {
  vehicleTypes: 'AUTOMOBILES,BUSES,TAXIS,CARPOOLS,TRUCKS,DELIVERIES,EMERGENCY_VEHICLES,MOTORCYCLES',
  transportVerified: 'true',
  functionalClass: '1',
  controlledAccess: 'true',
  limitedAccessRoad: 'true',
  isBoatFerry: 'false',
  isRailFerry: 'false',
  isMultiDigitized: 'true',
  isDivided: 'true',
  isDividerLegal: 'false',
  isFrontage: 'false',
  isPaved: 'true',
  isRamp: 'false',
  isPrivate: 'false',
  hasPoiAccess: 'false',
  intersectionCategory: 'NONE',
  coverageIndicator: 'FULL',
  lowMobility: 'NO',
  hasPublicAccess: 'true',
  routeTypes: 'LEVEL_1',
}

const PROVINCES = new Set(['BC', 'AB', 'SK', 'MB', 'ON', 'QC'])

const enrichedDice = dice('enrichment of a safety event')
const weatherDice = dice('weather at a safety event')

/**
 * Returns the enrichment of an event. Three events in ten have an enrichment. Three in four enrichments include
 * the weather.
 */
export function enrichmentOf(
  route: VehicleRoute,
  eventNumber: number,
  timeMs: number,
  speedLimitMph: number | null,
): Enrichment | null {
  const { fleet, vehicle, corridor } = route
  const chance = enrichedDice(fleet.seed, vehicle, eventNumber)
  if (chance >= 0.3 || speedLimitMph === null) return null
  const { lat, lng, heading, nearest } = positionAfter(route, motionAt(route, timeMs).miles)
  const isUrban = chance < 0.08
  return {
    here: {
      speedLimitMph,
      truckSpeedLimitMph: Math.max(5, speedLimitMph - 5),
      speedLimitSource: chance < 0.2 ? 'posted' : 'derived',
      roadName: corridor.name,
      linkAttributes: {
        countryCode: PROVINCES.has(nearest.state) ? 'CAN' : 'USA',
        ...MOTORWAY,
        isUrban: String(isUrban),
        travelDirection: heading < 180 ? 'FROM_REFERENCE_NODE' : 'TO_REFERENCE_NODE',
        speedCategory: speedLimitMph > 65 ? '2' : '3',
        laneCategory: isUrban ? '3' : '2',
      },
      weather: chance < 0.225 ? weatherAt(route, eventNumber, lat, lng) : null,
    },
  }
}

function weatherAt({ fleet, vehicle }: VehicleRoute, eventNumber: number, lat: number, lng: number) {
  const chance = (part: number) => weatherDice(fleet.seed, vehicle, eventNumber * 8 + part)
  const temperature = rounded(between(-8, 33, chance(0)), 1)
  const humidity = Math.round(between(25, 98, chance(1)))
  const wet = chance(2) < 0.25
  return {
    latitude: rounded(lat, 2),
    longitude: rounded(lng, 2),
    temperature,
    dewPoint: rounded(temperature - (100 - humidity) / 5, 1),
    humidity,
    pressure: rounded(between(995, 1035, chance(3)), 1),
    windSpeed: rounded(between(0, 14, chance(4)), 1),
    windDirection: Math.floor(360 * chance(5)),
    locationId: `wx-${Math.round(lat * 4)}-${Math.round(-lng * 4)}`,
    precipitationType: wet ? (temperature < 0 ? 'snow' : 'rain') : 'none',
    intensityOfPrecipitation: wet ? rounded(between(0.02, 0.8, chance(6)), 2) : 0,
    visibility: rounded(wet ? between(2, 9, chance(7)) : 16, 1),
  }
}
