import type { ProviderAdapter } from '../../provider.ts'
import * as drafts from '../drafts/roster.ts'
import * as records from '../records/roster.ts'
import { withGroups } from './groups.ts'
import { full } from './pages.ts'

/** Those that are deactivated are listed with the others. */
export const rosters = {
  Group: full('/v1/groups', 'group', records.group, drafts.toGroup),
  Driver: full('/v1/users', 'user', records.driver, drafts.toDriver, withGroups('user'), { role: 'driver' }),
  Vehicle: full('/v1/vehicles', 'vehicle', records.vehicle, drafts.toVehicle, withGroups('vehicle')),
  Trailer: full('/v1/assets', 'asset', records.asset, drafts.toTrailer),
  Device: full('/v1/eld_devices', 'eld_device', records.gateway, drafts.toDevice),
} satisfies ProviderAdapter['readers']
