import type { ProviderAdapter } from '../../provider.ts'
import * as drafts from '../mappers/roster.ts'
import * as records from '../schemas/roster.ts'
import { withGroups } from './groups.ts'
import { fullListReader } from './paging/pages.ts'

/** Those that are deactivated are listed with the others. */
export const rosterReaders = {
  Group: fullListReader('/v1/groups', 'group', records.group, drafts.toGroup),
  Driver: fullListReader('/v1/users', 'user', records.driver, drafts.toDriver, withGroups('user'), {
    role: 'driver',
  }),
  Vehicle: fullListReader(
    '/v1/vehicles',
    'vehicle',
    records.vehicle,
    drafts.toVehicle,
    withGroups('vehicle'),
  ),
  Trailer: fullListReader('/v1/assets', 'asset', records.asset, drafts.toTrailer),
  Device: fullListReader('/v1/eld_devices', 'eld_device', records.gateway, drafts.toDevice),
} satisfies ProviderAdapter['readers']
