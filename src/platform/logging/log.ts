import { pino, type Logger } from 'pino'
import { toReadableLine } from './readable-line.ts'

export type { Logger }

/** Everything that looks like one of our keys or tokens, wherever in a text it stands. */
const SECRET = /\b(?:sk|pk)_[a-z]+_\w+|\b(?:con|pub|hook)_tkn_\w+|\bses_tkn_[\w.-]+|\bwhsec_[\w+/=]+/g

/** What is sent to show who one is. */
const SHOWN = /\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi

/** What stands behind the name of something secret, in quotes or in an address; a quote may be escaped. */
const NAME =
  '(?:password|passwd|secret|api_?key|(?:access|refresh|id|session)_?token|client_?secret|code_?verifier|credentials)'
const QUOTED = new RegExp(`(${NAME}\\\\?["']?\\s*[:=]\\s*\\\\?["'])[^"'\\\\]+`, 'gi')
const IN_ADDRESS = new RegExp(`\\b(${NAME}=)[^\\s"'&\\\\]+`, 'gi')

/** Our keys and tokens that a text has. */
export const findSecrets = (text: string): readonly string[] => text.match(SECRET) ?? []

/** A text without anything that is secret by its form or by the name that it stands behind. */
export const redactSecretsByForm = (text: string): string =>
  text
    .replace(SECRET, (secret) => `${secret.slice(0, 8)}…`)
    .replace(SHOWN, '$1 …')
    .replace(QUOTED, '$1…')
    .replace(IN_ADDRESS, '$1…')

const DEEPEST = 5

interface LoggableError {
  readonly type: string
  readonly message: string
  readonly stack?: string | undefined
  readonly code?: string
  readonly cause?: LoggableError
  readonly errors?: readonly LoggableError[]
}

/** An error without what drivers hang on it: statements with the values that were sent in them. */
export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name: type, message, stack, cause, code } = error as Error & { code?: unknown }
  const errors = error instanceof AggregateError && depth < DEEPEST ? error.errors : []
  return {
    type,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(code === undefined ? {} : { code: String(code) }),
    ...(cause === undefined || depth >= DEEPEST ? {} : { cause: loggableError(cause, depth + 1) }),
    ...(errors.length > 0 ? { errors: errors.map((one) => loggableError(one, depth + 1)) } : {}),
  }
}

/**
 * The service's log on standard error, keys and tokens cut: a readable line on a terminal, else one JSON object a line.
 */
export function createLog(level: string, onTerminal = process.stderr.isTTY): Logger {
  return pino(
    {
      level,
      base: undefined,
      redact: [
        'authorization',
        'connectionToken',
        'credentials',
        'cookie',
        '*.authorization',
        '*["connection-token"]',
        '*.credentials',
        '*.cookie',
        '*["set-cookie"]',
      ],
      hooks: {
        streamWrite: (line) => {
          const redacted = redactSecretsByForm(line)
          return onTerminal ? toReadableLine(redacted) : redacted
        },
      },
      serializers: { err: loggableError },
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
