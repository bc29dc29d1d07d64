import { prettyFactory } from 'pino-pretty'

/** A control character other than a line feed or a tab; a terminal obeys it. */
const CONTROL = /(?![\n\t])\p{Cc}/gu

const prettify = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true })

/** A JSON line of the log for a person at a terminal: time, level, message, fields. Values cannot control the terminal. */
export const toReadableLine = (line: string): string =>
  prettify(
    JSON.parse(line, (_, value: unknown) =>
      typeof value === 'string' ? value.replace(CONTROL, escapeControl) : value,
    ),
  )

const escapeControl = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
