import type { Logger } from '../../platform/logging/log.ts'
import { unknownEnumValues } from '../../platform/instrumentation.ts'

/** More words are only counted. */
const MAX_LOGGED = 500
const MAX_VALUE_LENGTH = 80

/** Logs each enum value of a provider that no mapping has, once. A metric counts them all. */
export function logUnknownEnumValues(log: Logger): { close(): Promise<void> } {
  const said = new Set<string>()
  const leave = unknownEnumValues.on(({ provider, field, word }) => {
    const shown = word.slice(0, MAX_VALUE_LENGTH)
    const key = JSON.stringify([provider, field, shown])
    if (said.size >= MAX_LOGGED || said.has(key)) return
    said.add(key)
    log.info({ provider, field, word: shown }, 'unknown enum value from a provider')
  })
  return { close: async () => leave() }
}
