import { describe, expect, test } from 'vitest'
import { callGeotab, type Caller, type RecordFields } from '../../../fakes/geotab/caller.ts'
import { byId, compare } from '../../../fakes/geotab/compare.ts'
import { readFaults, readSafetyEvents } from '../../../fakes/geotab/event-reader.ts'
import { readHosLogs, Reader, readTrip, tripKey } from '../../../fakes/geotab/reader.ts'
import { DAY, HOUR } from '../../../fakes/geotab/times.ts'

function readAll(reader: Reader, caller: Caller): Record<string, RecordFields[]> {
  const remarks = byId(reader.readFeed('AnnotationLog'))
  const logs = reader.readFeed('LogRecord')
  return {
    Trip: reader.readFeed('Trip', tripKey).map(readTrip),
    HOSLog: readHosLogs(reader.readFeed('DutyStatusLog'), remarks).map(
      ({ remarks: _remarks, ...log }) => log,
    ),
    SafetyEvent: readSafetyEvents(reader.readFeed('ExceptionEvent'), logs),
    FaultCodeEvent: readFaults(
      reader.readFeed('FaultData'),
      byId(reader.readFeed('Diagnostic')),
      byId(caller.get('FailureMode')),
    ),
  }
}

describe('a simple reader reconstructs the truth', () => {
  test.each([
    {},
    { references: 'objects', faultClosing: 'another', nextTrip: 'unknown', runningTrips: 'shown' },
  ] as const)(
    'of trips, duty logs, safety events and faults, initially and after each later step: %j',
    (switches) => {
      const caller = callGeotab({ vehicles: 25, switches })
      const reader = new Reader(caller)
      for (const step of [0, 7 * HOUR, DAY, DAY]) {
        caller.move(step)
        const read = readAll(reader, caller)
        for (const [model, facts] of Object.entries(read)) compare(facts, caller.truth(model))
      }
    },
  )

  test('of remarks, which are separate entities or inline in the logs', () => {
    for (const annotations of ['references', 'inline'] as const) {
      const caller = callGeotab({ switches: { annotations } })
      const remarks = byId(caller.get('AnnotationLog'))
      const read = readHosLogs(caller.get('DutyStatusLog'), remarks)
      const remarksOf = (logs: readonly RecordFields[]) => logs.flatMap(({ remarks }) => remarks as unknown[])
      const truth = remarksOf(caller.truth('HOSLog')).map((remark) => (remark as RecordFields)['notes'])
      expect(remarksOf(read).sort()).toEqual(truth.sort())
      expect(truth.length).toBeGreaterThan(0)
    }
  })
})
