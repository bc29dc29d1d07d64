import type { z } from 'zod'
import { modelNames, type ModelName } from '../../models.ts'
import { toIso } from '../../time.ts'
import { ProviderError, type ProviderApi, providerApi } from '../api.ts'
import { safetyEventTypes } from '../drafts.ts'
import type {
  Manifest,
  ModelSupport,
  ProviderAdapter,
  ReaderState,
  ReadPage,
  Reader,
  Window,
} from '../provider.ts'
import * as toDraft from './drafts.ts'
import * as records from './records.ts'

const supported: Partial<Record<ModelName, Omit<ModelSupport, 'read'>>> = {
  Group: {},
  Vehicle: {},
  Driver: {},
  Device: {},
  Trip: {},
  LatestVehicleLocation: {},
  VehicleLocation: { sampleRate: '30 seconds', availableHistory: 'since 2024' },
  SafetyEvent: { types: safetyEventTypes },
}

const supportOf = (model: ModelName): ModelSupport => {
  const support = supported[model]
  return support ? { read: 'supported', ...support } : { read: 'not_supported' }
}

/** Drawn by us, and in itself an address: nobody has to serve it. */
const picture = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="#c98a2b"/><path d="M8 32c8-14 24 6 32-12" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"/></svg>',
)}`

export const manifest: Manifest = {
  code: 'sandbox',
  name: 'Sandbox',
  status: 'sandbox',
  logo: picture,
  icon: picture,
  supportedModels: Object.fromEntries(modelNames.map((model) => [model, supportOf(model)])) as Record<
    ModelName,
    ModelSupport
  >,
  references: [],
}

const PAGE = 500

/** The simulated provider that comes with the service; it is read over HTTP like any other. */
export function sandboxAdapter(baseUrl: string): ProviderAdapter {
  return {
    manifest,
    api: ({ apiKey = '' }, signal) =>
      providerApi({ baseUrl, headers: { authorization: `Bearer ${apiKey}` }, signal }),
    async identify(api) {
      const { id, name, usdotNumbers, user } = checked(records.account, await api.get('/account'))
      const { id: sourceId, ...person } = user
      return { sourceId: id, name, dotNumbers: usdotNumbers, user: { sourceId, ...person } }
    },
    readers: {
      Group: roster('/groups', 'group', records.group, toDraft.toGroup),
      Driver: roster('/drivers', 'driver', records.driver, toDraft.toDriver),
      Vehicle: roster('/vehicles', 'vehicle', records.vehicle, toDraft.toVehicle),
      Device: roster('/devices', 'device', records.device, toDraft.toDevice),
      Trip: during('/trips', 'trip', records.trip, toDraft.toTrip),
      SafetyEvent: during('/safety-events', 'safety_event', records.safetyEvent, toDraft.toSafetyEvent),
      VehicleLocation: during('/locations/history', 'location', records.crumb, toDraft.toLocation),
    },
    latestLocations: roster('/locations', 'location', records.latest, toDraft.toLatestLocation),
  }
}

/** A list of everything there is. */
const roster = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
): Reader<Draft> => ({
  mode: 'full',
  schema,
  read: (api, state) => readPage(api, path, state, {}),
  toDraft: (record) => toDraft(checked(shape, record)),
})

/** A list of what happened in a time. */
const during = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
): Reader<Draft> => ({
  mode: 'window',
  schema,
  read: (api, state, { from, to }: Window) =>
    readPage(api, path, state, { since: toIso(from), until: toIso(to) }),
  toDraft: (record) => toDraft(checked(shape, record)),
})

async function readPage(
  api: ProviderApi,
  path: string,
  state: ReaderState,
  query: Readonly<Record<string, string>>,
): Promise<ReadPage> {
  const before = typeof state?.['cursor'] === 'string' ? state['cursor'] : null
  const { data, cursor } = checked(
    records.pageOfRecords,
    await api.get(path, { ...query, limit: PAGE, cursor: before }),
  )
  if (cursor !== null && cursor === before) throw new ProviderError('malformed', `${path} repeats its cursor`)
  return { records: data, next: cursor === null ? null : { cursor } }
}

function checked<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const result = shape.safeParse(value)
  if (!result.success) throw new ProviderError('malformed', result.error.issues.map(told).join('; '))
  return result.data
}

const told = ({ path, message }: { path: PropertyKey[]; message: string }) => `${path.join('.')}: ${message}`
