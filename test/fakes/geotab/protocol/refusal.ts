import { randomUUID } from 'node:crypto'
import type { Switches } from '../switches.ts'

export type RefusalType =
  | 'InvalidUserException'
  | 'DbUnavailableException'
  | 'MissingMethodException'
  | 'OverLimitException'
  | 'ArgumentException'
  | 'GenericException'
  | 'JsonSerializerException'

const codes: Partial<Record<RefusalType, number>> = {
  MissingMethodException: -32601,
  JsonSerializerException: -32700,
}
const DEFAULT_CODE = -32000

/** An error response of MyGeotab. */
export class Refusal extends Error {
  /** Index of the failed call in a multi-call. */
  requestIndex = 0

  constructor(
    readonly type: RefusalType,
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message)
  }
}

export const badLogin = (): Refusal => new Refusal('InvalidUserException', 'Incorrect login credentials')

export const missingMethod = (method: string): Refusal =>
  new Refusal(
    'MissingMethodException',
    `The method '${method}' could not be found. Verify the method name and ensure all method parameters are included.`,
  )

export function refusalBody({ type, message, requestIndex }: Refusal, names: Switches['errorNames']) {
  return {
    error: {
      message,
      code: codes[type] ?? DEFAULT_CODE,
      data: { id: randomUUID(), ...(names === 'errors' ? {} : { type }), requestIndex },
      name: 'JSONRPCError',
      ...(names === 'data' ? {} : { errors: [{ message, name: type }] }),
    },
    jsonrpc: '2.0',
    requestIndex,
  }
}
