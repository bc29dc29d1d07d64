import { may, members, type Part } from './part.ts'

/** Gaps of the specification: records and operations that it names but does not show. */
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
      'trailer-closed': 'A record has no other members',
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
      'device-closed': 'A record has no other members',
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
      value: 'Each type has its own value member, in its unit',
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
      'vehicle-utilization-closed': 'A record has no other members',
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
      creates: may('POST /connections creates a connection from credentials: 201 and the connection'),
      'refuses-unknown-provider': may('An unknown provider is refused by name'),
    },
  },
  {
    part: 'g3.2',
    title: 'Change and delete the current connection',
    statements: {
      'patch-answers-connection': 'PATCH returns 200 with the full connection',
      'patch-tags': 'PATCH replaces the whole list of tags',
      'patch-external-id': 'PATCH changes externalId',
      'patch-company': 'PATCH changes company',
      'patch-sync-mode': 'PATCH changes syncMode',
      'patch-filters': 'PATCH changes filters, at once',
      'filters-include-decides': 'A non-empty includeIds alone decides',
      'filters-status-then-exclude': 'Else status keeps, then excludeIds drops',
      delete: 'DELETE answers 202 with the connection and a message; it is pending_deletion',
      'delete-cancelled': 'PATCH of the status cancels the deletion within the grace period',
    },
  },
  {
    part: 'g3.3',
    title: 'Syncs',
    statements: {
      request: 'POST /syncs returns 201 with a sync',
      conflict: 'POST /syncs while one runs gets status 409',
      'days-and-start': 'POST /syncs takes startFrom or days',
      get: 'GET /syncs/{id} gives the sync, 404 for one that does not exist',
      status: 'GET /syncs filters by status, newest first',
      'expand-issues': '`expand=issues` shows whole issues',
      'retry-not-failed': 'A retry of a sync that has not failed gets status 422',
      'cancel-not-running': 'A cancellation of a sync that does not run gets status 422',
      cancel: 'A cancellation returns {id, message}; the sync has failed and can be retried',
    },
  },
  {
    part: 'g3.4',
    title: 'Other operations',
    statements: {
      operation: 'The operation responds',
      modified: '`modifiedAfter` and `modifiedBefore` limit the time of modification',
      deleted: '`deleted` is false by default, and true adds deleted records',
      hidden: '`hidden` is false by default, and true adds hidden records',
      expand: '`expand` takes each combination in any order',
      raw: '`raw` adds the raw responses',
      dates: '`startDate` and `endDate` are inclusive',
      between: '`startAt` and `endAt` limit the time of the series',
      'driver-ids': '`driverIds` returns the records of those drivers',
      'vehicle-ids': '`vehicleIds` returns the records of those vehicles',
      types: '`types` gives the logs of those types',
      'all-stat-types': 'All twelve types of stat logs are supported',
      'unknown-id': 'An unknown id gets status 404',
      'resolve-issue': 'POST /issues/{id}/resolve resolves an issue and returns it',
    },
  },
  {
    part: 'g3.7',
    title: 'Passthrough',
    statements: {
      envelope: 'POST /passthrough returns {method, path, statusCode, headers, response}',
      'provider-errors-inside': "The envelope contains the provider's errors, with status 200",
      raw: "POST /passthrough/raw returns the provider's bytes with its status and content type",
      'raw-errors': 'POST /passthrough/raw returns the envelope with 200 if the provider refuses',
    },
  },
]
