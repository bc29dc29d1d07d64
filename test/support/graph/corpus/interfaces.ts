import { unknownId } from '../../factories.ts'
import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

const J1939 = 'j1939 { spn spnDescription fmi fmiDescription occurrenceCount sourceAddress }'
const OBDII = 'obdii { code description }'
const KINDS = `... on J1939FaultCodeEvent { ${J1939} } ... on ObdiiFaultCodeEvent { ${OBDII} }`
const FAULT = `__typename id sourceId provider status protocol code description observedAt milStatus metadata { addedAt modifiedAt } raw { provider schema extractedAt data }`
const VALUES = `... on EngineStateStatLog { state } ... on OdometerStatLog { odometer } ... on TotalFuelConsumptionStatLog { fuelConsumed }
  ... on FuelLevelStatLog { fuelPercentage } ... on EngineRuntimeStatLog { duration } ... on EngineRpmStatLog { rpm }
  ... on EngineOilPercentageStatLog { oil: percentage } ... on EngineOilPressureStatLog { pressure } ... on EngineOilTemperatureStatLog { oilTemperature: temperature }
  ... on EngineCoolantTemperatureStatLog { temperature } ... on CoolantPercentageStatLog { percentage } ... on BatteryVoltageStatLog { voltage }`
const STAT =
  '__typename id type provider sourceId timestamp metadata { modifiedAt } raw { provider schema data }'

/** Fault codes and measurements: interfaces with one type for each kind. */
export const interfaces = ({ a, b }: SeededFleets): Case[] => [...faults(a, b), ...measurements(a)]

