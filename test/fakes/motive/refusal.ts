import type { Answer } from '../kit/http.ts'
import type { MotiveSwitches } from './behaviours.ts'

/** Error that becomes an error response with this status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

export const badRequest = (message: string) => new Refusal(400, message)

const messages: Readonly<Record<number, string>> = {
  401: 'Invalid token',
  403: 'Forbidden',
  404: 'Not found',
  429: 'Too many requests',
}

/** Returns an error response, without a Retry-After header. The switch `errorBody` selects the format of its body. */
export function refused(status: number, switches: MotiveSwitches, message?: string): Answer {
  const text = message ?? messages[status] ?? 'Something went wrong'
  if (switches.is('errorBody', 'error_message')) return { status, body: { error_message: text } }
  if (switches.is('errorBody', 'errors')) return { status, body: { errors: [{ message: text }] } }
  return switches.is('errorBody', 'text') ? { status, body: text } : { status }
}
