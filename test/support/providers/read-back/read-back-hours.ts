import { type ModelQuery, normalizedOf, rows, type Values } from './read-back-names.ts'

const durations = 'onDuty offDuty driving waiting sleeperBed personalConveyance yardMove'.split(' ')
const distances = 'total driving personalConveyance yardMove'.split(' ')
const clocks = 'cycle shift drive break'.split(' ')

/** Returns the members of a group of measures, under the names of normalized records. */
const measured = (names: readonly string[], unit: string, group: unknown): Values =>
  Object.fromEntries(names.map((name) => [`${name}${unit}`, (group as Values | null)?.[name] ?? null]))

/** Queries for drivers and their hours. */
export const hours: Readonly<Record<string, ModelQuery>> = {
  HOSLog: {
    ...rows(
      'hosLogs',
      `sourceId status driver { sourceId } vehicle { sourceId } codrivers { sourceId } startedAt endedAt
        location { longitude latitude } remarks { notes sourceId submittedAt }`,
      'sourceId status driverSourceId vehicleSourceId codriverSourceIds startedAt endedAt location remarks',
    ),
    of: 'driver',
    toNormalized: ({ remarks, ...node }) =>
      normalizedOf({ ...node, remarks: (remarks as readonly Values[]).map(normalizedOf) }),
  },
  HOSDailyLog: {
    ...rows(
      'hosDailyLogs',
      `sourceId date driver { sourceId } statusDurations { ${durations.join(' ')} } distances { ${distances.join(' ')} }`,
      [
        'sourceId date driverSourceId',
        ...durations.map((name) => `${name}Milliseconds`),
        ...distances.map((name) => `${name}Kilometers`),
      ].join(' '),
    ),
    of: 'driver',
    toNormalized: ({ statusDurations, distances: driven, ...node }) => ({
      ...normalizedOf(node),
      ...measured(durations, 'Milliseconds', statusDurations),
      ...measured(distances, 'Kilometers', driven),
    }),
  },
  HOSAvailableTime: {
    ...rows(
      'hosAvailableTimes',
      `driver { sourceId } currentStatus availableTime { ${clocks.join(' ')} }`,
      ['driverSourceId currentStatus', ...clocks.map((name) => `${name}Milliseconds`)].join(' '),
    ),
    of: 'driver',
    toNormalized: ({ availableTime, ...node }) => ({
      ...normalizedOf(node),
      ...measured(clocks, 'Milliseconds', availableTime),
    }),
  },
}
