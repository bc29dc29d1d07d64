import { prettyFactory } from 'pino-pretty'

/** Matches control characters other than line feed and tab, which could change the state of the terminal. */
const CONTROL = /(?![\n\t])\p{Cc}/gu

const prettify = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true })

/**
 * Formats a JSON log line for a terminal: time, level, message, fields. Control characters in values are
 * escaped.
 */
export const toReadableLine = (line: string): string =>
  prettify(
    JSON.parse(line, (_, value: unknown) =>
      typeof value === 'string' ? value.replace(CONTROL, escapeControl) : value,
    ),
  )

const escapeControl = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
