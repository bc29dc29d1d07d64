import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'

/** A faulty mapping that a test can correct. */
export interface Mistake {
  isMended: boolean
  /** Vehicles that the list omits. */
  hidden: readonly string[]
}

type Mapping = (normalized: never, record: never) => object

/** Faults: unconverted units, a lost value, and unreadable records. */
const mistakes: Readonly<Record<string, Mapping>> = {
  Vehicle: (normalized: object, { fuelTankGallons }: { fuelTankGallons: number }) => ({
    ...normalized,
    fuelTankCapacityLiters: fuelTankGallons,
  }),
  Driver: (normalized: { sourceId: string }) => {
    if (isOdd(normalized.sourceId)) throw new Error('a driver with an odd number')
    return normalized
  },
  Trip: (normalized: object, { distanceMiles }: { distanceMiles: number }) => {
    if (distanceMiles > MAX_MILES) throw new Error('a trip that is too long')
    return { ...normalized, distanceKilometers: distanceMiles }
  },
  SafetyEvent: (normalized: object) => ({ ...normalized, type: 'harsh_turn' }),
  VehicleLocation: (normalized: object, { speedMph }: { speedMph: number }) => ({
    ...normalized,
    speedKph: speedMph,
  }),
  VehicleStatLog: (normalized: { type: string }, { value }: { value: number | null }) => {
    if (normalized.type === 'battery_voltage') throw new Error('no volts')
    return normalized.type === 'odometer' ? { ...normalized, value } : normalized
  },
  LatestVehicleLocation: (normalized: object, { odometerMiles }: { odometerMiles: number }) => ({
    ...normalized,
    odometerKilometers: odometerMiles,
  }),
}

const MAX_MILES = 5
const isOdd = (sourceId: string): boolean => /[13579]$/.test(sourceId)

/** Returns the adapter with the faulty mapping until it is corrected. */
export function mistaken(adapter: ProviderAdapter, mistake: Mistake): ProviderAdapter {
  const wrapped = (readers: object) =>
    Object.fromEntries(
      Object.entries(readers as Record<string, Reader<object>>).map(([model, reader]) => [
        model,
        { ...reader, ...readWith(model, reader, mistake) },
      ]),
    )
  return { ...adapter, readers: wrapped(adapter.readers), latest: wrapped(adapter.latest) }
}

const readWith = (
  model: string,
  reader: Reader<object>,
  mistake: Mistake,
): Pick<Reader<object>, 'read' | 'normalize'> => ({
  async read(...requested) {
    const page = await reader.read(...requested)
    const isShown = (record: unknown) => !mistake.hidden.includes((record as { id: string }).id)
    return model === 'Vehicle' ? { ...page, records: page.records.filter(isShown) } : page
  },
  normalize(record, asOf) {
    const normalized = reader.normalize(record, asOf)
    const wrong = mistake.isMended ? undefined : mistakes[model]
    return wrong ? wrong(normalized as never, record as never) : normalized
  },
})
