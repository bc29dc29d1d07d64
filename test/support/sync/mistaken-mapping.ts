import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'

/** A faulty mapping that a test can correct. */
export interface Mistake {
  isMended: boolean
  /** Vehicles that the list omits. */
  hidden: readonly string[]
}

type Mapping = (draft: never, record: never) => object

/** Faults: unconverted units, a lost value, and unreadable records. */
const mistakes: Readonly<Record<string, Mapping>> = {
  Vehicle: (draft: object, { fuelTankGallons }: { fuelTankGallons: number }) => ({
    ...draft,
    fuelTankCapacityLiters: fuelTankGallons,
  }),
  Driver: (draft: { sourceId: string }) => {
    if (isOdd(draft.sourceId)) throw new Error('a driver with an odd number')
    return draft
  },
  Trip: (draft: object, { distanceMiles }: { distanceMiles: number }) => {
    if (distanceMiles > MAX_MILES) throw new Error('a trip that is too long')
    return { ...draft, distanceKilometers: distanceMiles }
  },
  SafetyEvent: (draft: object) => ({ ...draft, type: 'harsh_turn' }),
  VehicleLocation: (draft: object, { speedMph }: { speedMph: number }) => ({ ...draft, speedKph: speedMph }),
  VehicleStatLog: (draft: { type: string }, { value }: { value: number | null }) => {
    if (draft.type === 'battery_voltage') throw new Error('no volts')
    return draft.type === 'odometer' ? { ...draft, value } : draft
  },
  LatestVehicleLocation: (draft: object, { odometerMiles }: { odometerMiles: number }) => ({
    ...draft,
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
    const draft = reader.normalize(record, asOf)
    const wrong = mistake.isMended ? undefined : mistakes[model]
    return wrong ? wrong(draft as never, record as never) : draft
  },
})
