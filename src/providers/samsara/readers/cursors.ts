import { ProviderError } from '../../provider-error.ts'

/** Samsara answered 400. For a request with a cursor, this means an invalid cursor. */
export class BadRequest extends ProviderError {
  constructor() {
    super('malformed', 'the provider answered 400')
  }
}

/**
 * Restarts a list if a cursor from an earlier sync has expired. A cursor of the same sync must be valid: a
 * restart at each page would never end.
 */
export async function restartIfCursorExpired<T>(
  page: Promise<T>,
  isFromEarlierSync: boolean,
  restart: () => Promise<T>,
): Promise<T> {
  try {
    return await page
  } catch (error) {
    if (isFromEarlierSync && error instanceof BadRequest) return restart()
    throw error
  }
}
