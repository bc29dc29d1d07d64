import { ProviderError } from '../../provider-error.ts'

/** Error of a request to which Samsara answered 400. If the request had a cursor, the cursor is no longer valid. */
export class BadRequest extends ProviderError {
  constructor() {
    super('malformed', 'the provider answered 400')
  }
}

/**
 * Restarts a list if its cursor from an earlier sync has expired. If the cursor is from the same sync, the error is
 * thrown: a list that restarts at each page would never end.
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
