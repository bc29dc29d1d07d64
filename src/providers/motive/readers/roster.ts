import type { ProviderAdapter } from '../../provider.ts'
import * as mappers from '../mappers/roster.ts'
import * as records from '../schemas/roster.ts'
import { withGroups } from './groups.ts'
import { fullListReader } from './paging/pages.ts'

/** Readers of full lists. Motive's lists include deactivated records. */
export const rosterReaders = {
  Group: fullListReader('/v1/groups', 'group', records.group, mappers.toGroup),
  Driver: fullListReader('/v1/users', 'user', records.driver, mappers.toDriver, withGroups('user'), {
    role: 'driver',
  }),
  Vehicle: fullListReader(
    '/v1/vehicles',
    'vehicle',
    records.vehicle,
    mappers.toVehicle,
    withGroups('vehicle'),
  ),
  Trailer: fullListReader('/v1/assets', 'asset', records.asset, mappers.toTrailer),
  Device: fullListReader('/v1/eld_devices', 'eld_device', records.gateway, mappers.toDevice),
} satisfies ProviderAdapter['readers']
