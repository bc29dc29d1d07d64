import type { Logger } from '../../platform/logging/log.ts'
import { unknownEnumValues } from '../../platform/instrumentation.ts'

/** More words are only counted. */
const MAX_LOGGED = 500
const MAX_VALUE_LENGTH = 80

/** Says each word of a provider that no table knows once, so that a table can learn it. */
export function logUnknownEnumValues(log: Logger): { close(): Promise<void> } {
  const said = new Set<string>()
  const leave = unknownEnumValues.on(({ provider, field, word }) => {
    const shown = word.slice(0, MAX_VALUE_LENGTH)
    const key = JSON.stringify([provider, field, shown])
    if (said.size >= MAX_LOGGED || said.has(key)) return
    said.add(key)
    log.warn({ provider, field, word: shown }, 'a provider says a word that is not known')
  })
  return { close: async () => leave() }
}
