import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { Reader, Roster, RosterKind, TimeWindow } from '../../../src/providers/provider.ts'

/**
 * Result of one page of a model: counts and member names. It contains no data of the fleet or its
 * credentials.
 */
export interface Outcome {
  readonly records: number
  readonly leftOut: number
  /** Record members that could not be read. */
  readonly unread: readonly string[]
  /** Reason why the page could not be read, or null. */
  readonly failure: { readonly isPermission: boolean; readonly why: string } | null
}

const rosterKinds: Readonly<Record<string, RosterKind>> = {
  Vehicle: 'vehicle',
  Driver: 'driver',
  Trailer: 'trailer',
}

/** Roster ids of the first pages, for readers that request data by id. */
export class KnownRoster implements Roster {
  private readonly ids: Record<RosterKind, Set<string>> = {
    vehicle: new Set(),
    driver: new Set(),
    trailer: new Set(),
  }

  note(model: string, normalized: object): void {
    const kind = rosterKinds[model]
    if (kind) this.ids[kind].add(String((normalized as { sourceId: unknown }).sourceId))
  }

  async sourceIdsAfter(kind: RosterKind, after: string, most: number): Promise<readonly string[]> {
    return [...this.ids[kind]]
      .toSorted()
      .filter((id) => id > after)
      .slice(0, most)
  }
}

/** Reads the first page of a model. */
export async function readOnce(
  api: ProviderApi,
  model: string,
  reader: Reader<object>,
  window: TimeWindow,
  roster: KnownRoster,
): Promise<Outcome> {
  try {
    const { records } = await reader.read(api, null, window, roster)
    const unread = records.flatMap((record) => unreadIn(record, model, reader, roster) ?? [])
    return { records: records.length, leftOut: unread.length, unread: [...new Set(unread)], failure: null }
  } catch (error) {
    return {
      records: 0,
      leftOut: 0,
      unread: [],
      failure: { isPermission: isScope(error), why: whyOf(error) },
    }
  }
}

const isScope = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'scope_missing'

/** Returns an error text. Provider errors quote no records; our own errors may, so they are reduced. */
export const whyOf = (error: unknown): string =>
  error instanceof ProviderError ? `${error.kind}: ${error.message}` : 'an error of ours'

/** Returns the unreadable members of a record; null if it is readable. */
function unreadIn(
  record: unknown,
  model: string,
  reader: Reader<object>,
  roster: KnownRoster,
): string | null {
  try {
    roster.note(model, reader.normalize(record))
    return null
  } catch (error) {
    return error instanceof ProviderError ? membersIn(error.message) : 'what it is'
  }
}

const membersIn = (message: string): string =>
  message
    .split('; ')
    .map((one) => one.split(':', 1)[0] || 'all of it')
    .join(', ')
