import { ProviderError } from '../../provider-error.ts'

/** What Samsara does not understand: of a request that goes on somewhere, that is the place. */
export class BadRequest extends ProviderError {
  constructor() {
    super('malformed', 'the provider answered 400')
  }
}

/**
 * A cursor that was kept from one sync to a later one may be forgotten by then: what `afresh` begins with is read
 * instead. One of the same sync should be good, and whoever begins again with each page comes to no end.
 */
export async function restartIfCursorExpired<T>(
  page: Promise<T>,
  isKept: boolean,
  afresh: () => Promise<T>,
): Promise<T> {
  try {
    return await page
  } catch (error) {
    if (isKept && error instanceof BadRequest) return afresh()
    throw error
  }
}