const faults = (a: SeededFleets['a'], b: SeededFleets['b']): Case[] => {
  const { faultCodeEvents, vehicles, hosLogs } = a.connections[0]!
  const ids = [
    ...faultCodeEvents.map(({ id }) => id),
    vehicles[0]!.id,
    unknownId('faultCodeEvent'),
    b.connections[0]!.faultCodeEvents[0]!.id,
    hosLogs[0]!.id,
  ]
  const [heavy, light, , , lost] = faultCodeEvents
  const variables = { heavy: heavy!.id, light: light!.id }
  return [
    [
      'faults with everything',
      `{ faultCodeEvents { totalCount nodes { ${FAULT} vehicle { id name latestLocation { speed } } ${KINDS} } } }`,
    ],
    ['faults by their common fields', '{ faultCodeEvents { nodes { code status } } }'],
    [
      'faults of one protocol',
      `{ faultCodeEvents { edges { cursor node { ... on J1939FaultCodeEvent { id ${J1939} vehicle { make } } } } } }`,
    ],
    ['the types of faults', '{ faultCodeEvents { nodes { __typename } } }'],
    [
      'named fragments on the interface and its types',
      `fragment F on FaultCodeEvent { ...N code vehicle { ...V } ...J ... on ObdiiFaultCodeEvent { ${OBDII} } } fragment J on J1939FaultCodeEvent { ${J1939} } fragment N on Node { __typename id }
       fragment V on Vehicle { name faultCodeEvents(last: 1) { nodes { ... on FaultCodeEvent { code } ...J } } } { faultCodeEvents { nodes { ...F } } }`,
    ],
    [
      'one alias for fields of several types',
      `{ faultCodeEvents { nodes { ... on J1939FaultCodeEvent { words: description parts: j1939 { n: fmi } } ... on ObdiiFaultCodeEvent { words: description } } } }`,
    ],
    [
      'a fault by its id',
      `query ($heavy: ID!, $light: ID!) { one: faultCodeEvent(id: $heavy) { ${FAULT} ${KINDS} vehicle { name } } two: faultCodeEvent(id: $light) { ${FAULT} ${KINDS} } none: faultCodeEvent(id: "${unknownId('faultCodeEvent')}") { id } }`,
      { variables },
    ],
    [
      'node of each kind of fault',
      `query ($heavy: ID!, $light: ID!) { one: node(id: $heavy) { id ...F } two: node(id: $light) { id ...F ... on Vehicle { name } } } fragment F on FaultCodeEvent { code vehicle { name } ${KINDS} }`,
      { variables },
    ],
    [
      'nodes that are faults',
      `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on FaultCodeEvent { code milStatus raw { data } ${KINDS} } ... on Vehicle { name } } }`,
      { variables: { ids } },
    ],
    [
      'nodes that are faults, by their types',
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ${KINDS} } }`,
      { variables: { ids } },
    ],
    [
      'nodes that are faults, by id alone',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on FaultCodeEvent { id } ... on Vehicle { __typename } } }',
      { variables: { ids } },
    ],
    [
      'the vehicle of a fault is missing',
      `query ($id: ID!) { node(id: $id) { ... on FaultCodeEvent { vehicle { name status } } } one: faultCodeEvent(id: $id) { vehicle { id } } }`,
      { variables: { id: lost!.id } },
    ],
    [
      'faults of vehicles',
      `{ vehicles(hidden: true) { nodes { name faultCodeEvents(first: 1) { totalCount edges { cursor node { code ${KINDS} vehicle { id name } } } pageInfo { hasNextPage endCursor } } } } }`,
    ],
    [
      'filters of faults',
      `query ($ids: [ID!], $from: DateTime) { faultCodeEvents(vehicleIds: $ids, startAt: $from, endAt: "2026-01-31T12:00:00Z") { nodes { code } } byChange: faultCodeEvents(modifiedAfter: "2026-01-31T00:00:00Z") { nodes { code } } }`,
      { variables: { ids: [vehicles[0]!.id], from: '2026-01-30T12:00:00Z' } },
    ],
    ...[true, false].map((yes): Case => [
      `conditions on the types of faults: ${yes}`,
      `query ($yes: Boolean!) { faultCodeEvents { nodes { id code @include(if: $yes) ... on J1939FaultCodeEvent @include(if: $yes) { j1939 { spn } } ... on ObdiiFaultCodeEvent @skip(if: $yes) { obdii { code @skip(if: $yes) description } vehicle { name } } } } }`,
      { variables: { yes } },
    ]),
  ]
}

const measurements = (a: SeededFleets['a']): Case[] => {
  const id = a.connections[0]!.vehicles[0]!.id
  const one = (selection: string, given = '') =>
    `query ($id: ID!${given}) { vehicle(id: $id) { name ${selection} } }`
  const variables = { id }
  return [
    [
      'every type of measurement',
      one(`stats { totalCount nodes { ${STAT} vehicle { id } ${VALUES} } }`),
      { variables },
    ],
    [
      'every type of measurement by its cursor',
      one(
        `stats(first: 4) { edges { cursor node { ${STAT} ${VALUES} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`,
      ),
      { variables },
    ],
    [
      'measurements by their common fields',
      '{ vehicles { nodes { stats { totalCount nodes { id type timestamp } } } } }',
    ],
    [
      'some types',
      one(`stats(types: [ODOMETER, ENGINE_STATE]) { totalCount nodes { type timestamp ${VALUES} } }`),
      { variables },
    ],
    [
      'types as a variable',
      one(
        `stats(types: $types, first: 2) { totalCount nodes { type ${VALUES} } }`,
        ', $types: [VehicleStatType!]',
      ),
      { variables: { id, types: ['BATTERY_VOLTAGE', 'BATTERY_VOLTAGE', 'FUEL_LEVEL', 'ENGINE_STATE'] } },
    ],
    [
      'one type for a list',
      one('stats(types: ODOMETER) { nodes { ... on OdometerStatLog { odometer } } }'),
      { variables },
    ],
    ['no type', one('stats(types: []) { totalCount nodes { id } pageInfo { endCursor } }'), { variables }],
    [
      'the last measurements',
      one(
        `stats(last: 3, types: [ODOMETER, ENGINE_RPM, ENGINE_STATE]) { edges { cursor node { type timestamp } } pageInfo { hasPreviousPage } }`,
      ),
      { variables },
    ],
    [
      'measurements within a time',
      one(
        `stats(startAt: "2026-01-31T12:00:00Z", endAt: "2026-01-31T12:01:00Z") { totalCount nodes { type timestamp } }`,
      ),
      { variables },
    ],
    [
      'measurements twice',
      one(
        `odometer: stats(types: [ODOMETER]) { nodes { ...S } } engine: stats(types: [ENGINE_STATE]) { nodes { ...S ... on EngineStateStatLog { is: state } } }`,
      ).concat(
        ' fragment S on VehicleStatLog { timestamp ... on OdometerStatLog { odometer } vehicle { name } }',
      ),
      { variables },
    ],
    [
      'measurements and their vehicles',
      one(
        'stats(first: 2) { nodes { vehicle { name latestLocation { speed } trips(first: 1) { nodes { id } } } } }',
      ),
      { variables },
    ],
    ...[true, false].map((yes): Case => [
      `conditions on the types of measurements: ${yes}`,
      one(
        `stats { nodes { type ... on OdometerStatLog @include(if: $yes) { odometer } ... on EngineStateStatLog @skip(if: $yes) { state } } }`,
        ', $yes: Boolean!',
      ),
      { variables: { id, yes } },
    ]),
  ]
}
