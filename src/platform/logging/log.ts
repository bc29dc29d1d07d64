import { pino, type Logger } from 'pino'
import { toReadableLine } from './readable-line.ts'

export type { Logger }

/** Matches the keys and tokens of this service anywhere in a text. */
const SECRET =
  /\b(?:sk|pk)_[a-z]+_\w+|\b(?:con|pub|hook)_tkn_\w+|\bses_tkn_[\w.-]+|\bsig_\w{16,}|\bwhsec_[\w+/=]+/g

/** Matches credentials of an Authorization header. */
const AUTHORIZATION = /\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi

/** Matches the names of values that are secret. */
const SECRET_NAME =
  '(?:password|passwd|secret|api_?key|(?:access|refresh|id|session)_?token|client_?secret|code_?verifier|credentials)'

/** Matches a quoted value after a secret name. In JSON inside JSON, the quotes are escaped. */
const QUOTED_VALUE = new RegExp(`(${SECRET_NAME}\\\\?["']?\\s*[:=]\\s*\\\\?["'])[^"'\\\\]+`, 'gi')

/** Matches the value of a URL parameter with a secret name. */
const URL_VALUE = new RegExp(`\\b(${SECRET_NAME}=)[^\\s"'&\\\\]+`, 'gi')

/** Returns the keys and tokens of this service in a text. */
export const findSecrets = (text: string): readonly string[] => text.match(SECRET) ?? []

/** Redacts every text that has the form of a key or token, and every value after a name such as `password`. */
export const redactSecretsByForm = (text: string): string =>
  text
    .replace(SECRET, (secret) => `${secret.slice(0, 8)}…`)
    .replace(AUTHORIZATION, '$1 …')
    .replace(QUOTED_VALUE, '$1…')
    .replace(URL_VALUE, '$1…')

const MAX_DEPTH = 5

interface LoggableError {
  readonly type: string
  readonly message: string
  readonly stack?: string | undefined
  readonly code?: string
  readonly cause?: LoggableError
  readonly errors?: readonly LoggableError[]
}

/** Converts an error for the log. Omits what database drivers add to errors: the SQL statement and its parameters. */
export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name: type, message, stack, cause, code } = error as Error & { code?: unknown }
  const errors = error instanceof AggregateError && depth < MAX_DEPTH ? error.errors : []
  return {
    type,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(code === undefined ? {} : { code: String(code) }),
    ...(cause === undefined || depth >= MAX_DEPTH ? {} : { cause: loggableError(cause, depth + 1) }),
    ...(errors.length > 0 ? { errors: errors.map((nested) => loggableError(nested, depth + 1)) } : {}),
  }
}

/**
 * Creates the log on standard error, with redacted keys and tokens. On a terminal a line is readable text,
 * otherwise a JSON object.
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
