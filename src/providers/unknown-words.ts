import type { Logger } from '../log.ts'
import { unknownWords } from '../watched.ts'

/** More words are only counted. */
const MOST = 500
const LONGEST = 80

/** Says each word of a provider that no table knows once, so that a table can learn it. */
export function logUnknownWords(log: Logger): { close(): Promise<void> } {
  const said = new Set<string>()
  const leave = unknownWords.hear(({ provider, field, word }) => {
    const shown = word.slice(0, LONGEST)
    const key = `${provider} ${field} ${shown}`
    if (said.size >= MOST || said.has(key)) return
    said.add(key)
    log.warn({ provider, field, word: shown }, 'a provider says a word that is not known')
  })
  return { close: async () => leave() }
}
