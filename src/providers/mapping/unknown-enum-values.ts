import type { Logger } from '../../platform/logging/log.ts'
import { unknownEnumValues } from '../../platform/instrumentation.ts'

/** Maximum number of different values that a process logs. Further ones only count in the metric. */
const MAX_LOGGED = 500
const MAX_VALUE_LENGTH = 80

/** Logs each unknown enum value once. A metric counts all of them. */
export function logUnknownEnumValues(log: Logger): { close(): Promise<void> } {
  const logged = new Set<string>()
  const unsubscribe = unknownEnumValues.on(({ provider, field, value }) => {
    const shown = value.slice(0, MAX_VALUE_LENGTH)
    const key = JSON.stringify([provider, field, shown])
    if (logged.size >= MAX_LOGGED || logged.has(key)) return
    logged.add(key)
    log.info({ provider, field, value: shown }, 'unknown enum value from a provider')
  })
  return { close: async () => unsubscribe() }
}
