import type { ResponseHeader } from '../route.ts'

/** Returns the header of a mutation whose payload says whether it returns the result of an earlier request. */
export const replayedHeader = (
  mutation: string,
  description: string,
): Readonly<Record<'Idempotent-Replayed', ResponseHeader>> => ({
  'Idempotent-Replayed': {
    description,
    value: (data) => ((data[mutation] as { readonly replayed: boolean }).replayed ? 'true' : null),
  },
})
