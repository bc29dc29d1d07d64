import { pino, type Logger } from 'pino'

export type { Logger }

/** Everything that looks like one of our keys or tokens, wherever in a text it stands. */
const SECRET = /\b(sk|pk)_[a-z]+_\w+|\b(con|pub)_tkn_\w+/g

export const withoutSecrets = (text: string): string =>
  text.replace(SECRET, (secret) => `${secret.slice(0, 8)}…`)

/** The service's log: one JSON object a line on standard error, keys and tokens cut. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: undefined,
      redact: [
        'authorization',
        'connectionToken',
        '*.authorization',
        '*["connection-token"]',
        '*.credentials',
      ],
      hooks: { streamWrite: withoutSecrets },
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
