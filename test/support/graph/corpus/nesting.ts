import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

export const nesting = ({ a }: SeededFleets): Case[] => {
  const [first] = a.connections
  const vehicle = first!.vehicles[0]!.id
  return [
    [
      'connections of records',
      '{ vehicles(first: 4) { nodes { connection { id status vehicles(first: 1) { nodes { connection { company { name } } } } } latestLocation { connection { externalId } } stats(first: 1) { nodes { connection { status } } } } } trips(first: 3) { nodes { connection { status } safetyEvents { nodes { connection { id } } } } } hosLogs(first: 1) { nodes { connection { status } } } faultCodeEvents(first: 1) { nodes { connection { status } } } }',
    ],
    ['two subgraphs', '{ vehicles { nodes { id name latestLocation { speed locatedAt } } } }'],
    [
      'three subgraphs',
      `{ vehicles(first: 4) { nodes { name status latestLocation { location { latitude longitude } driver { firstName } }
         trips(first: 2) { nodes { distance driver { lastName status } } } } } }`,
    ],
    [
      'four subgraphs',
      `{ connections { nodes { id token vehicles(first: 2) { nodes { name latestLocation { engineState }
         trips(first: 1) { nodes { startedAt vehicle { make groups { name parent { name } } } } } } } } } }`,
    ],
    [
      'five subgraphs, from the log',
      `{ events(first: 30) { nodes { type timestamp detail connection { provider { name status } lastSync { status } }
         subject { __typename id ... on Vehicle { name latestLocation { speed } safetyEvents { nodes { type } } }
           ... on Trip { distance vehicle { name latestLocation { heading } } }
           ... on Driver { firstName trips { nodes { id } } } ... on Group { name parent { name } }
           ... on Device { serialNumber vehicle { vin } } ... on SafetyEvent { kind: type stats { maximumSpeed } }
           ... on Sync { progress connection { syncMode } } ... on Connection { state: status company { name } } } } } }`,
    ],
    [
      'a vehicle with everything',
      `query ($id: ID!) { vehicle(id: $id) { id sourceId provider status vin name make model year
         licensePlate { state number } fuelType fuelEfficiency fuelTankCapacity createdAt updatedAt
         metadata { addedAt modifiedAt deletedAt visibility } groups { id name description }
         devices { id type description serialNumber lastConnectedAt } raw { provider schema extractedAt data }
         latestLocation { provider location { longitude latitude } address { formatted } heading speed locatedAt odometer
           fuel { primaryPercentage secondaryPercentage } engineState engineRuntime }
         locations { nodes { id speed locatedAt metadata { modifiedAt } driver { firstName } } } } }`,
      { variables: { id: vehicle } },
    ],
    [
      'round and round',
      '{ trips(first: 3) { nodes { vehicle { trips(first: 1) { nodes { vehicle { trips(first: 1) { nodes { id vehicle { name } } } } } } } } } }',
    ],
    [
      'drivers with all of theirs',
      '{ drivers(deleted: true) { nodes { firstName license { state number } phone groups { name } trips { nodes { id vehicle { name } } } safetyEvents { nodes { type vehicle { vin } } } raw { data } metadata { visibility } } } }',
    ],
    [
      'safety events',
      '{ safetyEvents { nodes { type sourceType startedAt endedAt startLocation { latitude } stats { maximumSpeed gForceForwardBackward heading } vehicle { name } driver { email } raw { schema } metadata { modifiedAt } } } }',
    ],
    [
      'devices with their vehicles',
      '{ devices { nodes { type vehicle { name groups { name } latestLocation { speed } } } } }',
    ],
    [
      'groups and their parents',
      '{ groups(deleted: true) { nodes { name metadata { deletedAt } parent { name parent { id name parent { name } } } } } }',
    ],
    [
      'groups and their members',
      '{ groups(deleted: true) { nodes { name children { totalCount nodes { name } } vehicles(first: 2) { totalCount nodes { name groups { name } latestLocation { speed } } pageInfo { hasNextPage endCursor } } drivers(hidden: true) { nodes { firstName } } trailers { nodes { name } } } } vehicles { nodes { groups { id vehicles(first: 1) { nodes { id } } } } } }',
    ],
    [
      'trips with their safety events',
      '{ trips(first: 6) { nodes { id safetyEvents(first: 1) { totalCount nodes { type vehicle { name } driver { firstName } } pageInfo { hasNextPage endCursor } } } } events { nodes { subject { ... on Trip { safetyEvents { nodes { id } } } } } } }',
    ],
    [
      'latest locations with their vehicles',
      '{ vehicleLocations { nodes { vehicle { name trips(first: 1) { nodes { distance } } } driver { firstName trips(first: 1) { nodes { id } } } fuel { primaryPercentage } engineState } } }',
    ],
    [
      'syncs with their connections',
      '{ syncs { nodes { status progress attempts startFrom completedAt failureReason connection { id status vehicles(first: 1) { nodes { name } } } } } }',
    ],
    [
      'connections with their syncs, issues and times',
      '{ connections { nodes { lastSuccessfulSyncAt disconnectedAt deletionScheduledAt syncs(first: 2) { totalCount nodes { id status connection { id status } } pageInfo { hasNextPage endCursor } } issues(status: ONGOING) { nodes { id error { code } } } } } }',
    ],
    [
      'a connection with everything',
      '{ connections { nodes { id status syncMode company { name dotNumbers } account { name dotNumbers user { sourceId firstName lastName email } } options tags filters sourceId externalId createdAt updatedAt provider { code baseCode } linkUrl agreements { id agreementUrl acceptedAt acceptedBy { firstName } location ipAddress } lastSync { id status connection { id } } drivers { nodes { firstName } } groups { nodes { name } } devices { nodes { type vehicle { name } } } } } }',
    ],
    [
      'providers',
      '{ providers { code name status isLinkable logo icon models { name read types sampleRate availableHistory } references { type url label } } provider(code: "sandbox") { name isLinkable } listed: provider(code: "verizon") { name status isLinkable } none: provider(code: "nobody") { name } }',
    ],
    [
      'lists of lists of entities',
      '{ connections { nodes { vehicles { nodes { groups { name } devices { vehicle { groups { id } } } trips { nodes { driver { groups { name } } } } } } } } }',
    ],
  ]
}
