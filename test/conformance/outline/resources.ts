import { members, type Part, should } from './part.ts'

const whole = (kind: string) => ({ [`${kind}-closed`]: 'A record has no other members' })

/** Parts 0 to 2: the service and its records. */
export const resources: readonly Part[] = [
  {
    part: '0',
    title: 'Preamble',
    statements: {
      'under-the-version': 'Every path is below /tsp/v1',
      timestamps: 'Timestamps are ISO 8601 date-times',
      'list-shape': 'A list is an object with `results`, an array, and at most `next`, a string',
    },
  },
  {
    part: '1',
    title: 'What the service does',
    statements: {
      'one-interface': 'One normalized interface returns every kind of record that the part names',
      'one-connection': 'A fleet account at a provider has one connection, with a permanent token',
      'automatic-mode': 'In automatic mode the service keeps data current by itself',
      'manual-mode': 'In manual mode syncs run only on request',
      tags: "Tags attach the caller's own identifiers to a connection",
      'link-url': '`linkUrl` is {link_url}/connection/<connection_id>?key=<PUBLISHABLE_KEY>',
    },
    unseen: [
      'The hosted link flow and its parameters: pages for users, not operations under /tsp/v1',
      'Webhooks: see part 6',
      'Fuel cards and the phases of a rollout: advice to callers',
      'The web dashboard: outside this interface',
    ],
  },
  {
    part: '2',
    title: 'Resources and their fields',
    statements: {
      'id-connection': 'Ids of connections are conn_ and a ULID',
      'token-public': 'Public tokens start with pub_tkn_: other texts are malformed',
      'token-connection': 'Connection tokens start with con_tkn_',
      'id-vehicle': 'Ids of vehicles are vcl_ and a ULID',
      'id-driver': 'Ids of drivers are drv_ and a ULID',
      'id-trip': 'Ids of trips are trp_ and a ULID',
      'id-safety-event': 'Ids of safety events are sft_evt_ and a ULID',
      'id-hos-log': 'Ids of HOS logs are hos_log_ and a ULID',
      'id-fault-code-event': 'Ids of fault code events are fc_evt_ and a ULID',
      'id-group': 'Ids of groups are group_ and a ULID',
      'id-device': 'Ids of devices are dvc_ and a ULID',
      'id-agreement': 'Ids of agreements are agr_ and a ULID',
    },
  },
  {
    part: '2.1',
    title: 'Connection',
    statements: {
      ...members(
        'connection',
        'id company account status provider syncMode token options linkUrl agreements createdAt updatedAt externalId sourceId tags lastSync filters',
      ),
      'sync-mode-default': 'The sync mode is automatic by default',
      'provider-code': "`provider.code` is the provider's code in every record and in GET /providers",
      ...members(
        'agreement',
        'id agreementUrl acceptedAt connectionId acceptedBy location ipAddress userAgent',
      ),
    },
  },
  {
    part: '2.2',
    title: 'Vehicle',
    statements: {
      ...members(
        'vehicle',
        'id sourceId provider status metadata vin name make model year groups devices licensePlate fuelType fuelEfficiency fuelTankCapacity createdAt updatedAt raw',
      ),
      'vehicle-metadata-visibility': 'metadata of every vehicle shows whether it is visible',
      'raw-on-request': '`raw` is present only with raw=true',
      ...whole('vehicle'),
    },
  },
  {
    part: '2.3',
    title: 'Driver',
    statements: {
      ...members(
        'driver',
        'id sourceId provider status firstName middleName lastName email phone username license groups createdAt updatedAt metadata raw',
      ),
      ...whole('driver'),
    },
  },
  {
    part: '2.4',
    title: 'Trip',
    statements: {
      ...members(
        'trip',
        'id sourceId driver vehicle provider startedAt endedAt startLocation endLocation distance duration metadata raw',
      ),
      ...whole('trip'),
    },
  },
  {
    part: '2.5',
    title: 'HOS log',
    statements: {
      ...members(
        'hos-log',
        'id sourceId provider status driver startedAt endedAt vehicle codrivers location remarks metadata raw',
      ),
      ...whole('hos-log'),
    },
  },
  {
    part: '2.6',
    title: 'Safety event',
    statements: {
      ...members(
        'safety-event',
        'id sourceId provider type vehicle driver startedAt endedAt startLocation endLocation sourceType metadata stats cameraMedia extensions raw',
      ),
      'type-speeding': 'speeding can be reported',
      'type-harsh-brake': 'harsh_brake can be reported',
      'type-harsh-acceleration': 'harsh_acceleration can be reported',
      'type-harsh-turn': 'harsh_turn can be reported',
      'type-crash': 'crash can be reported',
      ...whole('safety-event'),
    },
  },
  {
    part: '2.7',
    title: 'Fault code event',
    statements: {
      ...members(
        'fault-code-event',
        'protocol id provider vehicle status code observedAt description milStatus metadata raw',
      ),
      ...members('obdii', 'obdii'),
      ...members('j1939', 'j1939'),
      'variants-protocol': '`protocol` distinguishes the two variants, j1939 and obdii',
    },
  },
  {
    part: '2.8',
    title: 'Latest vehicle location',
    statements: {
      ...members(
        'latest-vehicle-location',
        'provider vehicle locatedAt location driver address heading speed odometer fuel engineState engineRuntime raw',
      ),
      'unknown-places-left-out': 'A vehicle without a last known location is omitted',
    },
  },
  {
    part: '2.9',
    title: 'Provider',
    statements: {
      ...members('provider', 'name code status logo icon supportedModels baseCode userGuides references'),
      'base-code-authenticated': '`baseCode` is only visible to authenticated users',
      'all-models': '`supportedModels` has an entry for each of the 18 model names',
      'stat-log-types': should('VehicleStatLog lists the types that the provider supports'),
    },
  },
  {
    part: '2.10',
    title: 'IFTA summary record',
    statements: members('ifta-summary', 'provider vehicle jurisdiction distance month raw'),
  },
  {
    part: '2.11',
    title: 'Gaps in the resource definitions',
    statements: {
      'fuel-of-locations': 'Latest locations have the fuel level in a member `fuel`',
    },
    unseen: ['The parts that start with g1 fill the other gaps'],
  },
]
