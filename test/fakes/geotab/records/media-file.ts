import type { Ms, SafetyEvent } from '../../world/truth.ts'
import { versionsAt } from '../stores/timed-record-store.ts'
import type { EntityVersion } from '../stores/version-log.ts'
import { SECOND } from '../times.ts'
import { dateTime, deviceId, type Entity, longId, userId, versionText } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'

export const mediaId = ({ number }: SafetyEvent): string => longId('media', number)

/** Whether there is a video of an event. */
export const isFilmed = (fleet: Fleet, { kind, number }: SafetyEvent): boolean =>
  fleet.switches.media === 'events' && (kind === 'crash' || (kind === 'harsh_brake' && number % 2 === 0))

export function mediaVersions(fleet: Fleet, since: Ms, until: Ms): EntityVersion[] {
  const { world } = fleet
  return fleet.vehicleNumbers().flatMap((vehicle) =>
    world
      .safetyEvents(vehicle, world.startsAt, until + 1)
      .filter((event) => isFilmed(fleet, event))
      .flatMap((event) => {
        const toEntity = (version: number) => toMediaFile(event, version)
        return versionsAt([event.arrivedAt], since, until, mediaId(event), toEntity)
      }),
  )
}

const toMediaFile = (event: SafetyEvent, version: number): Entity => ({
  device: event.number % 4 === 0 ? deviceId(event.vehicle) : deviceReference(event.vehicle),
  driver: event.driver === null ? 'UnknownDriverId' : userId(event.driver),
  fromDate: dateTime(event.startedAt - 5 * SECOND),
  id: mediaId(event),
  mediaType: 'Video',
  metaData: {},
  name: `event-${event.number}.mp4`,
  solutionId: longId('solution', 'camera'),
  status: 'Ready',
  tags: [],
  thumbnails: [],
  toDate: dateTime(event.endedAt + 5 * SECOND),
  version: versionText(version),
})
