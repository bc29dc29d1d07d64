import { isPublic, type Problem } from '../domain/errors.ts'
import { redactSecretsByForm } from '../platform/logging/log.ts'

/** The options that every command has. */
export interface Globals {
  readonly data?: string
  readonly json?: boolean
}

/** Error of a command. The message is one line and names the remedy. Exit code 2 means wrong usage. */
export class CliError extends Error {
  override readonly name = 'CliError'

  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    options: ErrorOptions = {},
  ) {
    super(message, options)
  }
}

/** Turns any error into one line without secrets. */
export function toCliError(error: unknown): { readonly message: string; readonly exitCode: number } {
  const exitCode = error instanceof CliError ? error.exitCode : 1
  return { message: redactSecretsByForm(lineOf(error)).replaceAll(/\r?\n/g, ' '), exitCode }
}

function lineOf(error: unknown): string {
  if (isPublic(error)) return [...new Set([error.message, ...textsOf(error.detail)])].join(' ')
  const { code, message } = error as Error & { code?: string }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT')
    return `a server does not answer (${message || code}): see \`odograph doctor\``
  return message || String(error)
}

const textsOf = (detail: string | readonly Problem[] | undefined): readonly string[] =>
  typeof detail === 'string' ? [detail] : (detail ?? []).map(({ message }) => message)
