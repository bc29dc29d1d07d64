import { may, members, type Part } from './part.ts'

/** What fills the gaps of the specification: records and operations that it names but does not show. */
export const operations: readonly Part[] = [
  {
    part: 'g1.2',
    title: 'Sync',
    statements: members(
      'sync',
      'id status requestedAt completedAt failureReason progress issues startFrom attempts',
    ),
  },
  {
    part: 'g1.3',
    title: 'Trailer',
    statements: {
      ...members(
        'trailer',
        'id status sourceId provider metadata name vin serialNumber make model year groups licensePlate createdAt updatedAt raw',
      ),
      'trailer-closed': 'A record has no members besides these',
      ...members('latest-trailer-location', 'provider trailer locatedAt location address heading speed raw'),
    },
  },
  {
    part: 'g1.4',
    title: 'Group',
    statements: members(
      'group',
      'id sourceId provider metadata name description parent createdAt updatedAt raw',
    ),
  },
  {
    part: 'g1.5',
    title: 'Device',
    statements: {
      ...members(
        'device',
        'id type sourceId provider metadata vehicle description serialNumber lastConnectedAt createdAt updatedAt raw',
      ),
      'device-closed': 'A record has no members besides these',
    },
  },
  {
    part: 'g1.6',
    title: 'HOS daily log and available time',
    statements: {
      ...members('hos-daily-log', 'id sourceId provider driver date statusDurations distances metadata raw'),
      ...members('hos-available-time', 'provider driver availableTime currentStatus raw'),
    },
  },
  {
    part: 'g1.7',
    title: 'Vehicle stat log',
    statements: {
      ...members('vehicle-stat-log', 'id type provider timestamp vehicle metadata sourceId raw'),
      value: 'Each type has its one value, in its unit',
    },
  },
  {
    part: 'g1.8',
    title: 'Vehicle location of the history',
    statements: members(
      'vehicle-location',
      'id provider vehicle locatedAt location metadata sourceId driver address heading speed raw',
    ),
  },
  {
    part: 'g1.9',
    title: 'Camera media',
    statements: members('camera-media', 'frontFacing rearFacing'),
  },
  {
    part: 'g1.10',
    title: 'Utilization',
    statements: {
      ...members('vehicle-utilization', 'provider vehicle startAt endAt distance fuelConsumed durations raw'),
      'vehicle-utilization-closed': 'A record has no members besides these',
    },
  },
  {
    part: 'g1.12',
    title: 'Raw data',
    statements: members('raw-data', 'provider schema extractedAt data'),
  },
  {
    part: 'g1.14',
    title: 'Issue',
    statements: members('issue', 'id status connection error firstReportedAt lastReportedAt'),
  },
  {
    part: 'g3.1',
    title: 'Create a connection',
    statements: {
      creates: may('POST /connections makes a connection of credentials: 201 and the connection'),
      'refuses-unknown-provider': may('A provider that does not exist is refused, naming it'),
    },
  },
  {
    part: 'g3.2',
    title: 'Change and delete the current connection',
    statements: {
      'patch-answers-connection': 'PATCH answers 200 with the full connection',
      'patch-tags': 'PATCH replaces the whole list of tags',
      'patch-external-id': 'PATCH changes externalId',
      'patch-company': 'PATCH changes company',
      'patch-sync-mode': 'PATCH changes syncMode',
      'patch-filters': 'PATCH changes filters, at once',
      'filters-include-decides': 'includeIds alone decides where it is not empty',
      'filters-status-then-exclude': 'Else status keeps, then excludeIds drops',
      delete: 'DELETE answers 202 with the connection and a message; it is pending_deletion',
      'delete-cancelled': 'PATCH of the status within the grace period cancels the deletion',
    },
  },
  {
    part: 'g3.3',
    title: 'Syncs',
    statements: {
      request: 'POST /syncs answers 201 with a sync',
      conflict: 'POST /syncs while one runs answers 409',
      'days-and-start': 'POST /syncs takes startFrom or days',
      get: 'GET /syncs/{id} gives the sync, 404 for one that does not exist',
      status: 'GET /syncs gives those with a status, newest first',
      'expand-issues': '`expand=issues` shows whole issues',
      'retry-not-failed': 'A sync that has not failed is not retried: 422',
      'cancel-not-running': 'A sync that does not run is not cancelled: 422',
      cancel: 'A sync that is cancelled answers {id, message} and has failed; it can be retried',
    },
  },
  {
    part: 'g3.4',
    title: 'Other operations',
    statements: {
      operation: 'The operation answers',
      modified: '`modifiedAfter` and `modifiedBefore` bound the time of modification',
      deleted: '`deleted` is false unless told, and true adds the deleted ones',
      hidden: '`hidden` is false unless told, and true adds the hidden ones',
      expand: '`expand` takes each combination in any order',
      raw: '`raw` adds the raw responses',
      dates: '`startDate` and `endDate` are included on both ends',
      between: '`startAt` and `endAt` bound the time of the series',
      'driver-ids': '`driverIds` gives what belongs to those drivers',
      'vehicle-ids': '`vehicleIds` gives what belongs to those vehicles',
      types: '`types` gives the logs of those types',
      'all-stat-types': 'All twelve types of stat logs can be reported',
      'unknown-id': 'An id that nobody has is answered 404',
      'resolve-issue': 'POST /issues/{id}/resolve resolves an issue and answers it',
    },
  },
  {
    part: 'g3.7',
    title: 'Passthrough',
    statements: {
      envelope: 'POST /passthrough answers {method, path, statusCode, headers, response}',
      'provider-errors-inside': "The provider's errors are inside the envelope, with 200 around it",
      raw: "POST /passthrough/raw answers the provider's bytes with its status and content type",
      'raw-errors': 'POST /passthrough/raw answers the envelope with 200 where the provider refuses',
    },
  },
]
